import type { Instant } from "../../../kernel/clock";
import { type Decimal, exact, toDecimal, zero } from "../../../kernel/decimal";
import { assert } from "../../../kernel/errors";
import type { Period } from "../../../kernel/period";
import type { Work } from "../../../kernel/work";
import { currentChargesOf } from "../../billing/operations";
import { excludeUsage, recordUsage, type UsageCharge } from "../../billing/operations.usage";
import type { PeriodOfCharge } from "../../billing/rules.billed";
import type { ChargeOwner, UsagePrice } from "../../billing/rules.charge";
import type { ChargeRow } from "../../billing/table";
import { resourcesByIds } from "../../customers/operations";
import type { InvoiceRow } from "../../invoices/table";
import type { RatedLine } from "../../pricing/line";
import type { ChargeItem, RatedInvoice } from "../../pricing/rate";
import { sumTotals } from "../../pricing/totals";
import { convertUnits } from "../../pricing/unit-conversion";
import { worded } from "../../pricing/wording";
import { countedEvents, currentUsage, type UsageOf } from "../../usage/operations";
import { averageUsage } from "../../usage/reports/operations";
import type { SubscriptionRow } from "../table";
import { type PaidMinimum, rateBill } from "./rules.bill";
import { upsertUnspentMinimum } from "./store.minimums";
import type { SubscriptionUnspentMinimumRow } from "./table.minimums";

/** The usage that is counted separately: pay as you go ("usage"), or overage, of one feature of a subscription. */
export interface UsageKey {
	readonly kind: "usage" | "overage";
	readonly featureId: string;
}

/** The key of a usage charge. */
export const chargeKeyOf = ({ kind, featureId }: UsageKey): string => `${kind}/${featureId}`;

export const isOfUsage = ({ key }: Pick<ChargeRow, "key">): boolean => /^(usage|overage)\//.test(key);

/** Reads the key of a usage charge. */
export function usageKeyOf({ key }: Pick<ChargeRow, "key">): UsageKey {
	const [kind, featureId = ""] = key.split("/");
	assert(kind === "usage" || kind === "overage", "the key of a usage charge names its kind");
	return { kind, featureId };
}

export const ownerOf = ({ id }: Pick<SubscriptionRow, "id">): ChargeOwner => ({ kind: "SUBSCRIPTION", id });

/** The usage of one price within one window, as far as it is to be billed. */
export interface CountedUsage extends UsageKey {
	readonly featureRef: string;
	readonly window: Period;
	/** In reported units. */
	readonly quantity: Decimal;
	/** For time-weighted usage, the length of the price's whole period, of which the window may be a part. */
	readonly averagedOverMs: number | null;
	/** The part that earlier bills have charged. */
	readonly billed: Decimal;
	readonly item: ChargeItem;
	/** The last bill of the window; null: there is none. */
	readonly last: PeriodOfCharge | null;
	/** The window is closed, and billed at its former prices. */
	readonly isLate: boolean;
}

/** Usage of closed windows that was reported after they were billed. */
export interface LateUsage {
	readonly windows: readonly CountedUsage[];
	/** The unused minimum spend of its period. */
	readonly minimum: SubscriptionUnspentMinimumRow | null;
}

/** How far the usage of a key is billed. */
export interface UsageMark extends UsageKey {
	/** The charge at its present prices; null: only late usage is billed. */
	readonly charge: Omit<UsageCharge, "billedUntil"> | null;
	/** Windows that start before this are closed. */
	readonly closedUntil: Instant;
}

/** The usage of a bill, and the records that the caller writes with that bill. */
export interface UsageCount {
	readonly windows: readonly CountedUsage[];
	readonly late: readonly LateUsage[];
	readonly marks: readonly UsageMark[];
	/** The unused minimum spend of the charge that ends with the bill. */
	readonly unspent?: SubscriptionUnspentMinimumRow | undefined;
}

/** Returns the quantity that a price charges for a window: the usage, or its average over the price's whole period. */
export const quantityIn = (work: Work, of: UsageOf, window: Period, averagedOverMs: number | null): Decimal =>
	averagedOverMs === null
		? currentUsage(work, { ...of, period: window })
		: averageUsage(work, of, window, averagedOverMs);

export const noUsage: UsageCount = { windows: [], late: [], marks: [] };

export const allWindows = ({ windows, late }: UsageCount): CountedUsage[] => [
	...windows,
	...late.flatMap((one) => one.windows),
];

/** Returns the source of a subscription's usage of a feature (its row id). */
export function meteredBy(work: Work, { customerId, resourceId: id }: SubscriptionRow): (featureId: string) => UsageOf {
	const resourceId = id === null ? null : (resourcesByIds(work, [id]).get(id)?.refId ?? null);
	return (featureId) => ({ featureId, customerId, resourceId });
}

