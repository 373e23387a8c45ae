import { useQueries } from "@tanstack/react-query";
import type { LineExplanation } from "../../../areas/invoices/explain/schema";
import { get } from "../../api";
import { CopyAsCurl } from "../../kit/copy";
import { Dialog } from "../../kit/dialog";
import { formatMoney, formatNumber } from "../../kit/format";
import { Skeleton } from "../../kit/page";
import { Problem } from "../../kit/problem";
import { t } from "../../messages/invoices";
import { lineText } from "../../messages/shared/wordings";
import { LineStory } from "./explain-line";
import { type InvoiceProps, pathOf } from "./of";
import { of } from "./table";

export type Sum = "subtotal" | "discount" | "tax" | "total" | "due";

/** Of a line, by its number, or under all of them. */
export interface Figure {
	readonly line?: number;
	readonly sum?: Sum;
	/** Where one came from. */
	readonly from?: Sum;
}

interface ExplanationProps extends InvoiceProps {
	readonly figure: Figure | undefined;
	readonly onFigure: (figure: Figure | undefined) => void;
}

/** Beside the invoice: how a figure came about, down to the price and the usage. */
export function Explanation({ invoice, figure, onFigure }: ExplanationProps) {
	const line = figure?.line;
	const what =
		line === undefined ? t[figure?.sum ?? "total"] : lineText(invoice.lineItems[line - 1]?.description ?? t.line);
	return (
		<Dialog
			kind="drawer"
			title={(line === undefined ? t.explainTotal : t.explain)({ what })}
			isOpen={figure !== undefined}
			onClose={() => onFigure(undefined)}
		>
			{figure?.sum && <SumStory invoice={invoice} sum={figure.sum} onFigure={onFigure} />}
			{line !== undefined && <OneLine invoice={invoice} line={line} from={figure?.from} onFigure={onFigure} />}
		</Dialog>
	);
}

const explainPath = ({ invoice }: InvoiceProps, line: number) => `${pathOf(invoice)}/lines/${line}/explain`;

/** Of these lines, in their order; a line of the invoice is never changed, so that it is asked for once. */
const useLines = (invoice: InvoiceProps["invoice"], lines: readonly number[]) =>
	useQueries({
		queries: lines.map((line) => ({
			queryKey: [explainPath({ invoice }, line)],
			queryFn: async () => (await get<{ data: LineExplanation }>(explainPath({ invoice }, line))).data,
			staleTime: invoice.state === "DRAFT" ? 0 : Number.POSITIVE_INFINITY,
		})),
	});

interface OneLineProps extends InvoiceProps {
	readonly line: number;
	readonly from: Sum | undefined;
	readonly onFigure: (figure: Figure) => void;
}

function OneLine({ invoice, line, from, onFigure }: OneLineProps) {
	const [found] = useLines(invoice, [line]);
	if (!found || found.error) return <Problem error={found?.error} />;
	if (!found.data) return <Skeleton lines={6} />;
	return (
		<>
			<LineStory line={found.data} />
			<footer>
				{from && (
					<button type="button" onClick={() => onFigure({ sum: from })}>
						{t.back({ what: t[from] })}
					</button>
				)}
				<CopyAsCurl path={explainPath({ invoice }, line)} />
			</footer>
		</>
	);
}

interface SumStoryProps extends InvoiceProps {
	readonly sum: Sum;
	readonly onFigure: (figure: Figure) => void;
}

/** Our choice: so many lines are read at once for one sum; longer invoices show the first. */
const linesReadMax = 50;

function SumStory({ invoice, sum, onFigure }: SumStoryProps) {
	if (sum === "total")
		return (
			<Reckoning
				says={t.totalIs}
				invoice={invoice}
				parts={[
					[t.subtotal, invoice.subtotal ?? 0, () => onFigure({ sum: "subtotal" })],
					[t.discount, -(invoice.discount ?? 0), () => onFigure({ sum: "discount" })],
					[t.tax, invoice.tax ?? 0, () => onFigure({ sum: "tax" })],
				]}
				result={[t.total, invoice.total ?? 0]}
			/>
		);
	if (sum === "due")
		return (
			<Reckoning
				says={t.dueIs}
				invoice={invoice}
				parts={[
					[t.total, invoice.total ?? 0, () => onFigure({ sum: "total" })],
					[t.credited, -invoice.amountCredited, undefined],
					[t.balanceApplied, -invoice.balanceApplied, undefined],
					[t.paid, -invoice.amountPaid, undefined],
				]}
				result={[t.open, invoice.amountDue]}
			/>
		);
	return <SumOfLines invoice={invoice} sum={sum} onFigure={onFigure} />;
}

const shareOf = { subtotal: "amount", discount: "discount", tax: "tax" } as const;

function SumOfLines({ invoice, sum, onFigure }: SumStoryProps & { readonly sum: keyof typeof shareOf }) {
	const lines = invoice.lineItems.slice(0, linesReadMax).map((_, at) => at + 1);
	const found = useLines(invoice, lines);
	const error = found.find((one) => one.error)?.error;
	if (error) return <Problem error={error} />;
	if (found.some((one) => !one.data)) return <Skeleton lines={4} />;
	return (
		<Reckoning
			says={t.sumOf}
			invoice={invoice}
			parts={found.map(({ data }, at) => [
				lineText(data?.description ?? t.line),
				data?.[shareOf[sum]] ?? 0,
				() => onFigure({ line: at + 1, from: sum }),
			])}
			result={[t[sum], invoice[sum] ?? 0]}
		/>
	);
}

interface ReckoningProps extends InvoiceProps {
	readonly says: string;
	readonly parts: readonly (readonly [name: string, amount: number, lead: (() => void) | undefined])[];
	readonly result: readonly [name: string, amount: number];
}

const Reckoning = ({ says, parts, result, invoice }: ReckoningProps) => (
	<>
		<p className="quiet">{says}</p>
		<dl className="sums whole">
			{parts.map(([name, amount, lead], at) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: lines of one name are told apart by their place.
				<div key={at}>
					<dt>{name}</dt>
					<dd className="figure">
						{lead ? (
							<button
								type="button"
								className="link explained figure"
								aria-label={`${formatMoney(of(invoice, amount))}. ${t.explainFigure({ figure: name })}`}
								onClick={lead}
							>
								{formatMoney(of(invoice, amount))}
							</button>
						) : (
							formatMoney(of(invoice, amount))
						)}
					</dd>
				</div>
			))}
			<div className="strong">
				<dt>{result[0]}</dt>
				<dd className="figure">{formatMoney(of(invoice, result[1]))}</dd>
			</div>
		</dl>
		{invoice.lineItems.length > linesReadMax && <p className="small quiet">{formatNumber(linesReadMax)} …</p>}
	</>
);
