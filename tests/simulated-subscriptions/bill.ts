/**
 * Rates a bill in exact fractions, from the READMEs of pricing and subscriptions. It imports nothing of `src`: the
 * pricing oracle rates one invoice, and this file builds the sides of a bill.
 */
import { digitsOf, type ExactCharge, type ExactItem, rateInvoiceExactly } from "../support/oracle/pricing";
import { dayMs, type Span, thirtyDayNumber } from "./calendar";
import type { DatedMode, ListedCoupon } from "./price-list";

export type Discount = Pick<ListedCoupon, "percent" | "amounts">;

export interface Item extends Omit<ExactItem, "share"> {
	readonly addon: string | null;
	readonly feature: string | null;
	readonly span: Span | null;
	/** The charged part of a whole period. */
	readonly of?: Span;
	/** How the part counts; missing: by time. */
	readonly by?: DatedMode;
	/** Its unused time is never credited. */
	readonly keepsPaid?: true;
	/** A part costs the whole. */
	readonly isWhole?: true;
	/** Nothing follows the charge that it credits. */
	readonly isEnd?: true;
	/** Nothing follows the stretch that it charges in arrears. */
	readonly isLast?: true;
	/** The charge before a pause pays for the date on which this time began. */
	readonly paidUntil?: number;
	/** The id of a charge in advance, to find its credits. */
	readonly charged?: number;
	/** It was credited manually. */
	readonly isGivenBack?: true;
}

export interface Side {
	readonly items: readonly Item[];
	readonly discount: Discount | null;
	readonly tax: string | null;
	readonly minimum?: Minimum | null;
}

/** Whole minor units. */
export interface Minimum {
	readonly currency: string;
	readonly paid: bigint;
	readonly drawn: bigint;
}

/** Amounts are whole minor units; a credit is negative. */
export interface Line {
	readonly addon: string | null;
	readonly feature: string | null;
	readonly kind: "advance" | "once" | "usage" | "true-up" | "minimum" | "drawn";
	readonly quantity: string | null;
	readonly unitPrice: string | null;
	readonly span: Span | null;
	readonly amount: bigint;
	readonly discount: bigint;
	readonly tax: bigint;
	readonly total: bigint;
	readonly taxPercentage: string | null;
	readonly charged: number | null;
}

/** An issued document. */
export interface Issued {
	readonly kind: "invoice" | "credit note";
	readonly subscription: string;
	readonly at: number;
	readonly dueAt: number | null;
	readonly reason: string;
	readonly currency: string;
	readonly lines: readonly Line[];
}

export interface Rated {
	readonly currency: string;
	readonly lines: readonly Line[];
	readonly total: bigint;
	readonly drawn: bigint;
}

export interface Pending {
	readonly currency: string;
	readonly lines: readonly Line[];
}

export const majorOf = (minor: bigint, currency: string): string => {
	const places = digitsOf(currency);
	if (places === 0) return String(minor);
	const digits = String(minor < 0n ? -minor : minor).padStart(places + 1, "0");
	return `${minor < 0n ? "-" : ""}${digits.slice(0, -places)}.${digits.slice(-places)}`;
};

const currencyOf = ({ price, tiers }: ExactCharge): string | undefined =>
	price?.currency ?? tiers?.map(({ unitPrice, flatPrice }) => (unitPrice ?? flatPrice)?.currency).find(Boolean);

export const isOnce = ({ charge }: Item): boolean => charge.billingCadence === "ONE_OFF";
const isUsage = ({ charge }: Item): boolean => charge.billingModel === "USAGE_BASED";

/** Returns one part for each currency, without empty ones. */
export function rate(sides: readonly Side[], pending: readonly Pending[] = []): Rated[] {
	const parts = [...pending.map(({ currency, lines }) => ({ currency, lines, drawn: 0n })), ...sides.flatMap(rateSide)];
	const currencies = [...new Set(parts.map(({ currency }) => currency))];
	return currencies
		.map((currency) => {
			const own = parts.filter((part) => part.currency === currency);
			const lines = own.flatMap((part) => part.lines);
			return {
				currency,
				lines,
				total: lines.reduce((sum, { total }) => sum + total, 0n),
				drawn: own.reduce((sum, { drawn }) => sum + drawn, 0n),
			};
		})
		.filter(({ lines }) => lines.length > 0);
}

