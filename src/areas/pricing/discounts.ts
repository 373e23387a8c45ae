import { type Big, type Decimal, exact, sum, toDecimal, zero } from "../../kernel/decimal";
import { allocate, divideToMinor } from "../../kernel/money";
import { type Discount, type DiscountableLine, discountLines, type FixedOffer, fixedOffers, nothing } from "./discount";

/** The terms of a discount. `offered` and `over` belong to a fixed amount: the part offered to the lines that share it, and their sum. */
export type DiscountBasis =
	| { readonly percentOff: Decimal }
	| { readonly amountOff: Decimal; readonly offered: Decimal; readonly over: Decimal };

/** The charges that a coupon applies to: those that any of its lists names. */
export interface DiscountScope {
	readonly planIds?: readonly string[];
	readonly addonIds?: readonly string[];
	readonly featureIds?: readonly string[];
	readonly chargeKeys?: readonly string[];
}

/** A coupon among several, which apply one after the other. */
export interface NamedDiscount extends Discount {
	/** The caller's id. */
	readonly couponId: string;
	/** The name at the time of the calculation, for documents. */
	readonly name: string;
	/** Missing: all charges. */
	readonly appliesTo?: DiscountScope;
	/** Only for a coupon of one invoice, or of an amount that is used up: names its application. Amounts are those that are unused. */
	readonly applicationId?: string;
}

/** The discount of a line by one coupon, in whole minor units, without included taxes; negative for a credit. */
export interface LineDiscount {
	readonly couponId: string;
	readonly name: string;
	readonly amount: Decimal;
	/** Only for a coupon of one invoice, or of an amount that is used up. */
	readonly applicationId?: string;
}

/** The terms of one of several discounts of a line, and its amount with included taxes. */
export type DiscountStep = Omit<LineDiscount, "amount"> & {
	readonly amount: Decimal;
	/** The part of the rest that the coupon applies to. Missing: the whole rest. */
	readonly of?: Decimal;
} & (DiscountBasis | { readonly charged: ChargedDiscount });

/** The discount of a charge by one coupon, and the amount of the charge. */
export interface ChargedDiscount {
	readonly discount: Decimal;
	readonly of: Decimal;
}

/** The discounts of a charge, of which a credit reverses its part. Amounts include included taxes. */
export interface ChargedDiscounts {
	readonly amount: Decimal;
	readonly discounts: readonly LineDiscount[];
}

/** The fields of a line that the scope of a coupon reads. */
export interface DiscountSubject {
	readonly addonRefId?: string | null;
	readonly featureRefId?: string | null;
	readonly chargeKey?: string | undefined;
	/** The plan or addon that sets the price. */
	readonly packageRefId?: string | undefined;
	/** Only for the line that subtracts a minimum spend: the places of the lines that consume it. */
	readonly consumedBy?: readonly number[];
	/** Only for a credit of a charge that several coupons could discount. */
	readonly chargedDiscounts?: ChargedDiscounts | undefined;
}

interface ScopedLine extends DiscountableLine {
	readonly discounted?: DiscountSubject;
}

const ranks = ["chargeKeys", "featureIds", "addonIds", "planIds"] as const;

/** Sorts discounts by their scope, narrowest first: charges, features, addons, plans, all. Discounts alike keep their order. */
export const byScope = (discounts: readonly NamedDiscount[]): NamedDiscount[] =>
	discounts.toSorted((one, other) => rankOf(one) - rankOf(other));

/** A scope of several kinds counts as its widest kind. */
const rankOf = ({ appliesTo }: NamedDiscount): number =>
	appliesTo ? ranks.findLastIndex((kind) => (appliesTo[kind]?.length ?? 0) > 0) : ranks.length;

function isInScope(scope: DiscountScope | undefined, { discounted = {} }: ScopedLine): boolean {
	if (!scope) return true;
	const { addonRefId, featureRefId, chargeKey, packageRefId } = discounted;
	const names = (list: readonly string[] = [], ref: string | null | undefined) => ref != null && list.includes(ref);
	return (
		names(scope.chargeKeys, chargeKey) ||
		names(scope.featureIds, featureRefId) ||
		names(scope.addonIds, addonRefId) ||
		(addonRefId == null && names(scope.planIds, packageRefId))
	);
}

/**
 * Returns the part of a line's rest that is in a scope. Of a consumed minimum spend, it is in proportion to the lines in scope that
 * consume it, so that a coupon discounts only what the minimum has not paid.
 */
function partInScope(
	scope: DiscountScope | undefined,
	line: ScopedLine,
	rest: Big,
	{ lines, currency }: { readonly lines: readonly ScopedLine[]; readonly currency: string },
): Big {
	const consuming = line.discounted?.consumedBy?.flatMap((at) => lines[at] ?? []);
	if (!scope || !consuming) return isInScope(scope, line) ? rest : exact(0);
	const sumOf = (some: readonly ScopedLine[]) => sum(some.map(({ subTotal }) => subTotal));
	const whole = sumOf(consuming);
	if (whole.eq(0)) return whole;
	return divideToMinor(rest.times(sumOf(consuming.filter((one) => isInScope(scope, one)))), whole, currency);
}