/** Returns the current charges of billed usage by their keys. */
export const usageChargesOf = (work: Work, subscription: Pick<SubscriptionRow, "id">): Map<string, ChargeRow> =>
	new Map(
		currentChargesOf(work, subscription, ["usage/", "overage/"])
			.filter(({ billedUntil }) => billedUntil !== null)
			.map((charge) => [charge.key, charge]),
	);

/** Returns the items to bill. Usage that is billed already, or within a limit, makes no item. */
export const usageItems = (counted: readonly CountedUsage[]): ChargeItem[] =>
	counted
		.filter((one) => exact(one.quantity).gt(exact(one.billed)) && (one.kind === "usage" || isBeyondLimit(one)))
		.map(({ item }) => item);

export const isBeyondLimit = ({
	quantity,
	item: { unitTransformation = null, limit },
}: Pick<CountedUsage, "quantity" | "item">): boolean =>
	exact(convertUnits(quantity, unitTransformation)).gt(exact(limit ?? zero));

/** The minimum spend that late usage can use. */
export const minimumOfLate = ({ minimum }: LateUsage): PaidMinimum | null =>
	minimum && { currency: minimum.currency, amount: minimum.amount, ...worded({ codes: ["coveredByMinimum"] }) };

/** A bill as it was issued. */
export interface IssuedBill {
	readonly rated: readonly RatedInvoice[];
	/** Undefined if nothing was to be invoiced, or if the lines wait for the next invoice or are on a credit note. */
	readonly invoice: InvoiceRow | undefined;
}

/** Records usage in the transaction that bills it, so that none is billed twice or left out. */
export function recordBilled(
	work: Work,
	subscription: SubscriptionRow,
	counted: UsageCount,
	{ rated, invoice }: IssuedBill,
): void {
	const of = meteredBy(work, subscription);
	const amountsOf = amountsIn(rated);
	const byKey = Map.groupBy(allWindows(counted), chargeKeyOf);
	for (const { charge, closedUntil, ...mark } of counted.marks) {
		const key = chargeKeyOf(mark);
		const windows = [...Map.groupBy(byKey.get(key) ?? [], ({ window }) => window.start).values()].flatMap((alike) => {
			const [one] = alike;
			return one
				? [{ ...windowOf(one), isLate: one.isLate, rated: amountsOf(alike), invoiceId: invoice?.id ?? null }]
				: [];
		});
		const upTo = { key, billedUntil: closedUntil };
		const recorded = charge ? { ...charge, ...upTo } : upTo;
		recordUsage(work, ownerOf(subscription), recorded, windows, countedEvents(work, of(mark.featureId)));
	}
	for (const late of counted.late) drawDownMinimum(work, late);
	if (counted.unspent) upsertUnspentMinimum(work, counted.unspent);
}

const windowOf = ({ window, quantity, averagedOverMs, billed, last }: CountedUsage) => ({
	...window,
	// Canceled usage that was billed is not billed again when it returns.
	quantity: exact(billed).gt(exact(quantity)) ? billed : quantity,
	averagedOverMs,
	last,
});

/** Returns a function that finds the amounts of usage in a bill. Each line is found once. */
function amountsIn(rated: readonly RatedInvoice[]) {
	const lines = rated.flatMap((one) => one.lines);
	const take = ({ item, window }: CountedUsage): RatedLine[] => {
		const at = lines.findIndex(
			({ basis, period, featureRefId, addonRefId }) =>
				basis.charge?.billingModel === "USAGE_BASED" &&
				(basis.charge.isOverage ?? false) === (item.charge.isOverage ?? false) &&
				period?.start === window.start &&
				featureRefId === (item.featureRefId ?? null) &&
				addonRefId === (item.addonRefId ?? null) &&
				basis.quantity === item.quantity &&
				basis.billed === item.billed,
		);
		return at < 0 ? [] : lines.splice(at, 1);
	};
	return (alike: readonly CountedUsage[]) =>
		sumTotals(alike.flatMap(take).map(({ amount, ...line }) => ({ ...line, subTotal: amount })));
}

/** Records the usage of a window as not billable. Earlier bills of the window keep their prices. */
export function recordExcluded(
	work: Work,
	subscription: SubscriptionRow,
	counted: CountedUsage,
	charge: Omit<UsageCharge, "billedUntil">,
): void {
	const billed = counted.last?.period.usageQuantity ?? zero;
	const events = countedEvents(work, meteredBy(work, subscription)(counted.featureId));
	excludeUsage(work, ownerOf(subscription), { ...charge, billedUntil: null }, windowOf({ ...counted, billed }), events);
}

export const priceOf = ({ quantity: _, billed: __, period: ___, ...price }: ChargeItem): UsagePrice => price;

function drawDownMinimum(work: Work, late: LateUsage): void {
	if (!late.minimum) return;
	const items = usageItems(late.windows);
	const [rated] = rateBill({ sections: [{ items, minimumSpendPaid: minimumOfLate(late) }] });
	if (!rated) return;
	const amount = toDecimal(exact(late.minimum.amount).minus(exact(rated.minimumDrawdown)));
	upsertUnspentMinimum(work, { ...late.minimum, amount });
}
