import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { ContractPublication, InvoiceSchedule } from "../../../areas/contracts/billing/schema";
import type { Contract, ContractTotals } from "../../../areas/contracts/schema.shown";
import { pathTo, send } from "../../api";
import { Id } from "../../kit/copy";
import { ConfirmButton, confirmation } from "../../kit/dialog";
import { formatDate, formatMoney, formatNumber, formatRelative } from "../../kit/format";
import { useOne } from "../../kit/list";
import { Card, Facts, Loaded, Page, Skeleton } from "../../kit/page";
import { PdfCard } from "../../kit/pdf";
import { Problem } from "../../kit/problem";
import { Table } from "../../kit/table";
import { Badge, Money, Status, To, useNow } from "../../kit/values";
import { t as item } from "../../messages/contract-items";
import { t } from "../../messages/contracts";
import { may } from "../../session";
import { Items, type OfContract, pathOf, useItems } from "./items";

export const ContractPage = ({ id }: { readonly id: string }) => (
	<Loaded<Contract> path={pathTo("/contracts", id)} lines={8}>
		{(contract) => <ContractView contract={contract} />}
	</Loaded>
);

function ContractView({ contract }: OfContract) {
	const now = useNow();
	const path = pathOf(contract);
	const { data: totals } = useOne<ContractTotals>(contract.billingId ? `${path}/billing/summary` : undefined);
	const { problem } = contract;
	return (
		<Page
			title={contract.name ?? contract.contractId}
			badge={<Status of={contract.state} />}
			parent={{ name: t.title, path: "/contracts" }}
			curl={path}
			actions={may("CONTRACT:WRITE") && contract.state !== "CANCELED" && <Actions contract={contract} />}
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
					<Schedule contract={contract} />
					<PdfCard
						texts={{ title: t.orderForm, text: t.orderFormText }}
						path={`${path}/pdf`}
						name={`${contract.contractId}.pdf`}
					/>
				</>
			) : (
				<p className="quiet">{t.noBilling}</p>
			)}
		</Page>
	);
}

const ContractFacts = ({ contract: one, totals }: OfContract & { readonly totals: ContractTotals | undefined }) => {
	const { nextInvoice: next, latestInvoice: latest, renewal } = one;
	return (
		<Facts
			of={{
				[t.customer]: <To list="/customers" id={one.customerExternalId ?? ""} />,
				[t.term]: `${formatDate(one.activationStartDate)} – ${formatDate(one.activationEndDate)}`,
				[t.billing]: one.billingState && <Status of={one.billingState} />,
				[t.nextInvoice]: next && (
					<span>
						<Money of={next.amount} /> · {formatDate(next.dueDate)}
					</span>
				),
				[t.latest]: latest && (
					<To list="/invoices" id={latest.billingId}>
						<Money of={{ amount: latest.total ?? 0, currency: latest.currency ?? "usd" }} />
					</To>
				),
				[t.netTerms]: totals?.netTerms != null && t.days({ days: totals.netTerms }),
				[t.poNumber]: one.poNumber,
				[t.renewal]:
					renewal &&
					t.renewsFor({
						months: renewal.months,
						days: renewal.noticePeriodDays,
						percent: formatNumber(renewal.upliftPercentage),
					}),
				[t.id]: <Id of={one.contractId} />,
			}}
		/>
	);
};

const Members = ({ contract: { subscriptions } }: OfContract) => (
	<Card isFlush title={t.subscriptions}>
		<Table
			label={t.subscriptions}
			rows={subscriptions}
			rowKey={({ subscriptionId }) => subscriptionId}
			href={({ subscriptionId }) => pathTo("/subscriptions", subscriptionId)}
			columns={[
				{ head: t.subscriptions, cell: ({ subscriptionId }) => subscriptionId },
				{ head: t.plan, cell: ({ planDisplayName }) => planDisplayName ?? "–" },
				{ head: t.product, isWide: true, cell: ({ productDisplayName }) => productDisplayName ?? "–" },
			]}
		/>
	</Card>
);

/** Two years of monthly invoices. */
const scheduleMax = 24;

