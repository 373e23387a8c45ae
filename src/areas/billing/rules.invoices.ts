import type { Instant } from "../../kernel/clock";
import type { Period } from "../../kernel/period";
import { sumTotals, type Totals } from "../pricing/totals";
import { spanOf } from "./rules.billed";

/** A line that is due. */
interface DueLine extends Totals {
	readonly dueAt: Instant;
	readonly cycle: Period;
}

/** Lines that share an invoice, with their sums. */
export interface GroupedLines<Line> extends Totals {
	readonly dueAt: Instant;
	/** The span from the first start to the last end of the lines. */
	readonly period: Period;
	readonly lines: readonly Line[];
}

/** Groups lines that are due together and are invoiced alike, in order of time. */
export const groupIntoInvoices = <Line extends DueLine>(
	lines: readonly Line[],
	invoicedAlike: (line: Line) => string,
): GroupedLines<Line>[] =>
	[...Map.groupBy(lines, (line) => `${line.dueAt},${invoicedAlike(line)}`).values()]
		.map((together) => ({
			...sumTotals(together),
			dueAt: Math.min(...together.map((line) => line.dueAt)) as Instant,
			period: spanOf(together.map(({ cycle }) => cycle)),
			lines: together,
		}))
		.sort((one, other) => one.dueAt - other.dueAt);
