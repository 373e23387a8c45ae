import { type Big, exact, sum, toDecimal } from "../../../kernel/decimal";
import { minorDigits } from "../../../kernel/money";
import type { KeptLine, RatedOtherwise } from "../kept-line";
import { taxLine } from "../tax";
import { grossOf, roundTaxes, type TaxedLine } from "../tax-rounding";

/** A line with the figures that its terms yield. */
interface Retaxed {
	readonly at: number;
	readonly found: KeptLine;
	readonly expected: TaxedLine;
}

/** Taxes the lines of a document again, and returns the first figure that differs; undefined if none does. */
export function taxedOtherwise(lines: readonly KeptLine[], currency: string): RatedOtherwise | undefined {
	const retaxed = lines.flatMap((found, at) => taxedAgain(found, at, currency));
	const together = retaxed.filter(({ found }) => found.basis?.tax?.over !== undefined);
	const expected = new Map([...retaxed, ...roundedAgain(together, currency)].map((one) => [one.at, one]));
	return [...expected.values()].map(differenceOf).find((difference) => difference !== undefined);
}

/** Taxes one line by itself. */
function taxedAgain(found: KeptLine, at: number, currency: string): Retaxed[] {
	const { basis, taxes } = found;
	if (!basis || !taxes || taxes.length === 0) return [];
	const { amount, discount } = basis.tax?.gross ?? found;
	const stated = { subTotal: exact(amount), discount: exact(discount) };
	const again = taxLine(stated, taxes, currency, basis.tax?.charged);
	const expected = {
		amount: toDecimal(again.subTotal),
		discount: toDecimal(again.discount),
		tax: toDecimal(again.tax),
		total: toDecimal(again.subTotal.minus(again.discount).plus(again.tax)),
		taxes: again.taxes,
		basis,
	};
	return [{ at, found, expected }];
}

/**
 * Rounds the taxes of lines that were rounded together again. Lines of several equal sums (waiting prorations) share a group. If some
 * lines are on another document, a figure within one minor unit is accepted, since the rest of the spread is not known.
 */
function roundedAgain(together: readonly Retaxed[], currency: string): Retaxed[] {
	const groups = Map.groupBy(together, ({ found }) => found.basis?.tax?.over);
	return [...groups].flatMap(([over, group]) => {
		const made: Retaxed[] = [];
		let open: Retaxed[] = [];
		for (const one of group) {
			open = [...open, one];
			if (!sum(open.map(({ expected }) => grossOf(expected))).eq(over ?? 0)) continue;
			const rounded = roundTaxes(
				open.map(({ expected }) => expected),
				currency,
			);
			made.push(...open.flatMap((line, nth) => (rounded[nth] ? [{ ...line, expected: rounded[nth] }] : [])));
			open = [];
		}
		return [...made, ...open.map((one) => ({ ...one, expected: isNear(one, currency) ? one.found : one.expected }))];
	});
}

const isNear = ({ found, expected }: Retaxed, currency: string): boolean =>
	(found.taxes ?? []).every(({ amount }, at) =>
		isWithin(exact(amount), exact(expected.taxes?.[at]?.amount ?? 0), currency),
	);

const isWithin = (one: Big, other: Big, currency: string): boolean =>
	one
		.minus(other)
		.abs()
		.lte(`1e-${minorDigits(currency)}`);

function differenceOf({ at, found, expected }: Retaxed): RatedOtherwise | undefined {
	const figures = [
		...(found.taxes ?? []).map((tax, nth) => ["tax", expected.taxes?.[nth]?.amount ?? tax.amount, tax.amount] as const),
		["tax", expected.tax, found.tax] as const,
		["amount", expected.amount, found.amount] as const,
		["discount", expected.discount, found.discount] as const,
	];
	const different = figures.find(([, wanted, is]) => !exact(wanted).eq(is));
	return different && { at, figure: different[0], expected: different[1], found: different[2] };
}
