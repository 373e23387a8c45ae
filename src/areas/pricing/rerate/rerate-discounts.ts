import { type Big, type Decimal, exact, sum } from "../../../kernel/decimal";
import { divideToMinor, minorDigits } from "../../../kernel/money";
import { percentageOf, shareOut } from "../discount";
import { type DiscountStep, lineDiscounts, partsOfCharged } from "../discounts";
import type { KeptLine } from "../kept-line";

/** A discount of a line, and the discount that its terms yield. */
interface Compared {
	readonly expected: Big;
	readonly found: Decimal;
}

/**
 * Discounts the lines of a document again, each coupon on the amount that the coupons before it left. Returns the first part of each line's
 * discount that differs, else the whole.
 */
export function discountsAgain(lines: readonly KeptLine[], currency: string): Compared[] {
	const parts = lines.map(partsOf);
	const expected = expectedParts(parts.flat(), currency);
	return lines.map((line, at) => {
		const own = parts[at] ?? [];
		const found = (line.basis?.tax?.gross ?? line).discount;
		const compared = own.map((part) => ({ expected: expected.get(part) ?? exact(0), found: part.found }));
		const whole = { expected: sum(own.map((part) => exact(part.found))), found };
		return [...compared, whole, ...publishedParts(line, currency)].find((one) => !one.expected.eq(one.found)) ?? whole;
	});
}

/** The parts of a discount that the line lists sum to it, without included taxes. */
function publishedParts({ basis, discount, discounts }: KeptLine, currency: string): Compared[] {
	const expected = lineDiscounts(basis?.discounts ?? [], exact(discount), currency);
	return (discounts ?? []).map((one, at) => ({ expected: exact(expected[at]?.amount ?? 0), found: one.amount }));
}

/** The discount of a line by one coupon. */
interface Part {
	readonly at: number;
	readonly of: DiscountTerms;
	/** The rest that earlier coupons left; for a credit, negative. */
	readonly left: Big;
	readonly isCredit: boolean;
	readonly found: Decimal;
}

type DiscountTerms = NonNullable<NonNullable<KeptLine["basis"]>["discount"]> | DiscountStep;

function partsOf({ basis, ...line }: KeptLine, at: number): Part[] {
	if (!basis) return [];
	const { isCredit = false, discount: single, discounts = [] } = basis;
	const { amount, discount } = basis.tax?.gross ?? line;
	if (single) return [{ at, of: single, left: exact(amount), isCredit, found: discount }];
	let left = exact(amount);
	return discounts.map((of) => {
		// A credit reverses each discount of its charge by the whole amount.
		const applied = of.of === undefined ? left : exact(of.of);
		const part = { at, of, left: "charged" in of ? exact(amount) : applied, isCredit, found: of.amount };
		left = left.minus(of.amount);
		return part;
	});
}

function expectedParts(parts: readonly Part[], currency: string): Map<Part, Big> {
	const expected = new Map<Part, Big>();
	for (const part of parts) {
		const { of, left } = part;
		if ("percentOff" in of) expected.set(part, percentageOf(left, of.percentOff, currency));
	}
	for (const credit of creditsOf(parts)) {
		const terms = credit.flatMap(({ of }) => ("charged" in of ? [of.charged] : []));
		const amounts = partsOfCharged(terms, credit[0]?.left ?? exact(0), currency);
		for (const [nth, part] of credit.entries()) expected.set(part, amounts[nth] ?? exact(0));
	}
	for (const together of alikeOf(parts)) {
		const offers = offersOf(together);
		if (!offers) for (const one of together) expected.set(one.part, nearestShare(one, currency));
		for (const shared of offers ?? []) {
			const [first] = shared;
			const amounts = first ? shareOut({ offered: exact(first.offered) }, shared, currency) : [];
			for (const [nth, amount] of amounts.entries()) {
				const one = shared[nth];
				if (one) expected.set(one.part, one.part.isCredit ? amount.times(-1) : amount);
			}
		}
	}
	return expected;
}

/** Groups the parts that reverse discounts of a charge by their line. */
const creditsOf = (parts: readonly Part[]): Part[][] => [
	...Map.groupBy(
		parts.filter(({ of }) => "charged" in of),
		({ at }) => at,
	).values(),
];

/** A line that shares a fixed amount with other lines. */
interface SharedLine {
	readonly part: Part;
	/** The weight of the line; for a credit, the negated amount. */
	readonly subTotal: Big;
	readonly offered: Decimal;
	readonly over: Decimal;
}

/** Groups the lines by their offer. Several equal offers (waiting prorations) share a group. */
function alikeOf(parts: readonly Part[]): SharedLine[][] {
	const shared = parts.flatMap((part): SharedLine[] => {
		const { of, left, isCredit } = part;
		if (!("amountOff" in of)) return [];
		return [{ part, subTotal: isCredit ? left.times(-1) : left, offered: of.offered, over: of.over }];
	});
	const keyOf = ({ part: { of, isCredit }, offered, over }: SharedLine): string =>
		JSON.stringify(["couponId" in of ? of.couponId : null, "amountOff" in of && of.amountOff, offered, over, isCredit]);
	return [...Map.groupBy(shared, keyOf).values()];
}

/**
 * Splits a group into its offers: the lines of one offer sum to its stored total. Undefined if some lines are on another document, or
 * got nothing of the offer.
 */
function offersOf(alike: readonly SharedLine[]): SharedLine[][] | undefined {
	const made: SharedLine[][] = [];
	let together: SharedLine[] = [];
	for (const one of alike) {
		together = [...together, one];
		const reached = sum(together.map(({ subTotal }) => positive(subTotal)));
		if (reached.gt(one.over)) return undefined;
		if (reached.lt(one.over)) continue;
		made.push(together);
		together = [];
	}
	return together.some(({ subTotal }) => subTotal.gt(0)) ? undefined : made;
}

/**
 * Returns the discount of a single line. The largest remainder may have added one minor unit, which cannot be recalculated from one
 * line.
 */
function nearestShare({ part, subTotal, offered, over }: SharedLine, currency: string): Big {
	const whole = exact(over);
	if (whole.lte(0)) return exact(0);
	const share = exact(offered).times(positive(subTotal));
	const found = part.isCredit ? exact(part.found).times(-1) : exact(part.found);
	const isNear = found
		.times(whole)
		.minus(share)
		.abs()
		.lt(whole.times(`1e-${minorDigits(currency)}`));
	return isNear ? exact(part.found) : divideToMinor(part.isCredit ? share.times(-1) : share, whole, currency);
}

const positive = (amount: Big): Big => (amount.lt(0) ? exact(0) : amount);