/**
 * Returns the discounts of each line, in the order of the coupons. Each coupon applies to the rest that the coupons before it left, of
 * the lines in its scope. A credit reverses its part of exactly the discounts of its charge.
 */
export function discountInOrder(
	lines: readonly ScopedLine[],
	discounts: readonly NamedDiscount[],
	currency: string,
): DiscountStep[][] {
	const steps = lines.map((line) => creditedSteps(line, currency));
	for (const discount of discounts) {
		const rests = lines.map(({ subTotal }, at) =>
			subTotal.minus(sum((steps[at] ?? []).map(({ amount }) => exact(amount)))),
		);
		const left = lines.map((line, at) => {
			const subTotal = partInScope(discount.appliesTo, line, rests[at] ?? exact(0), { lines, currency });
			if (line.discounted?.chargedDiscounts || subTotal.eq(0)) return nothing;
			const { share, ...whole } = line;
			// An amount that is used up is not an amount of one period.
			return { ...whole, ...(share && discount.applicationId === undefined && { share }), subTotal };
		});
		const amounts = discountLines(left, discount, currency);
		const basisOf = basisOfOne(left, discount, currency);
		for (const [at, amount] of amounts.entries()) {
			if (!basisOf || amount.eq(0)) continue;
			const { subTotal } = left[at] ?? nothing;
			const of = rests[at]?.eq(subTotal) ? {} : { of: toDecimal(subTotal) };
			const basis = basisOf(lines[at]?.isCredit ?? false);
			steps[at]?.push({ ...named(discount), ...basis, ...of, amount: toDecimal(amount) });
		}
	}
	return steps;
}

const named = ({ couponId, name, applicationId }: Omit<LineDiscount, "amount">) => ({
	couponId,
	name,
	...(applicationId !== undefined && { applicationId }),
});

/** Returns the discounts after lines that used up parts of their amounts. Credits make amounts unused again. */
export function afterUses(
	discounts: readonly NamedDiscount[],
	lines: readonly { readonly basis: { readonly discounts?: readonly DiscountStep[] } }[],
	currency: string,
): NamedDiscount[] {
	const steps = lines.flatMap(({ basis }) => basis.discounts ?? []);
	return discounts.map((discount) => {
		const { applicationId, amountsOff } = discount;
		const own = steps.filter((step) => applicationId !== undefined && step.applicationId === applicationId);
		if (own.length === 0 || !amountsOff) return discount;
		const used = sum(own.map(({ amount }) => exact(amount)));
		const less = (amount: Decimal): Decimal => {
			const left = exact(amount).minus(used);
			return left.lt(0) ? zero : toDecimal(left);
		};
		return {
			...discount,
			amountsOff: amountsOff.map((one) => (one.currency === currency ? { ...one, amount: less(one.amount) } : one)),
		};
	});
}

/** Returns the terms of a discount for charges and for credits; undefined if it discounts nothing. */
export function basisOfOne(
	lines: readonly DiscountableLine[],
	discount: Discount | null,
	currency: string,
): ((isCredit: boolean) => DiscountBasis) | undefined {
	if (discount?.percentOff != null) {
		const basis = { percentOff: discount.percentOff };
		return () => basis;
	}
	const offers = fixedOffers(lines, discount, currency);
	if (!offers) return undefined;
	const kept = ({ amountOff, offered, over }: FixedOffer) => ({
		amountOff,
		...{ offered: toDecimal(offered), over: toDecimal(over) },
	});
	const [charges, credits] = [kept(offers.charges), kept(offers.credits)];
	return (isCredit) => (isCredit ? credits : charges);
}

function creditedSteps({ discounted, subTotal }: ScopedLine, currency: string): DiscountStep[] {
	const { amount: of = zero, discounts = [] } = discounted?.chargedDiscounts ?? {};
	const charged = discounts.map(({ amount }) => ({ discount: amount, of }));
	const parts = partsOfCharged(charged, subTotal, currency);
	return discounts.flatMap((one, at) => {
		const [terms, amount] = [charged[at], parts[at]];
		return terms && amount ? [{ ...named(one), charged: terms, amount: toDecimal(amount) }] : [];
	});
}

/**
 * Returns the parts of a charge's discounts that a credit reverses; negative like it. Their sum is rounded once and spread over the
 * coupons, so that a charge of nothing has credits of nothing.
 */
export function partsOfCharged(charged: readonly ChargedDiscount[], credited: Big, currency: string): Big[] {
	const of = exact(charged[0]?.of ?? zero);
	if (of.eq(0)) return charged.map(() => exact(0));
	const weights = charged.map(({ discount }) => exact(discount));
	return allocate(divideToMinor(sum(weights).times(credited), of, currency), weights, currency);
}

/** Spreads the discount of a line without included taxes over its coupons, by their amounts with them. */
export function lineDiscounts(steps: readonly DiscountStep[], discount: Big, currency: string): LineDiscount[] {
	const amounts = allocate(
		discount,
		steps.map(({ amount }) => exact(amount)),
		currency,
	);
	return steps.map((step, at) => ({ ...named(step), amount: toDecimal(amounts[at] ?? exact(0)) }));
}
