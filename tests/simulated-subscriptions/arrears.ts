/**
 * Fees and units that the end of a period charges, from docs/pricing.md: one line for each stretch of unchanged terms. It imports
 * nothing of `src`.
 */
import { type Item, isAlike } from "./bill";
import type { Span } from "./calendar";
import type { Charged, Planned } from "./charged";
import { subjectOf } from "./terms";

/** A charge in arrears on its current terms. */
export interface Running {
	readonly item: Item;
	/** The start of the time that no bill has charged. Later than now: something else pays for the time before it. */
	readonly from: number;
	/** A charge in advance of the former plan pays for the time before `from`. */
	readonly isPaidAhead?: boolean;
}

/** Returns an item for each charge that has unbilled time before an instant. `isLast`: nothing follows it. */
export const stretchesOf = (
	running: readonly Running[],
	until: number,
	periodAt: (at: number) => Span,
	isLast = false,
): Item[] =>
	running
		.filter(({ from }) => from < until)
		.map(({ item, from }) => {
			const period = periodAt(from);
			const isWhole = from <= period.start && until >= period.end;
			return {
				...item,
				span: { start: from, end: until },
				...(!isWhole && { of: period }),
				...(isLast && { isLast: true as const }),
			};
		});

/** Returns the charges of a period that begins. Those that something else pays for stay postponed. */
export const begun = (
	before: readonly Running[],
	items: readonly Item[],
	now: number,
	paidUntil: (item: Item) => number | undefined = () => undefined,
): Running[] =>
	items.map((item) => {
		const until = paidUntil(item);
		const former = before.find((one) => subjectOf(one.item) === subjectOf(item));
		const isPaidAhead = until !== undefined || (former?.isPaidAhead ?? false);
		return { item, from: Math.max(now, former?.from ?? now, until ?? now), ...(isPaidAhead && { isPaidAhead }) };
	});

/** Returns the charges whose terms a change ends. */
export const changedBy = (before: readonly Running[], items: readonly Item[]): Running[] =>
	before.filter((one) => !items.some((item) => isAlike(item, one.item)));

/**
 * Returns the charges that run after a change: on unchanged terms they go on. Time that something else pays for stays postponed, unless
 * the change credits it.
 */
export function arrearsAfter(
	now: number,
	{ arrears: before, charged }: { readonly arrears: readonly Running[]; readonly charged: Charged | null },
	{ arrears: items, given, resetsCycle, period }: Pick<Planned, "arrears" | "given" | "resetsCycle" | "period">,
): Running[] {
	const credited = given.flatMap((side) => side.items.map(subjectOf));
	return items.map((item): Running => {
		const subject = subjectOf(item);
		const former = before.find((one) => subjectOf(one.item) === subject);
		if (former && !(former.isPaidAhead && credited.includes(subject))) {
			if (!resetsCycle && isAlike(former.item, item)) return former;
			return { ...former, item, from: Math.max(now, former.from) };
		}
		// A charge in advance that is never credited pays for the rest of its period.
		const isPaidAhead =
			!resetsCycle &&
			(charged?.items.some((one) => one.keepsPaid && !one.isGivenBack && subjectOf(one) === subject) ?? false);
		return isPaidAhead ? { item, from: period.end, isPaidAhead } : { item, from: now };
	});
}
