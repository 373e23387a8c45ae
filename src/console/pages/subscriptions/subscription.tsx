import { Fragment } from "react";
import type { Plan } from "../../../areas/plans/schema";
import type { PhaseShown, Subscription, SubscriptionPrice } from "../../../areas/subscriptions/schema";
import { pathTo } from "../../api";
import { Id } from "../../kit/copy";
import { ConfirmButton, confirmation } from "../../kit/dialog";
import { formatDate, formatMoney, formatNumber, formatRelative } from "../../kit/format";
import { useOne } from "../../kit/list";
import { Card, Facts, Loaded, Page } from "../../kit/page";
import { Table } from "../../kit/table";
import { Money, Status, To, useNow, When } from "../../kit/values";
import { t as parents } from "../../messages/parents";
import { t, wordFor } from "../../messages/subscriptions";
import { t as taxTexts } from "../../messages/taxes";
import { may } from "../../session";
import { commitmentsText } from "../packages/price-text";
import { TaxNames } from "../taxes/choice";
import {
	CancelButton,
	ChangeButton,
	ChildUsageButton,
	EndTrialButton,
	type OfSubscription,
	PauseButton,
	pathOf,
	TaxesButton,
	TrialButton,
} from "./actions";
import { TermButton, termFacts } from "./term";

export const SubscriptionPage = ({ id }: { readonly id: string }) => (
	<Loaded<Subscription> path={pathTo("/subscriptions", id)} lines={8}>
		{(subscription) => <SubscriptionView subscription={subscription} />}
	</Loaded>
);

function SubscriptionView({ subscription }: OfSubscription) {
	const now = useNow();
	const { data: plan } = useOne<Plan>(pathTo("/plans", subscription.planId));
	const { id, problem, status, prices } = subscription;
	const planName = plan?.displayName ?? subscription.planId;
	const isOver = status === "CANCELED" || status === "EXPIRED";
	return (
		<Page
			title={planName}
			badge={
				<>
					<Status of={status} />
					<Id of={id} />
				</>
			}
			parent={{ name: t.title, path: "/subscriptions" }}
			curl={pathOf(subscription)}
			actions={!isOver && may("SUBSCRIPTION:WRITE") && <Actions subscription={subscription} planName={planName} />}
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
			{prices.length > 0 && <Prices prices={prices} />}
		</Page>
	);
}

function Actions({ subscription, planName }: OfSubscription & { readonly planName: string }) {
	const { status, id } = subscription;
	const perform = ["POST", `${pathOf(subscription)}/migrate`, { subscriptionMigrationTime: "IMMEDIATE" }] as const;
	return (
		<>
			<CancelButton subscription={subscription} planName={planName} />
			{status === "IN_TRIAL" && <TrialButton subscription={subscription} />}
			{status === "IN_TRIAL" && <EndTrialButton subscription={subscription} />}
			{(status === "ACTIVE" || status === "PAUSED") && <PauseButton subscription={subscription} />}
			{(status === "ACTIVE" || status === "IN_TRIAL") && (
				<ConfirmButton {...confirmation(t, "migrate", { id, plan: planName })} perform={perform} />
			)}
			<TermButton subscription={subscription} />
			<TaxesButton subscription={subscription} />
			<ChildUsageButton subscription={subscription} />
			<ChangeButton subscription={subscription} />
		</>
	);
}

