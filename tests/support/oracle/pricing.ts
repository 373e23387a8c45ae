/**
 * Calculates the totals of an invoice independently: in exact fractions and whole minor units, from the sentences of the
 * pricing area's README and of docs/interface/invoices.md. It imports nothing of `src`, so that a mistake there is not
 * made here too. Its input has the shape of `rateInvoice`'s, with plain strings for decimals.
 */
import { add, ceiling, compare, less, parse, type Rational, ratio, rounded, smaller, times, total } from "./rational";

interface ExactPrice {
	readonly amount: string;
	readonly currency: string;
}

export interface ExactCharge {
	readonly billingModel: "FLAT_FEE" | "PER_UNIT" | "USAGE_BASED" | "CREDIT_BASED" | "MINIMUM_SPEND";
	readonly billingCadence?: "RECURRING" | "ONE_OFF";
	readonly isOverage?: boolean;
	readonly price: ExactPrice | null;
	readonly tiersMode: "VOLUME" | "GRADUATED" | null;
	readonly tiers:
		| readonly {
				readonly upTo: string | null;
				readonly unitPrice: ExactPrice | null;
				readonly flatPrice: ExactPrice | null;
		  }[]
		| null;
	readonly blockSize: string | null;
	/** The least and the greatest cost of a whole window of usage. */
	readonly lowest?: string;
	readonly highest?: string;
	/** An unused window costs the flat price of the first tier. */
	readonly chargesUnused?: true;
}

export interface ExactItem {
	readonly charge: ExactCharge;
	readonly quantity: string;
	readonly share?: { readonly partMs: number; readonly wholeMs: number };
	readonly isCredit?: boolean;
	readonly unitTransformation?: { readonly divide: string; readonly round: "UP" | "DOWN" } | null;
	readonly limit?: string | null;
	readonly billed?: string;
	/** The bill ends the window, or an earlier one did. The share of a whole window that it lasts. */
	readonly ended?: {
		readonly at: "now" | "before";
		readonly share: { readonly partMs: number; readonly wholeMs: number };
	};
	/** The line charges what the window lacks to its least cost. */
	readonly isTrueUp?: true;
}

export interface ExactInput {
	readonly currency: string;
	readonly items: readonly ExactItem[];
	readonly coupon?: {
		readonly percentOff: string | null;
		readonly amountsOff: readonly ExactPrice[] | null;
	} | null;
	readonly taxPercentage?: string | null;
	readonly minimumSpendPaid?: { readonly amount: string; readonly drawn?: string } | null;
}

/** Amounts in whole minor units, as integers in plain digits. */
export interface ExactFigures {
	readonly amount: string;
	readonly discount: string;
	readonly tax: string;
	readonly total: string;
}

export interface ExactLine extends ExactFigures {
	/** In plain digits; null where nothing is counted. */
	readonly quantity: string | null;
	readonly unitPrice: string | null;
}

export interface ExactInvoice {
	readonly lines: readonly ExactLine[];
	/** `amount` is the subtotal. */
	readonly sums: ExactFigures;
	readonly minimumDrawdown: string;
	/** Usage and overage, before minimum spend, discount and tax. */
	readonly onDemand: string;
}

const nought = ratio(0);
const one = ratio(1);
const hundredth = ratio(1, 100);
const isAbove = (value: Rational, bound: Rational) => compare(value, bound) > 0n;
const larger = (value: Rational, other: Rational) => (isAbove(value, other) ? value : other);
const least = (units: bigint, other: bigint) => (units - other < 0n ? units : other);
const over = (value: Rational, divisor: Rational) => times(value, ratio(divisor.under, divisor.over));

/** Source: ISO 4217, the currencies without a minor unit, and those with three digits of it. */
const withoutMinorUnit = new Set(
	"bif clp djf gnf isk jpy kmf krw pyg rwf ugx uyi vnd vuv xaf xof xpf".toUpperCase().split(" "),
);
const withThreeDigits = new Set("bhd iqd jod kwd lyd omr tnd".toUpperCase().split(" "));

/** The number of decimal digits of the minor unit. */
export function digitsOf(currency: string): number {
	const code = currency.toUpperCase();
	if (withThreeDigits.has(code)) return 3;
	return withoutMinorUnit.has(code) ? 0 : 2;
}

