import { Link } from "wouter";
import type { InvoiceSchedule, ScheduledInvoice } from "../../../areas/contracts/billing/schema";
import { formatDate, formatMoney } from "../../kit/format";
import { useOne } from "../../kit/list";
import { Money } from "../../kit/money";
import { Card, Skeleton } from "../../kit/page";
import { Problem } from "../../kit/problem";
import { Status } from "../../kit/status";
import { Table } from "../../kit/table";
import { t } from "../../messages/contracts";
import { type OfContract, pathOf } from "./of";

/** Our choice: two years of monthly invoices. */
const shownMax = 24;

const statusOf = ({ state }: ScheduledInvoice): string => (state === "CONTRACT_DRAFT" ? "DRAFT" : state);

/** What has been invoiced, and what will be. */
export function ContractSchedule({ contract }: OfContract) {
	const { data, error, refetch } = useOne<InvoiceSchedule>(
		`${pathOf(contract)}/billing/invoice-schedule?count=${shownMax}`,
	);
	if (error) return <Problem error={error} retry={() => void refetch()} />;
	if (!data) return <Skeleton lines={4} />;
	const [first] = data.invoices;
	if (!first) return null;
	const { currency } = first;
	return (
		<Card
			isFlush
			title={t.schedule}
			text={t.scheduleText({
				shown: data.invoices.length,
				count: data.invoiceCount,
				total: formatMoney({ amount: data.total, currency }),
			})}
		>
			<Table
				label={t.schedule}
				rows={data.invoices.map((invoice, at) => ({ ...invoice, at }))}
				rowKey={({ at }) => String(at)}
				columns={[
					{
						head: t.invoice,
						cell: ({ invoiceId, invoiceNumber, lineItems }) =>
							invoiceId ? (
								<Link href={`/invoices/${encodeURIComponent(invoiceId)}`}>{invoiceNumber ?? t.planned}</Link>
							) : (
								lineItems.map(({ description }) => description).join(", ")
							),
					},
					{ head: t.status, cell: (invoice) => <Status of={statusOf(invoice)} /> },
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
						cell: (one) => <Money of={{ amount: one.total, currency: one.currency }} />,
					},
				]}
			/>
		</Card>
	);
}