/** A fixed discount applies to recurring items; only without them, to usage and one-time items. */
function rateSide(side: Side): Array<Omit<Rated, "total">> {
	const isFixed = side.discount?.amounts != null;
	const recurring = side.items.filter((item) => !isOnce(item) && !isUsage(item));
	if (!isFixed || recurring.length === 0) return rateAlike(side);
	const others = side.items.filter((item) => isOnce(item) || isUsage(item));
	return [
		...rateAlike({ ...side, items: recurring, minimum: null }),
		...rateAlike({ ...side, items: others, discount: null }),
	];
}

function rateAlike({ items, discount, tax, minimum = null }: Side): Array<Omit<Rated, "total">> {
	const currency = items.map(({ charge }) => currencyOf(charge)).find(Boolean);
	if (currency === undefined) return [];
	const charged = items.filter((item) => !(item.isCredit && isOnce(item)));
	const rated = rateInvoiceExactly({
		currency,
		items: charged.map(
			({ span, of, by, isEnd, isLast, paidUntil, charged: _, isGivenBack: __, keepsPaid: ___, isWhole, ...item }) => ({
				...item,
				...(of && span && !isWhole && { share: shareOf(of, span, by, { isEnd, isLast, paidUntil }) }),
			}),
		),
		coupon: discount && { percentOff: discount.percent, amountsOff: discount.amounts },
		taxPercentage: tax,
		minimumSpendPaid:
			minimum?.currency === currency
				? { amount: majorOf(minimum.paid, currency), drawn: majorOf(minimum.drawn, currency) }
				: null,
	});
	const lines = rated.lines.map((line, at): Line => {
		const item = charged[at];
		return {
			addon: item?.addon ?? null,
			feature: item?.feature ?? null,
			kind: !item
				? "drawn"
				: item.charge.billingModel === "MINIMUM_SPEND"
					? "minimum"
					: isUsage(item)
						? item.isTrueUp
							? "true-up"
							: "usage"
						: isOnce(item)
							? "once"
							: "advance",
			quantity: line.quantity,
			unitPrice: line.unitPrice,
			span: item?.span ?? null,
			amount: BigInt(line.amount),
			discount: BigInt(line.discount),
			tax: BigInt(line.tax),
			total: BigInt(line.total),
			taxPercentage: tax,
			charged: item?.charged ?? null,
		};
	});
	return [{ currency, lines, drawn: BigInt(rated.minimumDrawdown) }];
}

/** Prorates items for the rest of a period; one-time items stay whole. */
export const restOf = (items: readonly Item[], period: Span, from: number): Item[] =>
	items.map((item) =>
		isOnce(item) || from <= period.start ? item : { ...item, span: { start: from, end: period.end }, of: period },
	);

/**
 * Returns the part of a period: in milliseconds, or in dates. The date of an end counts as used unless it ends at midnight: the
 * credit of what ends begins after it, and its last stretch includes it.
 */
function shareOf(
	of: Span,
	{ start, end }: Span,
	by: DatedMode | undefined,
	{ isEnd = false, isLast = false, paidUntil }: Edges,
) {
	if (!by) return { partMs: end - start, wholeMs: of.end - of.start };
	const [first, last] = [numberOf(by, of.start), numberOf(by, of.end)];
	const after = (at: number, isUsed: boolean) => Math.min(last, isUsed ? numberAfter(by, at) : numberOf(by, at));
	const from = Math.max(after(start, isEnd), paidUntil === undefined ? first : after(paidUntil, true));
	return { partMs: after(end, isLast) - from, wholeMs: last - first };
}

interface Edges {
	readonly isEnd?: boolean | undefined;
	readonly isLast?: boolean | undefined;
	readonly paidUntil?: number | undefined;
}

const numberOf = (by: DatedMode, at: number): number =>
	by === "BY_DAY" ? Math.floor(at / dayMs) : thirtyDayNumber(at);
/** Returns the number of the first date after an end. */
const numberAfter = (by: DatedMode, at: number): number => numberOf(by, at) + (at % dayMs === 0 ? 0 : 1);

/** Returns the first instant from a time on whose date was not used before an end. */
export function firstUnused(by: DatedMode, end: number, from: number): number {
	let at = from;
	while (numberOf(by, at) < numberAfter(by, end)) at = (Math.floor(at / dayMs) + 1) * dayMs;
	return at;
}

/** Whether two items charge the same item, quantity and price. */
export const isAlike = (one: Item, other: Item): boolean => alikeKey(one) === alikeKey(other);
export const alikeKey = ({ charge, quantity, addon, feature }: Item): string =>
	JSON.stringify([charge, quantity, addon, feature]);
