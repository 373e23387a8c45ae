import { Link } from "wouter";
import type { Plan } from "../../../areas/plans/schema";
import type { Subscription, SubscriptionPrice } from "../../../areas/subscriptions/schema";
import { send } from "../../api";
import { useNow } from "../../kit/clock";
import { Id } from "../../kit/copy";
import { ConfirmButton } from "../../kit/dialog";
import { formatDate, formatMoney, formatNumber, formatRelative } from "../../kit/format";
import { useOne } from "../../kit/list";
import { Money, When } from "../../kit/money";
import { Card, Facts, Page, Skeleton } from "../../kit/page";
import { Problem } from "../../kit/problem";
import { Status } from "../../kit/status";
import { Table } from "../../kit/table";
import { t } from "../../messages/subscriptions";
import { may } from "../../session";
import { CancelButton } from "./cancel";
import { ChangeButton } from "./change";
import { type OfSubscription, pathOf } from "./of";
import { usePlan } from "./order";
import { Schedule } from "./schedule";
import { TrialButton } from "./trial";

const isRunning = ({ status }: Subscription): boolean => status === "ACTIVE" || status === "IN_TRIAL";

export function SubscriptionPage({ id }: { readonly id: string }) {
	const now = useNow();
	const path = `/subscriptions/${encodeURIComponent(id)}`;
	const { data: subscription, error, refetch } = useOne<Subscription>(path);
	const { data: plan } = usePlan(subscription?.planId);
	if (error) return <Problem error={error} retry={() => void refetch()} />;
	if (!subscription) return <Skeleton lines={8} />;
	const { problem } = subscription;
	return (
		<Page
			title={plan?.displayName ?? subscription.planId}
			beside={
				<>
					<Status of={subscription.status} />
					<Id of={subscription.id} />
				</>
			}
			parent={{ name: t.title, path: "/subscriptions" }}
			curl={path}
			actions={may("SUBSCRIPTION:WRITE") && <Actions subscription={subscription} plan={plan} />}
		>
			{problem && (
				<div className="note warn">
					<p>
						<span className="strong">{t.problem}.</span>{" "}
						{t.problemText({ message: problem.message, when: formatRelative(problem.retryDate, now) })}
					</p>
				</div>
			)}
			<Card>
				<SubscriptionFacts subscription={subscription} />
			</Card>
			<Schedule subscription={subscription} />
			{subscription.prices.length > 0 && <Prices prices={subscription.prices} />}
		</Page>
	);
}

function Actions({ subscription, plan }: OfSubscription & { readonly plan: Plan | undefined }) {
	const { status, id, planId } = subscription;
	if (status === "CANCELED" || status === "EXPIRED") return null;
	return (
		<>
			<CancelButton subscription={subscription} planName={plan?.displayName ?? planId} />
			{status === "IN_TRIAL" && <TrialButton subscription={subscription} />}
			{isRunning(subscription) && (
				<ConfirmButton
					label={t.migrate}
					title={t.migrateTitle({ id })}
					says={t.migrateSays({ plan: plan?.displayName ?? planId })}
					perform={() => send("POST", `${pathOf(subscription)}/migrate`, { subscriptionMigrationTime: "IMMEDIATE" })}
				/>
			)}
			<ChangeButton subscription={subscription} />
		</>
	);
}

function SubscriptionFacts({ subscription: one }: OfSubscription) {
	const customer = (id: string) => <Link href={`/customers/${encodeURIComponent(id)}`}>{id}</Link>;
	const { latestInvoice: invoice, minimumSpend, budget } = one;
	return (
		<Facts
			of={[
				[t.customer, customer(one.customerId)],
				...(one.payingCustomerId ? [[t.payer, customer(one.payingCustomerId)] as const] : []),
				[
					t.plan,
					<Link key="plan" href={`/plans/${encodeURIComponent(one.planId)}`}>
						{one.planId}
					</Link>,
				],
				...(one.resourceId ? [[t.resource, <code key="resource">{one.resourceId}</code>] as const] : []),
				[t.started, <When key="started" at={one.startDate} />],
				...(one.currentBillingPeriodEnd
					? [
							[
								t.period,
								`${formatDate(one.currentBillingPeriodStart)} – ${formatDate(one.currentBillingPeriodEnd)}`,
							] as const,
						]
					: []),
				...(one.trialEndDate ? [[t.trialEnds, <When key="trial" at={one.trialEndDate} />] as const] : []),
				...(one.trial ? [[t.afterTrial, t[one.trial.trialEndBehavior]] as const] : []),
				...(one.effectiveEndDate || one.endDate
					? [[t.ends, <When key="ends" at={one.effectiveEndDate ?? one.endDate} />] as const]
					: []),
				...(one.addons.length > 0
					? [[t.addons, one.addons.map(({ id, quantity }) => `${id} × ${formatNumber(quantity)}`).join(", ")] as const]
					: []),
				...(one.coupons.length > 0
					? [
							[
								t.coupons,
								one.coupons.map(({ id, name }) => (
									<Link key={id} href={`/coupons/${encodeURIComponent(id)}`}>
										{name}
									</Link>
								)),
							] as const,
						]
					: []),
				...(one.contractId
					? [
							[
								t.contract,
								<Link key="contract" href={`/contracts/${encodeURIComponent(one.contractId)}`}>
									{one.contractId}
								</Link>,
							] as const,
						]
					: []),
				...(minimumSpend ? [[t.minimumSpend, <Money key="minimum" of={minimumSpend} />] as const] : []),
				...(budget ? [[t.budget, formatNumber(budget.limit)] as const] : []),
				...(invoice
					? [
							[
								t.latestInvoice,
								<Link key="invoice" href={`/invoices/${encodeURIComponent(invoice.billingId)}`}>
									{formatMoney({ amount: invoice.total ?? 0, currency: invoice.currency ?? "usd" })}
								</Link>,
							] as const,
						]
					: []),
				...Object.entries(one.metadata).map(([name, value]) => [name, value] as const),
				[t.created, <When key="created" at={one.createdAt} />],
			]}
		/>
	);
}

const priceText = ({ amount, currency, tiers }: SubscriptionPrice): string => {
	if (amount !== undefined) return formatMoney({ amount, currency: currency ?? "usd" });
	return (tiers ?? [])
		.map(({ unitPrice, flatPrice, upTo }) => {
			const price = [unitPrice, flatPrice]
				.filter(Boolean)
				.map((one) => formatMoney(one))
				.join(" + ");
			return upTo === undefined ? price : `≤ ${formatNumber(upTo)}: ${price}`;
		})
		.join(" · ");
};

const Prices = ({ prices }: { readonly prices: readonly SubscriptionPrice[] }) => (
	<Card isFlush title={t.prices}>
		<Table
			label={t.prices}
			rows={prices}
			rowKey={({ addonId, featureId, baseCharge, amount }) => `${addonId} ${featureId} ${baseCharge} ${amount}`}
			columns={[
				{ head: t.priceOf, cell: ({ addonId, featureId }) => addonId ?? featureId ?? t.baseFee },
				{ head: t.prices, isFigure: true, cell: priceText },
			]}
		/>
	</Card>
);
