import { useState } from "react";
import { type Payment, PaymentReport, paymentMethods } from "../../../areas/invoices/payments/schema";
import { send } from "../../api";
import { Dialog } from "../../kit/dialog";
import { Form, NumberField, SelectField, TextField } from "../../kit/form";
import { formatDate } from "../../kit/format";
import { useOne } from "../../kit/list";
import { Money } from "../../kit/money";
import { Card, Empty, Skeleton } from "../../kit/page";
import { Problem } from "../../kit/problem";
import { Table } from "../../kit/table";
import { toast } from "../../kit/toasts";
import { t, wordFor } from "../../messages/invoices";
import { may } from "../../session";
import { type InvoiceProps, pathOf } from "./of";

export function Payments({ invoice }: InvoiceProps) {
	const path = `${pathOf(invoice)}/payments`;
	const { data: payments, error, refetch } = useOne<readonly Payment[]>(`${path}?limit=100`);
	const isIssued = invoice.state === "OPEN" || invoice.state === "PAID";
	return (
		<Card
			isFlush
			title={t.payments}
			actions={isIssued && may("INVOICE:WRITE") && <RecordButton invoice={invoice} path={path} />}
		>
			<Problem error={error} retry={() => void refetch()} />
			{!payments && !error && <Skeleton lines={2} />}
			{payments?.length === 0 && <Empty title={t.noPayments} />}
			{payments && payments.length > 0 && (
				<Table
					label={t.payments}
					rows={payments}
					rowKey={({ paymentId }) => paymentId}
					columns={[
						{ head: t.paidOn, cell: ({ paidDate }) => formatDate(paidDate) },
						{ head: t.method, cell: ({ kind, method }) => (kind === "REFUND" ? t.refund : wordFor(method)) },
						{ head: t.reference, isWide: true, cell: ({ reference }) => reference ?? "–" },
						{
							head: t.amount,
							isFigure: true,
							cell: ({ kind, amount, currency }) => (
								<Money of={{ amount: kind === "REFUND" ? -amount : amount, currency }} />
							),
						},
					]}
				/>
			)}
		</Card>
	);
}

function RecordButton({ invoice, path }: InvoiceProps & { readonly path: string }) {
	const [isOpen, setOpen] = useState(false);
	const close = () => setOpen(false);
	const isPaid = invoice.state === "PAID";
	const name = isPaid ? t.recordRefund : t.record;
	return (
		<>
			<button type="button" onClick={() => setOpen(true)}>
				{name}
			</button>
			<Dialog title={name} isOpen={isOpen} onClose={close}>
				<Form
					schema={PaymentReport}
					action={name}
					initial={{
						kind: isPaid ? "REFUND" : "PAYMENT",
						method: "BANK_TRANSFER",
						...(invoice.amountDue > 0 && { amount: invoice.amountDue }),
					}}
					submit={(body) => send("POST", path, body)}
					onCancel={close}
					onDone={() => {
						close();
						toast(t.recorded);
					}}
				>
					<NumberField
						name="amount"
						label={t.amount}
						unit={(invoice.currency ?? "").toUpperCase()}
						step="any"
						isRequired
					/>
					<SelectField
						name="method"
						label={t.method}
						options={paymentMethods.map((value) => ({ value, label: wordFor(value) }))}
					/>
					<TextField name="reference" label={t.reference} />
				</Form>
			</Dialog>
		</>
	);
}
