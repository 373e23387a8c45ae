import { type Decimal, exact, sum, toDecimal, zero } from "../../../kernel/decimal";
import { discountName } from "../rules";
import type { InvoiceRow, LineRow } from "../table";
import { filled } from "./labels";
import type { Fact, Writing } from "./writing";

export interface Total extends Fact {
	readonly weight: "normal" | "strong" | "final";
}

/** The tax of one rate. */
export interface TaxRow {
	readonly rate: string;
	readonly net: string;
	readonly tax: string;
	readonly gross: string;
}

/** Returns the rows that lead to the total: the sum of the lines, the discount, the tax. */
export function sumsOf(
	{
		currency,
		discount,
		subTotal,
		tax,
		discountLabel,
		discountPercent,
	}: Pick<InvoiceRow, "currency" | "discount" | "subTotal" | "tax" | "discountLabel" | "discountPercent">,
	lines: ReadonlyArray<Pick<LineRow, "taxPercentage">>,
	{ labels, formats }: Writing,
): Total[] {
	const row = (label: string, value: Decimal): Total => ({
		label,
		value: formats.money(value, currency),
		weight: "normal",
	});
	const name = discountName({ discountLabel, discountPercent }, (percent) =>
		filled(labels.percentOff, { percent: formats.percent(percent) }),
	);
	const isTaxed = !exact(tax).eq(0) || lines.some(({ taxPercentage }) => taxPercentage !== null);
	const net = toDecimal(exact(subTotal).minus(exact(discount)));
	if (exact(discount).eq(0) && !isTaxed) return [row(labels.subtotal, subTotal)];
	if (exact(discount).eq(0)) return [row(labels.totalNet, net), row(labels.tax, tax)];
	return [
		row(labels.subtotal, subTotal),
		row(name === null ? labels.discount : filled(labels.discountNamed, { name }), toDecimal(exact(discount).times(-1))),
		...(isTaxed ? [row(labels.totalNet, net), row(labels.tax, tax)] : []),
	];
}

/** Returns the taxes by rate, highest first; empty if no line states a rate. */
export function taxRowsOf(
	{ currency }: Pick<InvoiceRow, "currency">,
	lines: ReadonlyArray<Pick<LineRow, "taxPercentage" | "amount" | "discount" | "tax">>,
	{ formats }: Writing,
): TaxRow[] {
	if (lines.every(({ taxPercentage, tax }) => taxPercentage === null && exact(tax).eq(0))) return [];
	const byRate = Map.groupBy(lines, ({ taxPercentage }) => taxPercentage ?? zero);
	return [...byRate]
		.sort(([one], [other]) => exact(other).cmp(exact(one)))
		.map(([rate, taxed]) => {
			const net = sum(taxed.map(({ amount, discount }) => exact(amount).minus(exact(discount))));
			const tax = sum(taxed.map((line) => exact(line.tax)));
			return {
				rate: formats.percent(rate),
				net: formats.money(net.toFixed(), currency),
				tax: formats.money(tax.toFixed(), currency),
				gross: formats.money(net.plus(tax).toFixed(), currency),
			};
		});
}
