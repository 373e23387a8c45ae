import type { LineItem } from "../../../areas/invoices/schema";
import { formatMoney, formatNumber } from "../../kit/format";
import { Card } from "../../kit/page";
import { type Column, Table } from "../../kit/table";
import { To } from "../../kit/values";
import { t } from "../../messages/invoices";
import { lineText } from "../../messages/shared/wordings";
import { amountIn, Figure, type InvoiceProps, type Sum, Sums } from "./amounts";
import type { Figure as Explained, SumName } from "./explain";

/** Another customer, whose subscription the customer of the invoice pays. */
const ofCustomer: Column<LineItem> = {
	head: t.customer,
	cell: ({ customerId }) => (customerId ? <To list="/customers" id={customerId} /> : "–"),
};

/** The subscription of a line, where the customer of the invoice pays several. */
const ofSubscription: Column<LineItem> = {
	head: t.subscription,
	cell: ({ subscriptionId }) => (subscriptionId ? <To list="/subscriptions" id={subscriptionId} /> : "–"),
};

interface LinesProps extends InvoiceProps {
	readonly onExplain: (figure: Explained) => void;
}

/** The lines and sums of an invoice. Each amount opens its explanation. */
export const InvoiceLines = ({ invoice, onExplain }: LinesProps) => (
	<Card isFlush title={t.lines} text={t.linesText}>
		<Table
			label={t.lines}
			rows={invoice.lineItems.map((item, at) => ({ ...item, line: at + 1 }))}
			rowKey={({ line }) => String(line)}
			columns={[
				{ head: t.description, cell: ({ description }) => lineText(description ?? t.line) },
				...(invoice.lineItems.some(({ customerId }) => customerId !== undefined) ? [ofCustomer] : []),
				...(new Set(invoice.lineItems.map(({ subscriptionId }) => subscriptionId)).size > 1 ? [ofSubscription] : []),
				{ head: t.quantity, isFigure: true, cell: ({ quantity }) => formatNumber(quantity) },
				{
					head: t.unitPrice,
					isFigure: true,
					isWide: true,
					cell: ({ unitPrice }) => formatMoney(amountIn(invoice, unitPrice)),
				},
				{
					head: t.amount,
					isFigure: true,
					cell: ({ line, amount, description }) => (
						<Figure
							name={lineText(description ?? t.line)}
							amount={amountIn(invoice, amount)}
							onExplain={() => onExplain({ line })}
						/>
					),
				},
			]}
		/>
		<Sums of={sumsOf({ invoice, onExplain })} />
	</Card>
);

function sumsOf({ invoice, onExplain }: LinesProps): readonly Sum[] {
	const { subtotal, discount, tax, total, balanceApplied, amountCredited, amountPaid, amountDue } = invoice;
	const sum = (name: string, amount: number | null, explained?: SumName): Sum => ({
		name,
		amount: amountIn(invoice, amount),
		isStrong: explained === "total" || explained === "due",
		onExplain: explained && (() => onExplain({ sum: explained })),
	});
	return [
		sum(t.subtotal, subtotal, "subtotal"),
		...(discount ? [sum(t.discount, -discount, "discount")] : []),
		sum(t.tax, tax, "tax"),
		sum(t.total, total, "total"),
		...(balanceApplied ? [sum(t.balanceApplied, -balanceApplied)] : []),
		...(amountCredited ? [sum(t.credited, -amountCredited)] : []),
		...(amountPaid ? [sum(t.paid, -amountPaid)] : []),
		sum(t.open, amountDue, "due"),
	];
}