/** Whole minor units of an amount in major units, half up and away from zero. */
function toMinor(amount: Rational, digits: number): bigint {
	const { over: units, under } = times(rounded(amount, digits), ratio(10n ** BigInt(digits)));
	return units / under;
}

/** A line before discount and tax; as a charge, even where it is a credit. */
interface Charged {
	readonly quantity: Rational | null;
	readonly unitPrice: Rational | null;
	readonly minor: bigint;
	/** Null: not parted by time. */
	readonly share: Rational | null;
	readonly isCredit: boolean;
	readonly isOnDemand: boolean;
}

export function rateInvoiceExactly(input: ExactInput): ExactInvoice {
	const digits = digitsOf(input.currency);
	const items = input.items.filter(
		({ charge, isCredit }) => costsMoney(charge) && !(isCredit && charge.billingCadence === "ONE_OFF"),
	);
	const charged = items.map((item) => chargeOf(item, digits));
	const onDemand = charged
		.filter(({ isOnDemand }) => isOnDemand)
		.reduce((sum, { minor, isCredit }) => sum + (isCredit ? -minor : minor), 0n);
	const drawn = drawnFrom(input.minimumSpendPaid ?? null, onDemand, digits);
	if (drawn > 0n) charged.push({ ...uncounted, minor: -drawn });
	const discounts = discountsOf(charged, input.coupon ?? null, input.currency, digits);
	const taxed = parse(input.taxPercentage ?? "0");
	const figures = charged.map(({ minor, isCredit }, at) => {
		const sign = isCredit ? -1n : 1n;
		const discount = discounts[at] ?? 0n;
		const tax = toMinor(times(ratio(minor - discount), times(taxed, hundredth)), 0);
		return [minor, discount, tax, minor - discount + tax].map((figure) => figure * sign);
	});
	const lines = charged.map(({ quantity, unitPrice }, at) => ({
		quantity: quantity && finite(quantity),
		unitPrice: unitPrice && finite(unitPrice),
		...named(figures[at] ?? []),
	}));
	const sums = [0, 1, 2, 3].map((column) => figures.reduce((sum, row) => sum + (row[column] ?? 0n), 0n));
	return { lines, sums: named(sums), minimumDrawdown: String(drawn), onDemand: String(onDemand) };
}

const named = ([amount = 0n, discount = 0n, tax = 0n, whole = 0n]: readonly bigint[]): ExactFigures => ({
	amount: String(amount),
	discount: String(discount),
	tax: String(tax),
	total: String(whole),
});

const uncounted = { quantity: null, unitPrice: null, share: null, isCredit: false, isOnDemand: false };

/** Prices in credits alone make no line. */
const costsMoney = ({ price, tiers }: ExactCharge) =>
	price !== null || (tiers ?? []).some(({ unitPrice, flatPrice }) => unitPrice !== null || flatPrice !== null);

function chargeOf(item: ExactItem, digits: number): Charged {
	const { charge, share, isCredit = false } = item;
	if (charge.billingModel === "USAGE_BASED") return { ...usageOf(item, digits), isCredit };
	const { quantity, unitPrice, cost } = whole(charge, parse(item.quantity));
	const parted = charge.billingCadence === "ONE_OFF" || !share ? null : ratio(share.partMs, share.wholeMs);
	const minor = toMinor(times(cost, parted ?? one), digits);
	return { quantity, unitPrice, minor, share: parted, isCredit, isOnDemand: false };
}

/** The window so far, rounded, less what was billed of it, rounded. What shrank below what was billed adds nothing. */
function usageOf({ charge, quantity, billed = "0", ...terms }: ExactItem, digits: number): Charged {
	if (terms.isTrueUp)
		return { ...uncounted, minor: trueUpOf({ charge, quantity, billed, ...terms }), isOnDemand: true };
	const reached = larger(parse(quantity), parse(billed));
	const now = costOfWindow({ charge, ...terms }, reached, digits, terms.ended !== undefined);
	const before = costOfWindow({ charge, ...terms }, parse(billed), digits, terms.ended?.at === "before");
	if (!now?.quantity || !before?.quantity) throw new Error("Usage is counted.");
	const minor = toMinor(now.cost, digits) - toMinor(before.cost, digits);
	const added = less(now.quantity, before.quantity);
	const isWhole = before.quantity.over === 0n && toMinor(before.cost, digits) === 0n;
	const isUnitPriceShown =
		now.unitPrice !== null && (isWhole || toMinor(times(now.unitPrice, added), digits) === minor);
	return { ...uncounted, quantity: added, unitPrice: isUnitPriceShown ? now.unitPrice : null, minor, isOnDemand: true };
}

