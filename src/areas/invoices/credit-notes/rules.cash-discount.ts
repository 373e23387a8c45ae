import { type Big, exact, sum, toDecimal, zero } from "../../../kernel/decimal";
import { divideToMinor } from "../../../kernel/money";
import { worded } from "../../pricing/wording";
import type { NewCreditNoteLine } from "../new-documents";
import { rateKeyOf, splitParts, sumTaxes, taxesLess } from "../rules.taxes";
import type { LineRow } from "../table";

interface Discounting {
	readonly charged: readonly LineRow[];
	/** Lines of the invoice's credit notes. */
	readonly credited: readonly LineRow[];
	/** With tax. */
	readonly amount: Big;
	readonly currency: string;
}

/**
 * Splits a cash discount over the tax rates of an invoice, in proportion to the rest of each. It returns a line for each rate; they
 * sum to the amount, to the last minor unit.
 */
export function cashDiscountLines({ charged, credited, amount, currency }: Discounting): NewCreditNoteLine[] {
	const rates = [...Map.groupBy(charged, rateKeyOf)]
		.map(([key, lines]) => {
			const back = credited.filter((line) => rateKeyOf(line) === key);
			const taxes = taxesLess(sumTaxes(lines), back);
			const left = (part: "total" | "tax") =>
				sum(lines.map((line) => exact(line[part]))).minus(sum(back.map((line) => exact(line[part]))));
			const taxing = { taxPercentage: lines[0]?.taxPercentage ?? null, taxes };
			return { taxing, total: left("total"), tax: left("tax") };
		})
		.filter(({ total }) => total.gt(0));
	const whole = sum(rates.map(({ total }) => total));
	let [before, given] = [exact(zero), exact(zero)];
	return rates.flatMap(({ taxing: { taxPercentage, taxes }, total, tax }) => {
		before = before.plus(total);
		const part = divideToMinor(amount.times(before), whole, currency).minus(given);
		given = given.plus(part);
		if (part.eq(0)) return [];
		const ofTax = divideToMinor(tax.times(part), total, currency);
		return {
			kind: "Other" as const,
			...worded({ codes: ["cashDiscount"] }),
			quantity: null,
			unitPrice: null,
			amount: toDecimal(part.minus(ofTax)),
			tax: toDecimal(ofTax),
			taxPercentage,
			...(taxes && { taxes: splitParts(taxes, ofTax, currency)[0] }),
		};
	});
}
