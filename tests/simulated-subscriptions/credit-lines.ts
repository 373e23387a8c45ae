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

interface Place {
	readonly lines: readonly Line[];
	/** The amount that can still be credited. */
	readonly left: bigint;
}

/**
 * Deals credits to the documents that charged them, at most the rest of each. Charges of the same time go with the credit. What a
 * document cannot take goes to the first one with a rest; other charges go to the first one that gets anything.
 */
export function dealt(lines: readonly Line[], places: readonly Place[]): { parts: Line[][]; rest: Line[] } {
	const chargerOf = ({ charged }: Line): number =>
		charged === null
			? -1
			: places.findIndex((place) => place.lines.some((one) => one.charged === charged && one.amount >= 0n));
	const homeOf = (line: Line): number => {
		if (line.total <= 0n) return chargerOf(line);
		const replaced = lines.filter(
			(one) =>
				one.total < 0n &&
				chargerOf(one) >= 0 &&
				one.span?.start === line.span?.start &&
				one.span?.end === line.span?.end &&
				line.span !== null,
		);
		const alike = replaced.find(
			(one) => one.kind === line.kind && one.addon === line.addon && one.feature === line.feature,
		);
		const credit = alike ?? replaced[0];
		return credit ? chargerOf(credit) : -1;
	};
	const homes = lines.map(homeOf);
	let open = -sumOf(lines);
	const taken = places.map(({ left }, place) => {
		const own = -sumOf(lines.filter((_, nth) => homes[nth] === place));
		const amount = [left, own, open, 0n].toSorted((a, b) => (a < b ? -1 : 1));
		const least = own <= 0n || left <= 0n || open <= 0n ? 0n : (amount.find((one) => one > 0n) ?? 0n);
		open -= least;
		return least;
	});
	for (const [place, { left }] of places.entries()) {
		const free = left - (taken[place] ?? 0n);
		const more = free <= 0n || open <= 0n ? 0n : free < open ? free : open;
		taken[place] = (taken[place] ?? 0n) + more;
		open -= more;
	}
	const first = taken.findIndex((amount) => amount > 0n);
	if (first < 0) return { parts: places.map(() => []), rest: [...lines] };
	let pool = lines.map((line, nth) => ({ line, nth, home: homes[nth] ?? -1 }));
	const parts = places.map((_, place): Line[] => {
		const amount = taken[place] ?? 0n;
		if (amount === 0n) return [];
		// Charges stay with the document of their credit, the others go with the first.
		const comes = ({ line, home }: (typeof pool)[number]) =>
			line.total <= 0n || home === place || (place === first && (taken[home] ?? 0n) === 0n);
		const order = pool.filter(comes);
		const sorted = [
			...order.filter(({ home }) => home === place),
			...order.filter(({ home }) => home === -1 && home !== place),
			...order.filter(({ home }) => home >= 0 && home !== place).toSorted((a, b) => b.home - a.home || a.nth - b.nth),
		];
		let due = amount + sorted.reduce((sum, { line }) => (line.total > 0n ? sum + line.total : sum), 0n);
		const part: typeof pool = [];
		const rest = pool.filter((one) => !comes(one));
		for (const one of sorted) {
			const given = one.line.total < 0n ? -one.line.total : 0n;
			const size = given < due ? given : due;
			const [[own], [other]] =
				size === given ? [[one.line], []] : size === 0n ? [[], [one.line]] : cut([one.line], size);
			if (own) part.push({ ...one, line: own });
			if (other) rest.push({ ...one, line: other });
			due -= size;
		}
		pool = rest;
		return part.toSorted((a, b) => a.nth - b.nth).map(({ line }) => line);
	});
	return { parts, rest: pool.toSorted((a, b) => a.nth - b.nth).map(({ line }) => line) };
}

/** Rounds half away from zero. */
function nearest(over: bigint, under: bigint): bigint {
	const size = over < 0n ? -over : over;
	const whole = (2n * size + under) / (2n * under);
	return over < 0n ? -whole : whole;
}
