import type { Decimal } from "../../../../kernel/decimal";
import type { RatedItem } from "../rules.cycles";
import { itemTotals } from "../rules.schedule";

/** What publishing would make of one line item; a total is the whole term's. */
export interface ItemDifference {
	readonly itemId: string;
	readonly name: string;
	readonly change: "ADDED" | "CHANGED" | "REMOVED" | "UNCHANGED";
	/** Null: it was not there. */
	readonly before: Decimal | null;
	/** Null: it is no longer there. */
	readonly after: Decimal | null;
}

/** Items are the same by their id: those in force, and those that would be. */
export function differenceOf(before: readonly RatedItem[], after: readonly RatedItem[]): ItemDifference[] {
	const former = new Map(before.map((item) => [item.id, item]));
	const kept = new Set(after.map(({ id }) => id));
	return [
		...after.map((item) => {
			const was = former.get(item.id);
			const change = was === undefined ? "ADDED" : isAlike(was, item) ? "UNCHANGED" : "CHANGED";
			return told(item, change, was ?? null, item);
		}),
		...before.filter(({ id }) => !kept.has(id)).map((item) => told(item, "REMOVED", item, null)),
	];
}

const told = (
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

/** Terms alone; how far an item is invoiced is no term of it. */
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