/**
 * Returns the cost of a window at a quantity: its price, at most the greatest cost. An earlier end has charged at least the
 * part of the least cost.
 */
function costOfWindow(item: Omit<ExactItem, "quantity">, usage: Rational, digits: number, isEnded: boolean) {
	const { charge } = item;
	const units = pricedUnits(charge, usage, item);
	const flat = charge.tiers?.[0]?.flatPrice?.amount ?? "0";
	const isUnused = isEnded && charge.chargesUnused && charge.tiers && units.over === 0n;
	const priced = isUnused ? { quantity: units, unitPrice: null, cost: parse(flat) } : whole(charge, units);
	const most = charge.highest === undefined ? priced.cost : smaller(priced.cost, parse(charge.highest));
	const cost = item.ended?.at === "before" && isEnded ? larger(most, leastOf(item, digits)) : most;
	return compare(cost, priced.cost) === 0n ? priced : { ...priced, unitPrice: null, cost };
}

/** The least cost of a part of a window, rounded to a minor unit. */
function leastOf({ charge, ended }: Pick<ExactItem, "charge" | "ended">, digits: number): Rational {
	const { partMs = 1, wholeMs = 1 } = ended?.share ?? {};
	return rounded(times(parse(charge.lowest ?? "0"), ratio(partMs, wholeMs)), digits);
}

/** Returns what a window that ends lacks to its least cost, in whole minor units. */
export function trueUpOf({ quantity, billed = "0", ...item }: ExactItem): bigint {
	const digits = digitsOf(currencyOf(item.charge));
	const { cost } = costOfWindow(item, larger(parse(quantity), parse(billed)), digits, true);
	const missing = toMinor(leastOf(item, digits), digits) - toMinor(cost, digits);
	return missing > 0n ? missing : 0n;
}

const currencyOf = ({ price, tiers }: ExactCharge): string =>
	[price, ...(tiers ?? []).flatMap(({ unitPrice, flatPrice }) => [unitPrice, flatPrice])].find((one) => one !== null)
		?.currency ?? "";

/** Reported usage is divided and rounded to whole units; overage is what lies beyond the limit, in those units. */
function pricedUnits(
	charge: ExactCharge,
	usage: Rational,
	{ unitTransformation = null, limit = "0" }: Pick<ExactItem, "unitTransformation" | "limit">,
): Rational {
	const divided = unitTransformation === null ? usage : over(usage, parse(unitTransformation.divide));
	const units =
		unitTransformation === null ? usage : unitTransformation.round === "UP" ? ceiling(divided) : floor(divided);
	if (!charge.isOverage) return larger(units, nought);
	return limit === null ? nought : larger(less(units, parse(limit)), nought);
}

const floor = (value: Rational) => times(ratio(-1), ceiling(times(ratio(-1), value)));

/** One whole period of a charge, exact, and how the line counts it. */
function whole(charge: ExactCharge, units: Rational) {
	const price = parse(charge.price?.amount ?? "0");
	const { billingModel, blockSize, tiers } = charge;
	if (billingModel === "MINIMUM_SPEND") return { quantity: null, unitPrice: null, cost: price };
	if (billingModel === "FLAT_FEE") return { quantity: units, unitPrice: price, cost: times(price, units) };
	const size = blockSize === null ? null : parse(blockSize);
	const blocks = size && ceiling(over(units, size));
	if (tiers && tiers.length > 0)
		return { quantity: units, unitPrice: null, cost: tieredCost(charge, size && blocks ? times(size, blocks) : units) };
	const counted = blocks ?? units;
	const isByUnit = size === null || compare(size, one) === 0n;
	return {
		quantity: isByUnit ? counted : units,
		unitPrice: isByUnit ? price : null,
		cost: times(price, counted),
	};
}

