import { type Amount, formatMoney, formatNumber } from "../../kit/format";
import { Card } from "../../kit/page";
import { Table } from "../../kit/table";
import { t } from "../../messages/invoices";
import { lineText } from "../../messages/shared/wordings";
import type { Figure, Sum } from "./explain";
import type { InvoiceProps } from "./of";
import { of } from "./table";

interface LinesProps extends InvoiceProps {
	readonly onExplain: (figure: Figure) => void;
}

/** What is charged, with its sums; each figure leads to how it came about. */
export function InvoiceLines({ invoice, onExplain }: LinesProps) {
	const rows = invoice.lineItems.map((item, at) => ({ ...item, line: at + 1 }));
	return (
		<Card isFlush title={t.lines} text={t.linesText}>
			<Table
				label={t.lines}
				rows={rows}
				rowKey={({ line }) => String(line)}
				columns={[
					{ head: t.description, cell: ({ description }) => lineText(description ?? t.line) },
					{ head: t.quantity, isFigure: true, cell: ({ quantity }) => formatNumber(quantity) },
					{
						head: t.unitPrice,
						isFigure: true,
						isWide: true,
						cell: ({ unitPrice }) => formatMoney(of(invoice, unitPrice)),
					},
					{
						head: t.amount,
						isFigure: true,
						cell: ({ line, amount, description }) => (
							<FigureButton
								what={lineText(description ?? t.line)}
								amount={of(invoice, amount)}
								onClick={() => onExplain({ line })}
							/>
						),
					},
				]}
			/>
			<Sums invoice={invoice} onExplain={onExplain} />
		</Card>
	);
}

function Sums({ invoice, onExplain }: LinesProps) {
	const sums: readonly (readonly [string, number | null, Sum | undefined])[] = [
		[t.subtotal, invoice.subtotal, "subtotal"],
		...(invoice.discount ? [[t.discount, -invoice.discount, "discount"] as const] : []),
		[t.tax, invoice.tax, "tax"],
		[t.total, invoice.total, "total"],
		...(invoice.balanceApplied ? [[t.balanceApplied, -invoice.balanceApplied, undefined] as const] : []),
		...(invoice.amountCredited ? [[t.credited, -invoice.amountCredited, undefined] as const] : []),
		...(invoice.amountPaid ? [[t.paid, -invoice.amountPaid, undefined] as const] : []),
		[t.open, invoice.amountDue, "due"],
	];
	return (
		<dl className="sums">
			{sums.map(([name, amount, sum]) => (
				<div key={name} className={sum === "total" || sum === "due" ? "strong" : ""}>
					<dt>{name}</dt>
					<dd className="figure">
						{sum ? (
							<FigureButton what={name} amount={of(invoice, amount)} onClick={() => onExplain({ sum })} />
						) : (
							formatMoney(of(invoice, amount))
						)}
					</dd>
				</div>
			))}
		</dl>
	);
}

interface FigureButtonProps {
	readonly what: string;
	readonly amount: Amount | null;
	readonly onClick: () => void;
}

const FigureButton = ({ what, amount, onClick }: FigureButtonProps) => (
	<button
		type="button"
		className="link explained figure"
		aria-label={`${formatMoney(amount)}. ${t.explainFigure({ figure: what })}`}
		onClick={onClick}
	>
		{formatMoney(amount)}
	</button>
);
