import { type Discount, type Item, isAlike, isOnce, type Minimum, type Rated, rate, type Side } from "./bill";
import type { Span } from "./calendar";
import type { Behavior } from "./price-list";
import type { Terms } from "./terms";

/** The charge of the current period. */
export interface Charged {
	readonly period: Span;
	/** The start of the charge; the time before it was settled separately. */
	readonly from: number;
	readonly currency: string;
	readonly items: readonly Item[];
	readonly discount: Discount | null;
	readonly tax: string | null;
	readonly minimum: Minimum | null;
	readonly isElsewhere: boolean;
	/** The charge of another system for this time that was offset. */
	readonly setAgainst: Charged | null;
}

export function chargedFor(
	items: readonly Item[],
	period: Span,
	from: number,
	side: Side,
	isElsewhere: boolean,
	setAgainst: Charged | null = null,
): Charged | null {
	const recurring = items.filter((item) => !isOnce(item));
	const [rated] = rate([{ ...side, items: recurring }]);
	if (!rated) return null;
	const own = rate([side]).find(({ currency }) => currency === rated.currency);
	const lines = own?.lines.filter(({ kind }) => kind === "minimum") ?? [];
	const paid = lines.reduce((sum, { amount }) => sum + amount, 0n);
	return {
		period,
		from,
		currency: rated.currency,
		items: recurring,
		discount: side.discount,
		tax: side.tax,
		minimum: lines.length === 0 ? null : { currency: rated.currency, paid, drawn: 0n },
		isElsewhere,
		setAgainst,
	};
}

/** Returns the charge after a change mid-cycle: the minimum is the total paid for it, less credits. */
export function rechargedFor(
	before: Charged | null,
	items: readonly Item[],
	period: Span,
	now: number,
	terms: Pick<Side, "discount" | "tax">,
	rated: readonly Rated[],
	setAgainst: Charged | null,
): Charged | null {
	const charged = chargedFor(items, period, before?.from ?? now, { ...terms, items }, false, setAgainst);
	if (!charged) return null;
	const former = before?.currency === charged.currency ? before.minimum : null;
	const own = rated.find(({ currency }) => currency === charged.currency);
	const lines = own?.lines.filter(({ kind }) => kind === "minimum") ?? [];
	if (lines.length === 0 && former === null) return { ...charged, minimum: null };
	const paid = lines.reduce((sum, { amount }) => sum + amount, former?.paid ?? 0n);
	return {
		...charged,
		minimum: { currency: charged.currency, paid, drawn: (former?.drawn ?? 0n) + (own?.drawn ?? 0n) },
	};
}

export function creditOf(charged: Charged | null, now: number, except: readonly Item[]): Side[] {
	if (!charged || now >= charged.period.end) return [];
	const items = charged.items
		.filter((item) => !item.isGivenBack && !item.keepsPaid && !except.some((one) => isAlike(one, item)))
		.map((item) => ({
			...item,
			isCredit: true,
			span: { start: Math.max(now, charged.period.start), end: charged.period.end },
			of: charged.period,
		}));
	return [{ items, discount: charged.discount, tax: charged.tax }];
}

/** Returns the charge of another system for the current period. */
export const elsewhereOf = (charged: Charged | null): Charged | null =>
	charged?.isElsewhere ? charged : (charged?.setAgainst ?? null);

/** An end credits only amounts paid here, not those of another system. */
export function creditAtEnd(charged: Charged | null, now: number): Side[] {
	const given = atEnd(creditOf(charged, now, []));
	const elsewhere = elsewhereOf(charged);
	if (!elsewhere || elsewhere.currency !== charged?.currency) return given;
	const kept = atEnd(creditOf(elsewhere, now, [])).map((side) => ({
		...side,
		items: side.items.map((item) => ({ ...item, isCredit: false })),
	}));
	const balance = rate([...given, ...kept]).reduce((sum, { total }) => sum + total, 0n);
	return kept.length === 0 ? given : balance < 0n ? [...given, ...kept] : [];
}

const atEnd = (sides: readonly Side[]): Side[] =>
	sides.map((side) => ({ ...side, items: side.items.map((item) => ({ ...item, isEnd: true })) }));

/** A minimum is paid as far as it was charged and not credited; the part that an end retains stays paid. */
export function afterCredits(charged: Charged, given: readonly Side[]): Charged {
	if (!charged.minimum) return charged;
	const own = rate(given).find(({ currency }) => currency === charged.currency);
	const back = own?.lines.filter(({ kind }) => kind === "minimum") ?? [];
	const { paid } = charged.minimum;
	return { ...charged, minimum: { ...charged.minimum, paid: back.reduce((sum, { amount }) => sum + amount, paid) } };
}

/**
 * Returns the charges that a pause leaves as they are: all of them if nothing is credited, else those that are never credited
 * and those that a caller has credited already.
 */
export function keptInPause(charged: Charged | null, given: readonly Side[], now: number, used: Side): Charged | null {
	if (!charged || charged.period.end <= now) return null;
	if (given.length === 0) return drawnFrom(charged, used);
	const items = charged.items.filter(({ keepsPaid, isGivenBack }) => keepsPaid || isGivenBack);
	return items.length === 0 ? null : { ...charged, items, minimum: null };
}

export function drawnFrom(charged: Charged, used: Side | undefined): Charged {
	const drawn = used ? (rate([used])[0]?.drawn ?? 0n) : 0n;
	if (!charged.minimum) return charged;
	return { ...charged, minimum: { ...charged.minimum, drawn: charged.minimum.drawn + drawn } };
}

/**
 * Returns the items that a change neither credits nor charges again. A fixed discount is spread over all items, so it
 * changes all that can be credited.
 */
export function unchangedOf(
	charged: Charged | null,
	items: readonly Item[],
	{ discount, tax }: Pick<Side, "discount" | "tax">,
): Item[] {
	if (!charged) return [];
	const alike = charged.items.filter((before) => items.some((item) => isAlike(before, item)));
	const hasSameTerms =
		discount?.amounts == null && charged.tax === tax && JSON.stringify(charged.discount) === JSON.stringify(discount);
	return hasSameTerms ? alike : alike.filter(({ keepsPaid }) => keepsPaid);
}

/** The charges and credits of a change, calculated at its request. */
export interface Planned {
	readonly at: number;
	readonly after: Terms;
	readonly behavior: Behavior;
	readonly anchor: "UNCHANGED" | "NOW" | undefined;
	/** It starts a billing cycle. */
	readonly resetsCycle: boolean;
	readonly reprices: boolean;
	readonly isAtRenewal: boolean;
	readonly isProrated: boolean;
	readonly anchorAt: number;
	readonly period: Span;
	/** The end of billed time before the change. */
	readonly billedUntil: number | null;
	readonly terms: Pick<Side, "discount" | "tax">;
	readonly given: readonly Side[];
	/** The items that the end of the period charges after it. */
	readonly arrears: readonly Item[];
	/** The items that are charged after it. */
	readonly charging: readonly Item[];
	readonly charges: Side;
	readonly setAgainst: Charged | null;
}