/** Graduated: each slice at its own tier; volume: all at the tier reached. Flat prices once; nothing costs nothing. */
function tieredCost({ tiers, tiersMode }: ExactCharge, units: Rational): Rational {
	if (!isAbove(units, nought)) return nought;
	let from = nought;
	let cost = nought;
	for (const [at, { upTo, unitPrice, flatPrice }] of (tiers ?? []).entries()) {
		const isLast = at === (tiers ?? []).length - 1;
		const to = isLast || upTo === null ? units : smaller(parse(upTo), units);
		const [each, once] = [parse(unitPrice?.amount ?? "0"), parse(flatPrice?.amount ?? "0")];
		const isReachedLast = compare(to, units) === 0n;
		if (tiersMode === "VOLUME") {
			if (isReachedLast) return add(times(each, units), once);
		} else cost = total([cost, times(each, less(to, from)), once]);
		if (isReachedLast) break;
		from = to;
	}
	return cost;
}

/** The minimum pays the total of on-demand charges, as far as earlier invoices have left of it. */
function drawnFrom(paid: ExactInput["minimumSpendPaid"], onDemand: bigint, digits: number): bigint {
	if (!paid || onDemand <= 0n) return 0n;
	const left = toMinor(less(parse(paid.amount), parse(paid.drawn ?? "0")), digits);
	return left <= 0n ? 0n : least(left, onDemand);
}

function discountsOf(
	charged: readonly Charged[],
	coupon: ExactInput["coupon"],
	currency: string,
	digits: number,
): bigint[] {
	if (coupon?.percentOff) {
		const part = times(parse(coupon.percentOff), hundredth);
		return charged.map(({ minor }) => toMinor(times(ratio(minor), part), 0));
	}
	const off = coupon?.amountsOff?.find((amount) => amount.currency === currency);
	const discounts = charged.map(() => 0n);
	if (!off) return discounts;
	for (const side of [false, true]) {
		const places = charged.flatMap(({ isCredit }, at) => (isCredit === side ? [at] : []));
		const own = places.flatMap((at) => charged[at] ?? []);
		const spread = fixedDiscount(own, parse(off.amount), digits);
		for (const [nth, at] of places.entries()) discounts[at] = spread[nth] ?? 0n;
	}
	return discounts;
}

/** A fixed amount for the largest share of a period that is charged, spread over the lines by largest remainder. */
function fixedDiscount(lines: readonly Charged[], off: Rational, digits: number): bigint[] {
	const share = lines.map((line) => line.share ?? one).reduce(larger, nought);
	const due = lines.reduce((sum, { minor }) => sum + minor, 0n);
	const offered = toMinor(times(off, share), digits);
	const given = least(offered, due);
	const weights = lines.map(({ minor }) => (minor > 0n ? minor : 0n));
	const weight = weights.reduce((sum, each) => sum + each, 0n);
	if (given <= 0n || weight === 0n) return weights.map(() => 0n);
	const parts = weights.map((each) => (given * each) / weight);
	const byRemainder = weights
		.map((each, at) => ({ at, remainder: (given * each) % weight }))
		.sort((a, b) => (a.remainder === b.remainder ? a.at - b.at : a.remainder > b.remainder ? -1 : 1));
	const left = given - parts.reduce((sum, part) => sum + part, 0n);
	for (const { at } of byRemainder.slice(0, Number(left))) parts[at] = (parts[at] ?? 0n) + 1n;
	return parts;
}

/** A finite decimal in plain digits, without trailing zeros. */
export function finite(value: Rational): string {
	let places = 0n;
	while ((value.over * 10n ** places) % value.under !== 0n) places += 1n;
	const units = (value.over * 10n ** places) / value.under;
	const digits = String(units < 0n ? -units : units).padStart(Number(places) + 1, "0");
	const cut = digits.length - Number(places);
	return `${units < 0n ? "-" : ""}${digits.slice(0, cut)}${places > 0n ? `.${digits.slice(cut)}` : ""}`;
}
