import { type Decimal, exact, sum, toDecimal, zero } from "../../../kernel/decimal";
import { discountName } from "../rules";
import { isTaxed, type Taxing } from "../rules.taxes";
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
	lines: readonly Taxing[],
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
	const hasTax = !exact(tax).eq(0) || lines.some(isTaxed);
	const net = toDecimal(exact(subTotal).minus(exact(discount)));
	if (exact(discount).eq(0) && !hasTax) return [row(labels.subtotal, subTotal)];
	if (exact(discount).eq(0)) return [row(labels.totalNet, net), row(labels.tax, tax)];
	return [
		row(labels.subtotal, subTotal),
		row(name === null ? labels.discount : filled(labels.discountNamed, { name }), toDecimal(exact(discount).times(-1))),
		...(hasTax ? [row(labels.totalNet, net), row(labels.tax, tax)] : []),
	];
}

/** Returns the taxes by name and rate, highest first; empty if no line states a rate. */
export function taxRowsOf(
	{ currency }: Pick<InvoiceRow, "currency">,
	lines: ReadonlyArray<Taxing & Pick<LineRow, "amount" | "discount" | "tax">>,
	{ formats }: Writing,
): TaxRow[] {
	if (lines.every((line) => !isTaxed(line) && exact(line.tax).eq(0))) return [];
	const parts = lines.flatMap(taxesOf);
	const byRate = Map.groupBy(parts, ({ name, rate }) => JSON.stringify([name, rate]));
	return [...byRate.values()]
		.sort(([one], [other]) => exact(other?.rate ?? zero).cmp(one?.rate ?? zero))
		.map((taxed) => {
			const { name = "", rate = zero } = taxed[0] ?? {};
			const net = sum(taxed.map((one) => one.net));
			const tax = sum(taxed.map((one) => exact(one.tax)));
			return {
				rate: [name, formats.percent(rate)].filter(Boolean).join(" "),
				net: formats.money(net.toFixed(), currency),
				tax: formats.money(tax.toFixed(), currency),
				gross: formats.money(net.plus(tax).toFixed(), currency),
			};
		});
}

/** Returns the taxes of a line, each on the net of the line. A percentage has no name. */
function taxesOf({ taxPercentage, taxes, tax, ...line }: Taxing & Pick<LineRow, "amount" | "discount" | "tax">) {
	const net = exact(line.amount).minus(exact(line.discount));
	if (!taxes || taxes.length === 0) return [{ name: "", rate: taxPercentage ?? zero, net, tax }];
	return taxes.map(({ displayName, percentage, amount }) => ({
		name: displayName,
		rate: percentage,
		net,
		tax: amount,
	}));
}