/** Issued and future invoices. */
const Schedule = ({ contract }: OfContract) => (
	<Loaded<InvoiceSchedule> path={`${pathOf(contract)}/billing/invoice-schedule?count=${scheduleMax}`} lines={4}>
		{({ invoices, invoiceCount: count, total }) =>
			invoices[0] && (
				<Card
					isFlush
					title={t.schedule}
					text={t.scheduleText({
						shown: invoices.length,
						count,
						total: formatMoney({ amount: total, currency: invoices[0].currency }),
					})}
				>
					<Table
						label={t.schedule}
						rows={invoices.map((invoice, at) => ({ ...invoice, at }))}
						rowKey={({ at }) => String(at)}
						columns={[
							{
								head: t.invoice,
								cell: ({ invoiceId, invoiceNumber, lineItems }) =>
									invoiceId ? (
										<Link href={pathTo("/invoices", invoiceId)}>{invoiceNumber ?? t.planned}</Link>
									) : (
										lineItems.map(({ description }) => description).join(", ")
									),
							},
							{
								head: t.status,
								cell: ({ state }) => <Status of={state === "CONTRACT_DRAFT" ? "DRAFT" : state} kind="INVOICE" />,
							},
							{ head: t.issued, cell: ({ issueDate }) => formatDate(issueDate) },
							{ head: t.due, isWide: true, cell: ({ dueDate }) => formatDate(dueDate) },
							{
								head: t.period,
								isWide: true,
								cell: ({ periodStart, periodEnd }) => `${formatDate(periodStart)} – ${formatDate(periodEnd)}`,
							},
							{
								head: t.total,
								isFigure: true,
								cell: ({ total: amount, currency }) => <Money of={{ amount, currency }} />,
							},
						]}
					/>
				</Card>
			)
		}
	</Loaded>
);

function Actions({ contract }: OfContract) {
	const path = pathOf(contract);
	const name = { name: contract.name ?? contract.contractId };
	const { data: items } = useItems(contract);
	return (
		<>
			<ConfirmButton {...confirmation(t, "archive", name)} isDanger perform={["POST", `${path}/archive`]} />
			{contract.billingState === "ACTIVE" && (
				<ConfirmButton {...confirmation(t, "stop", name)} isDanger perform={["POST", `${path}/billing/cancel`, {}]} />
			)}
			{items?.isOpen && (
				<ConfirmButton
					label={items.isAmendment ? item.publishAmendment : t.publish}
					title={t.publishTitle(name)}
					says={<Publication path={path} currency={items.currency} />}
					perform={["POST", `${path}/billing/publish`, {}]}
				/>
			)}
		</>
	);
}

type Difference = ContractPublication["items"][number];

const tones = { ADDED: "good", CHANGED: "warn", REMOVED: "bad", UNCHANGED: "quiet" } as const;

/** The effects of publishing, from a dry run. */
function Publication({ path, currency }: { readonly path: string; readonly currency: string }) {
	const { data, error } = useQuery({
		queryKey: ["publication", path],
		queryFn: async () =>
			(await send<{ data: ContractPublication }>("POST", `${path}/billing/publish?dryRun=true`, {})).data,
		retry: false,
	});
	if (error) return <Problem error={error} />;
	if (!data) return <Skeleton lines={2} />;
	const money = (amount: number | null) => (amount === null ? "–" : formatMoney({ amount, currency }));
	const { invoicesNow, isAmendment, totalBefore, totalAfter, creditedNow } = data;
	const publishing = {
		count: invoicesNow.length,
		amount: money(invoicesNow.reduce((sum, { total }) => sum + total, 0)),
		later: data.laterCount,
		laterAmount: money(data.laterTotal),
	};
	return (
		<>
			<p>{(invoicesNow.length > 0 ? t.publishNow : t.publishNowNone)(publishing)}</p>
			{isAmendment && totalBefore !== null && (
				<p>{t.amendment({ after: money(totalAfter), before: money(totalBefore), credited: money(creditedNow) })}</p>
			)}
			<div className="framed">
				<Table
					label={item.differences}
					rows={data.items}
					rowKey={({ itemId }) => itemId}
					columns={[
						{ head: t.line, cell: ({ name }) => name },
						{ head: item.change, cell: ({ change }) => <Badge tone={tones[change]}>{item[change]}</Badge> },
						...(isAmendment
							? [{ head: t.before, isFigure: true, cell: (one: Difference) => money(one.totalBefore) }]
							: []),
						{ head: t.after, isFigure: true, cell: (one: Difference) => money(one.totalAfter) },
					]}
				/>
			</div>
		</>
	);
}
