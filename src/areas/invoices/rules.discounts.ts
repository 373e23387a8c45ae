import { exact, sum, toDecimal } from "../../kernel/decimal";
import type { LineDiscount } from "../pricing/discounts";

type Discounted = { readonly discounts?: readonly LineDiscount[] | null };

/** Negates the discounts of a line, for the same line on a document that counts the other way. */
export const negatedDiscounts = ({ discounts }: Discounted): Discounted =>
	discounts ? { discounts: discounts.map((one) => ({ ...one, amount: toDecimal(exact(one.amount).times(-1)) })) } : {};

/** Returns the discounts less those of the lines that credit them. */
export const discountsLess = (
	discounts: readonly LineDiscount[] | null | undefined,
	credited: readonly Discounted[],
): readonly LineDiscount[] | null =>
	discounts?.map((one) => {
		const back = credited.flatMap((line) => line.discounts?.filter(({ couponId }) => couponId === one.couponId) ?? []);
		return { ...one, amount: toDecimal(exact(one.amount).minus(sum(back.map(({ amount }) => exact(amount))))) };
	}) ?? null;
