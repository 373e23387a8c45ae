import type { Decimal } from "../../../../kernel/decimal";
import type { RatedItem } from "../rules.cycles";
import { itemTotals } from "../rules.schedule";

/** The effect of publishing on one line item; a total covers the whole term. */
export interface ItemDifference {
	readonly itemId: string;
	readonly name: string;
	readonly change: "ADDED" | "CHANGED" | "REMOVED" | "UNCHANGED";
	/** Null: the item is new. */
	readonly before: Decimal | null;
	/** Null: the item is removed. */
	readonly after: Decimal | null;
}

/** Compares items by their ids: those in force and those to be published. */
export function differenceOf(before: readonly RatedItem[], after: readonly RatedItem[]): ItemDifference[] {
	const former = new Map(before.map((item) => [item.id, item]));
	const kept = new Set(after.map(({ id }) => id));
	return [
		...after.map((item) => {
			const was = former.get(item.id);
			const change = was === undefined ? "ADDED" : isAlike(was, item) ? "UNCHANGED" : "CHANGED";
			return described(item, change, was ?? null, item);
		}),
		...before.filter(({ id }) => !kept.has(id)).map((item) => described(item, "REMOVED", item, null)),
	];
}

const described = (
	{ id, name }: RatedItem,
	change: ItemDifference["change"],
	before: RatedItem | null,
	after: RatedItem | null,
): ItemDifference => ({
	itemId: id,
	name,
	change,
	before: before && itemTotals(before).total,
	after: after && itemTotals(after).total,
});

/** Compares the terms only, not how far an item is invoiced. */
const isAlike = (one: RatedItem, other: RatedItem): boolean =>
	JSON.stringify(termsOf(one)) === JSON.stringify(termsOf(other));

const termsOf = ({
	name,
	itemName,
	pricingModelId,
	rows,
	billingCycleUnit,
	billingCycleCount,
	paymentTime,
	discount,
	tax,
	netTerms,
	separateInvoice,
	prorateCutCycles,
	legalEntityId,
	paymentAccountId,
	activationStartAt,
	activationEndAt,
}: RatedItem) => [
	...[name, itemName, pricingModelId, rows, billingCycleUnit, billingCycleCount, paymentTime, discount, tax, netTerms],
	...[separateInvoice, prorateCutCycles, legalEntityId, paymentAccountId, activationStartAt, activationEndAt],
];
