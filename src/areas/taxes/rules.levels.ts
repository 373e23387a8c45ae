import type { AppliedTax } from "../pricing/tax";

/**
 * The taxes of a bill's lines, by level: `own` replaces the taxes of each charge, and `inherited` applies to charges without taxes. Null:
 * the level assigns none. An empty list means no tax.
 */
export interface Taxation {
	readonly own: readonly AppliedTax[] | null;
	readonly inherited: readonly AppliedTax[] | null;
	/** Each tax is rounded once for each invoice. Missing: line by line. */
	readonly rounding?: "INVOICE";
}

/** Removes all taxes. */
export const noTaxes: Taxation = { own: [], inherited: null };

/**
 * Returns an item with the taxes of the first level that assigns any; `taxes` of the given item are those of its charge. Applying it
 * twice changes nothing.
 */
export const withTaxes = <Item extends { readonly taxes?: readonly AppliedTax[] }>(
	item: Item,
	{ own, inherited }: Taxation,
) => ({ ...item, taxes: own ?? item.taxes ?? inherited ?? [] });
