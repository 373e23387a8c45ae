import { type Big, type Decimal, exact, sum, toDecimal, zero } from "../../../kernel/decimal";
import { textOf } from "../../pricing/wording";
import { isTaxed, type Taxing } from "../rules.taxes";
import type { TierBreakdown } from "../schema.party";
import type { InvoiceRow, LineRow } from "../table";
import { filled } from "./labels";
import type { Writing } from "./writing";

/** The optional columns that a document has. */
export interface Columns {
	readonly unit: boolean;
	readonly discount: boolean;
	readonly taxRate: boolean;
	/** Receipts only: no quantity and no price, and the amount instead of the net. */
	readonly amountOnly?: true;
}

export interface DocumentLine {
	/** The customer, or the subscription, that the line charges for, where it is not the one of the document. */
	readonly group?: string;
	readonly description: string;
	readonly period: string | null;
	readonly quantity: string;
	readonly unit: string;
	readonly unitPrice: string;
	readonly discount: string;
	readonly taxRate: string;
	/** After the discount, before tax. */
	readonly net: string;
	readonly netAmount: Big;
	/** The tiers: smaller rows below the line, before the discount. */
	readonly parts: readonly DocumentPart[];
}

export interface DocumentPart {
	readonly label: string;
	readonly quantity: string;
	readonly unitPrice: string;
	readonly net: string;
}

export const columnsOf = (lines: readonly LineRow[]): Columns => ({
	unit: lines.some(({ unit }) => unit !== null),
	discount: lines.some(({ discount }) => !exact(discount).eq(0)),
	taxRate: lines.some(isTaxed),
});

/** Returns the lines as printed. The document states its own period at the top; lines state theirs only if one differs. */
export function linesOf(
	document: Pick<InvoiceRow, "currency" | "periodStart" | "periodEnd">,
	lines: readonly LineRow[],
	writing: Writing,
	nameOf: NameOfCustomer = (refId) => refId,
): DocumentLine[] {
	const isOther = ({ periodStart, periodEnd }: LineRow): boolean =>
		periodStart !== null && (periodStart !== document.periodStart || periodEnd !== document.periodEnd);
	const showsPeriods = lines.some(isOther);
	const groupOf = groupsOf(lines, nameOf);
	return lines.map((line) => ({ ...groupOf(line), ...lineOf(line, document.currency, showsPeriods, writing) }));
}

/** Returns the name of a customer by the caller's id. */
export type NameOfCustomer = (refId: string) => string;

/** Returns the heading of lines: the customer, with the subscription if the document charges several of that customer. */
function groupsOf(lines: readonly LineRow[], nameOf: NameOfCustomer): (line: LineRow) => Pick<DocumentLine, "group"> {
	const subscriptions = new Map<string | null, Set<string>>();
	for (const { customerRefId, subscriptionRefId } of lines) {
		if (subscriptionRefId === null) continue;
		const known = subscriptions.get(customerRefId) ?? new Set();
		subscriptions.set(customerRefId, known.add(subscriptionRefId));
	}
	return ({ customerRefId, subscriptionRefId }) => {
		// The customer of the document has the lines of a consolidated invoice without another customer.
		if (customerRefId === null) return subscriptionRefId === null ? {} : { group: subscriptionRefId };
		const name = nameOf(customerRefId);
		const isOneOfSeveral = (subscriptions.get(customerRefId)?.size ?? 0) > 1;
		return { group: isOneOfSeveral && subscriptionRefId !== null ? `${name} · ${subscriptionRefId}` : name };
	};
}

/** Returns the sum of a line's rates. */
export const rateOf = ({ taxPercentage, taxes }: Taxing): Decimal =>
	taxes ? toDecimal(sum(taxes.map(({ percentage }) => exact(percentage)))) : (taxPercentage ?? zero);

/** Returns a remark if unit prices include tax, since the amounts of lines never do. */
export const priceRemarks = (lines: readonly LineRow[], { labels }: Writing): string[] =>
	lines.some(({ unitPrice, taxes }) => unitPrice !== null && taxes?.some(({ isInclusive }) => isInclusive))
		? [labels.pricesIncludeTax]
		: [];

function lineOf(line: LineRow, currency: string, showsPeriod: boolean, writing: Writing): DocumentLine {
	const { periodStart, periodEnd, quantity, unit, unitPrice, amount, discount } = line;
	const { formats, labels } = writing;
	const netAmount = exact(amount).minus(exact(discount));
	return {
		description: line.wording ? textOf(line.wording, labels) : line.description,
		period:
			!showsPeriod || periodStart === null || periodEnd === null
				? null
				: formats.period({ start: periodStart, end: periodEnd }),
		quantity: quantity === null ? "" : formats.quantity(quantity),
		unit: unit ?? "",
		unitPrice: unitPrice === null ? "" : formats.money(unitPrice, currency),
		discount: exact(discount).eq(0) ? "" : formats.money(exact(discount).times(-1).toFixed(), currency),
		taxRate: formats.percent(rateOf(line)),
		net: formats.money(netAmount.toFixed(), currency),
		netAmount,
		parts: (line.tiers ?? []).map((tier) => tierPart(tier, currency, writing)),
	};
}

function tierPart(
	{ from, to, quantity, unitPrice, flatPrice, amount }: TierBreakdown,
	currency: string,
	{ labels, formats }: Writing,
): DocumentPart {
	const range = rangeText(from, to, { labels, formats });
	const flat = flatPrice !== null && !exact(flatPrice).eq(0) ? formats.money(flatPrice, currency) : undefined;
	const each = unitPrice === null ? undefined : formats.money(unitPrice, currency);
	return {
		label: flat !== undefined && each !== undefined ? filled(labels.tierFlat, { range, amount: flat }) : range,
		quantity: formats.quantity(quantity),
		unitPrice: each ?? flat ?? "",
		net: formats.money(amount, currency),
	};
}

/** Formats the range of a tier. The lower bound belongs to the tier before, the upper bound to this one. */
export function rangeText(from: Decimal | string, to: Decimal | string | null, { labels, formats }: Writing): string {
	const bounds = { from: formats.quantity(from), to: to === null ? "" : formats.quantity(to) };
	const isFirst = exact(from).eq(0);
	const open = isFirst ? labels.tierAny : labels.tierOver;
	const closed = isFirst ? labels.tierFirst : labels.tierBetween;
	return filled(to === null ? open : closed, bounds);
}