function SubscriptionFacts({ subscription: one }: OfSubscription) {
	const { latestInvoice: invoice, minimumSpend, budget, trial } = one;
	const end = one.effectiveEndDate ?? one.endDate;
	return (
		<Facts
			of={{
				[t.customer]: <To list="/customers" id={one.customerId} />,
				[t.payer]: one.payingCustomerId && <To list="/customers" id={one.payingCustomerId} />,
				[t.plan]: <To list="/plans" id={one.planId} />,
				[t.resource]: one.resourceId && <code>{one.resourceId}</code>,
				[t.started]: <When at={one.startDate} />,
				[t.billingPeriod]:
					one.currentBillingPeriodEnd &&
					`${formatDate(one.currentBillingPeriodStart)} – ${formatDate(one.currentBillingPeriodEnd)}`,
				[t.phase]: one.phase && phaseText(one.phase, one.phase.endDate, t.phaseUntil, t.ownPhaseUntil),
				[t.scheduledPhases]: one.scheduledPhases
					?.map((phase) => phaseText(phase, phase.startDate, t.phaseFrom, t.ownPhaseFrom))
					.join(", "),
				...termFacts(one.currentTerm),
				[t.trialEnds]: one.trialEndDate && <When at={one.trialEndDate} />,
				[t.afterTrial]: trial && t[trial.trialEndBehavior],
				[t.ends]: end && <When at={end} />,
				[t.addons]:
					one.addons.length > 0 && one.addons.map(({ id, quantity }) => `${id} × ${formatNumber(quantity)}`).join(", "),
				[t.coupons]:
					one.coupons.length > 0 &&
					one.coupons.map(({ id, name }, at) => (
						<Fragment key={id}>
							{at > 0 && ", "}
							<To list="/coupons" id={id}>
								{name}
							</To>
						</Fragment>
					)),
				[taxTexts.title]: one.taxes && <TaxNames of={one.taxes} />,
				[t.contract]: one.contractId && <To list="/contracts" id={one.contractId} />,
				[t.minimumSpend]: minimumSpend && <Money of={minimumSpend} />,
				[parents.includesChildUsage]: one.includesChildUsage && parents.included,
				[t.commitments]: one.commitments && (commitmentsText(one.commitments) || t.none),
				[t.spendThresholds]: one.spendThresholds && (one.spendThresholds.map(formatMoney).join(", ") || t.none),
				[t.budget]: budget && formatNumber(budget.limit),
				[t.latestInvoice]: invoice && (
					<To list="/invoices" id={invoice.billingId}>
						{formatMoney({ amount: invoice.total ?? 0, currency: invoice.currency ?? "usd" })}
					</To>
				),
				[t.createdAt]: <When at={one.createdAt} />,
			}}
			metadata={one.metadata}
		/>
	);
}

/** Scheduled changes, and how to cancel them. */
function Schedule({ subscription }: OfSubscription) {
	const { futureUpdates } = subscription;
	if (futureUpdates.length === 0) return null;
	const has = (status: string) => futureUpdates.some(({ scheduleStatus }) => scheduleStatus === status);
	const path = `${pathOf(subscription)}/future-update`;
	const actions = may("SUBSCRIPTION:WRITE") && (
		<>
			{has("PENDING_PAYMENT") && (
				<ConfirmButton {...confirmation(t, "cancelPending")} isDanger perform={["DELETE", `${path}/pending-payment`]} />
			)}
			{has("SCHEDULED") && (
				<ConfirmButton {...confirmation(t, "cancelSchedule")} isDanger perform={["DELETE", `${path}/schedule`]} />
			)}
		</>
	);
	return (
		<Card isFlush title={t.scheduled} text={t.scheduledText} actions={actions}>
			<Table
				label={t.scheduled}
				rows={futureUpdates}
				rowKey={(one) => `${one.subscriptionScheduleType} ${one.scheduledExecutionTime} ${one.targetPackage?.id}`}
				columns={[
					{ head: t.whatChanges, cell: (one) => wordFor(one.subscriptionScheduleType) },
					{ head: t.to, cell: ({ targetPackage }) => targetPackage?.id ?? "–" },
					{ head: t.status, cell: ({ scheduleStatus }) => <Status of={scheduleStatus} /> },
					{ head: t.at, cell: ({ scheduledExecutionTime }) => <When at={scheduledExecutionTime} /> },
				]}
			/>
		</Card>
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

/** Names a phase with its percentage, unless it has prices of its own. */
const phaseText = (
	{ displayName: name, percentOff }: PhaseShown,
	at: string,
	lower: (values: { name: string; percent: string; date: string }) => string,
	own: (values: { name: string; date: string }) => string,
): string =>
	percentOff === undefined
		? own({ name, date: formatDate(at) })
		: lower({ name, percent: formatNumber(percentOff), date: formatDate(at) });
