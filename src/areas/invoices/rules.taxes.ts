import { type Big, type Decimal, exact, sum, toDecimal } from "../../kernel/decimal";
import { allocate } from "../../kernel/money";
import type { LineTax } from "../pricing/tax";
import type { LineRow } from "./table";

/** The fields of a line that say how it is taxed. */
export interface Taxing {
	readonly taxPercentage?: Decimal | null;
	readonly taxes?: readonly LineTax[] | null;
}

/** Returns a key that lines share if they are taxed alike. */
export const rateKeyOf = ({ taxPercentage = null, taxes = null }: Taxing): string =>
	JSON.stringify([taxPercentage, taxes?.map(({ taxId, percentage, isInclusive }) => [taxId, percentage, isInclusive])]);

/** Whether a line has a tax, or states that it has none. */
export const isTaxed = ({ taxPercentage, taxes }: Taxing): boolean =>
	taxPercentage != null || (taxes != null && taxes.length > 0);

const withAmounts = <Part extends { readonly amount: Decimal }>(
	parts: readonly Part[],
	amounts: readonly Big[],
): Part[] => parts.map((part, at) => ({ ...part, amount: toDecimal(amounts[at] ?? exact(0)) }));

/** Sums the taxes of lines that are taxed alike; null if the tax is a percentage. */
export function sumTaxes(lines: ReadonlyArray<Pick<LineRow, "taxes">>): LineTax[] | null {
	const [first] = lines;
	if (!first?.taxes) return null;
	const amounts = first.taxes.map((_, at) => sum(lines.map(({ taxes }) => exact(taxes?.[at]?.amount ?? 0))));
	return withAmounts(first.taxes, amounts);
}

/** Returns the taxes less those of other lines that are taxed alike. */
export function taxesLess(
	taxes: readonly LineTax[] | null | undefined,
	credited: ReadonlyArray<Pick<LineRow, "taxes">>,
): LineTax[] | null {
	if (!taxes) return null;
	return withAmounts(
		taxes,
		taxes.map(({ taxId, amount }) => {
			const back = credited.map((line) => line.taxes?.find((tax) => tax.taxId === taxId)?.amount ?? 0);
			return exact(amount).minus(sum(back.map(exact)));
		}),
	);
}

/** Splits the taxes or the discounts of a line in two, of which the first sum to `part`. */
export function splitParts<Part extends { readonly amount: Decimal }>(
	parts: readonly Part[],
	part: Big,
	currency: string,
): [part: Part[], rest: Part[]] {
	const weights = parts.map(({ amount }) => exact(amount));
	const first = allocate(part, weights, currency);
	const rest = weights.map((amount, at) => amount.minus(first[at] ?? 0));
	return [withAmounts(parts, first), withAmounts(parts, rest)];
}

/** Negates the taxes of a line, for the same line on a document that counts the other way. */
export const negatedTaxes = <Line extends Taxing>({ taxes }: Line): Pick<Taxing, "taxes"> =>
	taxes ? { taxes: taxes.map((tax) => ({ ...tax, amount: toDecimal(exact(tax.amount).times(-1)) })) } : {};
