import { useState } from "react";
import { Link } from "wouter";
import type { Contract, ContractTotals } from "../../../areas/contracts/schema";
import { useNow } from "../../kit/clock";
import { Id } from "../../kit/copy";
import { formatDate, formatNumber, formatRelative } from "../../kit/format";
import { useOne } from "../../kit/list";
import { Money } from "../../kit/money";
import { Card, Facts, Page, Skeleton } from "../../kit/page";
import { Problem } from "../../kit/problem";
import { Status } from "../../kit/status";
import { Table } from "../../kit/table";
import { t } from "../../messages/contracts";
import { may } from "../../session";
import { Pdf } from "../invoices/document";
import { ContractActions } from "./actions";
import { ContractSchedule } from "./billing";
import { Items } from "./items";
import { type OfContract, pathOf } from "./of";

export function ContractPage({ id }: { readonly id: string }) {
	const now = useNow();
	const path = `/contracts/${encodeURIComponent(id)}`;
	const { data: contract, error, refetch } = useOne<Contract>(path);
	const { data: totals } = useOne<ContractTotals>(contract?.billingId ? `${path}/billing/summary` : undefined);
	if (error) return <Problem error={error} retry={() => void refetch()} />;
	if (!contract) return <Skeleton lines={8} />;
	const { problem } = contract;
	return (
		<Page
			title={contract.name ?? contract.contractId}
			beside={<Status of={contract.state} />}
			parent={{ name: t.title, path: "/contracts" }}
			curl={path}
			actions={may("CONTRACT:WRITE") && contract.state !== "CANCELED" && <ContractActions contract={contract} />}
		>
			{problem && (
				<p className="note warn">
					{t.problem}: {problem.message} ({formatRelative(problem.retryDate, now)})
				</p>
			)}
			<Card>
				<ContractFacts contract={contract} totals={totals} />
			</Card>
			<Members contract={contract} />
			{contract.billingId ? (
				<>
					<Items contract={contract} totals={totals} />
					<ContractSchedule contract={contract} />
					<OrderForm contract={contract} />
				</>
			) : (
				<p className="quiet">{t.noBilling}</p>
			)}
		</Page>
	);
}

const ContractFacts = ({ contract: one, totals }: OfContract & { readonly totals: ContractTotals | undefined }) => (
	<Facts
		of={[
			[
				t.customer,
				<Link key="customer" href={`/customers/${encodeURIComponent(one.customerExternalId ?? "")}`}>
					{one.customerExternalId}
				</Link>,
			],
			[t.term, `${formatDate(one.activationStartDate)} – ${formatDate(one.activationEndDate)}`],
			...(one.billingState ? [[t.billing, <Status key="billing" of={one.billingState} />] as const] : []),
			...(one.nextInvoice
				? [
						[
							t.next,
							<span key="next">
								<Money of={one.nextInvoice.amount} /> · {formatDate(one.nextInvoice.dueDate)}
							</span>,
						] as const,
					]
				: []),
			...(one.latestInvoice
				? [
						[
							t.latest,
							<Link key="latest" href={`/invoices/${encodeURIComponent(one.latestInvoice.billingId)}`}>
								<Money of={{ amount: one.latestInvoice.total ?? 0, currency: one.latestInvoice.currency ?? "usd" }} />
							</Link>,
						] as const,
					]
				: []),
			...(totals?.netTerms == null ? [] : [[t.netTerms, t.days({ days: totals.netTerms })] as const]),
			...(one.poNumber ? [[t.orderNumber, one.poNumber] as const] : []),
			...(one.renewal
				? [
						[
							t.renewal,
							t.renewsFor({
								months: one.renewal.months,
								days: one.renewal.noticePeriodDays,
								percent: formatNumber(one.renewal.upliftPercentage),
							}),
						] as const,
					]
				: []),
			[t.id, <Id key="id" of={one.contractId} />],
		]}
	/>
);

const Members = ({ contract: { subscriptions } }: OfContract) => (
	<Card isFlush title={t.subscriptions}>
		<Table
			label={t.subscriptions}
			rows={subscriptions}
			rowKey={({ subscriptionId }) => subscriptionId}
			href={({ subscriptionId }) => `/subscriptions/${encodeURIComponent(subscriptionId)}`}
			columns={[
				{ head: t.subscriptions, cell: ({ subscriptionId }) => subscriptionId },
				{ head: t.plan, cell: ({ planDisplayName }) => planDisplayName ?? "–" },
				{ head: t.product, isWide: true, cell: ({ productDisplayName }) => productDisplayName ?? "–" },
			]}
		/>
	</Card>
);

/** The document in its place, drawn when it is asked for. */
function OrderForm({ contract }: OfContract) {
	const [isShown, setShown] = useState(false);
	return (
		<Card
			title={t.orderForm}
			text={t.orderFormText}
			actions={
				!isShown && (
					<button type="button" onClick={() => setShown(true)}>
						{t.show}
					</button>
				)
			}
		>
			{isShown && <Pdf path={`${pathOf(contract)}/pdf`} name={`${contract.contractId}.pdf`} />}
		</Card>
	);
}
