import { useQueries } from "@tanstack/react-query";
import type { LineExplanation } from "../../../areas/invoices/explain/schema";
import { CopyAsCurl } from "../../kit/copy";
import { DetailDialog } from "../../kit/dialog";
import { formatNumber } from "../../kit/format";
import { queryOf } from "../../kit/list";
import { Skeleton } from "../../kit/page";
import { Problem } from "../../kit/problem";
import { t } from "../../messages/invoices";
import { lineText } from "../../messages/shared/wordings";
import { amountIn, type InvoiceProps, pathOf, Sums } from "./amounts";
import { LineStory } from "./explain-line";

export type SumName = "subtotal" | "discount" | "tax" | "total" | "due";

const sumName = (sum: SumName): string => (sum === "due" ? t.open : t[sum]);

/** An amount of an invoice: of a line, by its number, or a sum. */
export interface Figure {
	readonly line?: number;
	readonly sum?: SumName;
	/** The sum that the person came from. */
	readonly from?: SumName;
}

interface ExplanationProps extends InvoiceProps {
	readonly figure: Figure | undefined;
	readonly onFigure: (figure: Figure | undefined) => void;
}

/** Explains an amount of the invoice, down to prices and usage. */
export const Explanation = ({ invoice, figure: shown, onFigure }: ExplanationProps) => (
	<DetailDialog item={shown} title={(figure) => titleOf(invoice, figure)} onClose={() => onFigure(undefined)}>
		{({ line, sum, from }) =>
			line === undefined ? (
				<SumStory invoice={invoice} sum={sum ?? "total"} onFigure={onFigure} />
			) : (
				<OneLine invoice={invoice} line={line} from={from} onFigure={onFigure} />
			)
		}
	</DetailDialog>
);

function titleOf({ lineItems }: InvoiceProps["invoice"], { line, sum = "total" }: Figure): string {
	if (line === undefined) return t.explainSum({ what: sumName(sum) });
	return t.explain({ what: lineText(lineItems[line - 1]?.description ?? t.line) });
}

const explainPath = ({ invoice }: InvoiceProps, line: number) => `${pathOf(invoice)}/lines/${line}/explain`;

/** Reads the explanations of lines. An issued line never changes, so it is read once. */
const useLines = (invoice: InvoiceProps["invoice"], lines: readonly number[]) =>
	useQueries({
		queries: lines.map((line) => ({
			...queryOf<LineExplanation>(explainPath({ invoice }, line)),
			staleTime: invoice.state === "DRAFT" ? 0 : Number.POSITIVE_INFINITY,
		})),
	});

interface OneLineProps extends InvoiceProps {
	readonly line: number;
	readonly from: SumName | undefined;
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
						{t.back({ what: sumName(from) })}
					</button>
				)}
				<CopyAsCurl path={explainPath({ invoice }, line)} />
			</footer>
		</>
	);
}

interface SumStoryProps extends InvoiceProps {
	readonly sum: SumName;
	readonly onFigure: (figure: Figure) => void;
}

/** A sum of more lines shows the first ones. */
const linesReadMax = 50;

function SumStory({ invoice, sum, onFigure }: SumStoryProps) {
	if (sum === "total")
		return (
			<Calculation
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
			<Calculation
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
		<Calculation
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

interface CalculationProps extends InvoiceProps {
	readonly says: string;
	readonly parts: readonly (readonly [name: string, amount: number, onExplain: (() => void) | undefined])[];
	readonly result: readonly [name: string, amount: number];
}

const Calculation = ({ says, parts, result, invoice }: CalculationProps) => (
	<>
		<p className="quiet">{says}</p>
		<Sums
			isWhole
			of={[
				...parts.map(([name, amount, onExplain]) => ({ name, amount: amountIn(invoice, amount), onExplain })),
				{ name: result[0], amount: amountIn(invoice, result[1]), isStrong: true },
			]}
		/>
		{invoice.lineItems.length > linesReadMax && <p className="small quiet">{formatNumber(linesReadMax)} …</p>}
	</>
);
