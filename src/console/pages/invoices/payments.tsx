import type { CreditNote } from "../../../areas/invoices/credit-notes/schema";
import { type Payment, PaymentReport, ReversalReport } from "../../../areas/invoices/payments/schema";
import { pathTo } from "../../api";
import { ConfirmButton, confirmation } from "../../kit/dialog";
import { formatDate, formatMoney } from "../../kit/format";
import { FormButton } from "../../kit/forms/form-dialog";
import { ListCard } from "../../kit/list-card";
import { Money, Status } from "../../kit/values";
import { t, wordFor } from "../../messages/invoices";
import { may } from "../../session";
import { type InvoiceProps, pathOf } from "./amounts";

export function Payments({ invoice }: InvoiceProps) {
	const path = `${pathOf(invoice)}/payments`;
	const isIssued = invoice.state === "OPEN" || invoice.state === "PAID";
	return (
		<ListCard<Payment>
			title={t.payments}
			path={path}
			limit={100}
			isFirstPage
			actions={isIssued && may("INVOICE:WRITE") && <RecordButton invoice={invoice} path={path} />}
			empty={{ title: t.noPayments }}
			rowKey={({ paymentId }) => paymentId}
			columns={[
				{ head: t.paidOn, cell: ({ paidDate }) => formatDate(paidDate) },
				{ head: t.method, cell: ({ kind, method }) => (kind === "PAYMENT" ? wordFor(method) : wordFor(kind)) },
				{ head: t.reference, isWide: true, cell: ({ reference }) => reference ?? "–" },
				{
					head: t.amount,
					isFigure: true,
					cell: ({ kind, amount, currency }) => (
						<Money of={{ amount: kind === "PAYMENT" ? amount : -amount, currency }} />
					),
				},
				{ head: t.reverse, cell: (payment) => <ReverseButton payment={payment} path={path} /> },
			]}
		/>
	);
}

function ReverseButton({ payment, path }: { readonly payment: Payment; readonly path: string }) {
	const { paymentId, kind, currency } = payment;
	if (kind !== "PAYMENT" || !may("INVOICE:WRITE")) return "–";
	return (
		<FormButton
			label={t.reverse}
			isDanger
			to={["POST", `${pathTo(path, paymentId)}/reverse`]}
			schema={ReversalReport}
			texts={t}
			initial={{ reason: "MISALLOCATED" }}
			fields={[
				"reason",
				{ name: "amount", unit: currency.toUpperCase() },
				{ name: "reference", when: ({ reason }) => reason !== "MISALLOCATED" },
				{ name: "note", when: ({ reason }) => reason !== "MISALLOCATED" },
			]}
			action={t.reverse}
			onDone={() => t.reversed}
		/>
	);
}

function RecordButton({ invoice, path }: InvoiceProps & { readonly path: string }) {
	const isPaid = invoice.state === "PAID";
	const label = isPaid ? t.recordRefund : t.record;
	return (
		<FormButton
			label={label}
			to={["POST", path]}
			schema={PaymentReport}
			texts={t}
			initial={{
				kind: isPaid ? "REFUND" : "PAYMENT",
				method: "BANK_TRANSFER",
				...(invoice.amountDue > 0 && { amount: invoice.amountDue }),
			}}
			fields={[
				{ name: "amount", unit: (invoice.currency ?? "").toUpperCase(), isRequired: true },
				"method",
				"reference",
			]}
			action={label}
			onDone={() => t.recorded}
		/>
	);
}

/** The credit notes of the invoice, among the latest hundred of the customer. */
export function CreditNotes({ invoice }: InvoiceProps) {
	const path = pathTo("/customers", invoice.customerExternalId ?? "", "credit-notes");
	return (
		<ListCard<CreditNote>
			title={t.notes}
			path={path}
			limit={100}
			isFirstPage
			only={(notes) => notes.filter(({ invoiceId }) => invoiceId === invoice.invoiceId)}
			empty={{ title: t.noNotes }}
			rowKey={({ creditNoteId }) => creditNoteId}
			columns={[
				{ head: t.number, cell: ({ creditNoteNumber }) => creditNoteNumber },
				{ head: t.issued, isWide: true, cell: ({ issueDate }) => formatDate(issueDate) },
				{ head: t.creditReason, isWide: true, cell: ({ reasonCode }) => wordFor(reasonCode) },
				{ head: t.status, cell: (note) => <NoteState note={note} path={path} /> },
				{
					head: t.amount,
					isFigure: true,
					cell: ({ total, currency }) => <Money of={{ amount: total, currency }} />,
				},
			]}
		/>
	);
}

function NoteState({ note, path }: { readonly note: CreditNote; readonly path: string }) {
	if (note.state === "VOIDED" || !may("INVOICE:WRITE")) return <Status of={note.state} />;
	const amount = formatMoney({ amount: note.total, currency: note.currency });
	return (
		<ConfirmButton
			{...confirmation(t, "voidNote", { number: note.creditNoteNumber, amount })}
			isDanger
			perform={["POST", `${pathTo(path, note.creditNoteId)}/void`]}
		/>
	);
}
