import type { CreditNote } from "../../../areas/invoices/credit-notes/schema";
import { send } from "../../api";
import { ConfirmButton } from "../../kit/dialog";
import { formatDate, formatMoney } from "../../kit/format";
import { useOne } from "../../kit/list";
import { Money } from "../../kit/money";
import { Card, Empty, Skeleton } from "../../kit/page";
import { Problem } from "../../kit/problem";
import { Status } from "../../kit/status";
import { Table } from "../../kit/table";
import { t, wordFor } from "../../messages/invoices";
import { may } from "../../session";
import type { InvoiceProps } from "./of";

/** Those of the invoice among the customer's latest hundred. */
export function CreditNotes({ invoice }: InvoiceProps) {
	const path = `/customers/${encodeURIComponent(invoice.customerExternalId ?? "")}/credit-notes`;
	const { data, error, refetch } = useOne<readonly CreditNote[]>(`${path}?limit=100`);
	const notes = data?.filter(({ invoiceId }) => invoiceId === invoice.invoiceId);
	return (
		<Card isFlush title={t.notes}>
			<Problem error={error} retry={() => void refetch()} />
			{!notes && !error && <Skeleton lines={2} />}
			{notes?.length === 0 && <Empty title={t.noNotes} />}
			{notes && notes.length > 0 && (
				<Table
					label={t.notes}
					rows={notes}
					rowKey={({ creditNoteId }) => creditNoteId}
					columns={[
						{ head: t.number, cell: ({ creditNoteNumber }) => creditNoteNumber },
						{ head: t.issued, isWide: true, cell: ({ issueDate }) => formatDate(issueDate) },
						{ head: t.creditReason, isWide: true, cell: ({ reasonCode }) => wordFor(reasonCode) },
						{
							head: t.status,
							cell: (note) =>
								note.state === "VOIDED" || !may("INVOICE:WRITE") ? (
									<Status of={note.state} />
								) : (
									<ConfirmButton
										label={t.voidNote}
										title={t.voidNoteTitle({ number: note.creditNoteNumber })}
										says={t.voidNoteSays({
											amount: formatMoney({ amount: note.total, currency: note.currency }),
										})}
										isDanger
										perform={() => send("POST", `${path}/${encodeURIComponent(note.creditNoteId)}/void`)}
									/>
								),
						},
						{
							head: t.amount,
							isFigure: true,
							cell: ({ total, currency }) => <Money of={{ amount: total, currency }} />,
						},
					]}
				/>
			)}
		</Card>
	);
}
