/** The lines of credit notes, cut to the rest of an invoice. Credited lines are negative. */
import type { Line } from "./bill";

export const negative = (line: Line): Line => ({
	...line,
	amount: -line.amount,
	discount: -line.discount,
	tax: -line.tax,
	total: -line.total,
});

/** Returns the credited amount of a document, one line for each tax rate. */
export const creditedByTaxRate = (given: readonly Line[]): Line[] =>
	[...Map.groupBy(given, ({ taxPercentage }) => taxPercentage)].map(([taxPercentage, lines]) => {
		const sum = (part: (line: Line) => bigint) => lines.reduce((whole, line) => whole - part(line), 0n);
		return {
			addon: null,
			feature: null,
			kind: "advance",
			quantity: null,
			unitPrice: null,
			span: null,
			amount: sum(({ amount }) => amount),
			discount: sum(({ discount }) => discount),
			tax: sum(({ tax }) => tax),
			total: sum(({ total }) => total),
			taxPercentage,
			charged: null,
		};
	});

export const sumOf = (lines: readonly Line[]): bigint => lines.reduce((sum, { total }) => sum + total, 0n);

/**
 * Returns lines that credit an amount, and the retained rest. The last line is cut, with its tax and discount in
 * proportion.
 */
export function cut(lines: readonly Line[], amount: bigint): [Line[], Line[]] {
	let open = amount + lines.reduce((sum, { total }) => (total >= 0n ? sum + total : sum), 0n);
	const [part, rest]: [Line[], Line[]] = [[], []];
	for (const line of lines) {
		const given = -line.total;
		if (given <= 0n || given <= open) part.push(line);
		else if (open <= 0n) rest.push(line);
		else {
			const of = (value: bigint) => nearest(value * open, given);
			const [tax, discount] = [of(line.tax), of(line.discount)];
			const first = { ...line, unitPrice: null, tax, discount, total: -open, amount: -open - tax + discount };
			part.push(first);
			rest.push({
				...first,
				tax: line.tax - tax,
				discount: line.discount - discount,
				total: line.total + open,
				amount: line.amount - first.amount,
			});
		}
		if (given > 0n) open = open > given ? open - given : 0n;
	}
	return [part, rest];
}

/** Rounds half away from zero. */
function nearest(over: bigint, under: bigint): bigint {
	const size = over < 0n ? -over : over;
	const whole = (2n * size + under) / (2n * under);
	return over < 0n ? -whole : whole;
}
