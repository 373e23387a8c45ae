import type { Instant } from "../../../kernel/clock";
import { type Decimal, exact, sum, toDecimal, zero } from "../../../kernel/decimal";
import type { Period } from "../../../kernel/period";
import type { Work } from "../../../kernel/work";
import { currentChargesOf } from "../../billing/operations";
import { excludeUsage, recordUsage, type UsageCharge } from "../../billing/operations.usage";
import type { PeriodOfCharge } from "../../billing/rules.billed";
import type { ChargeOwner, UsagePrice } from "../../billing/rules.charge";
import type { ChargeRow, RatedAmounts, UsageState } from "../../billing/table";
import type { InvoiceRow } from "../../invoices/table";
import { freeUnitsAt, unitsFreedBy, usedFreeUnits } from "../../pricing/free-units";
import type { RatedLine } from "../../pricing/line";
import { currencyOfCharge } from "../../pricing/models/charge";
import type { CommittedTime } from "../../pricing/models/commitment";
import type { LevelWindow } from "../../pricing/models/level";
import type { Share } from "../../pricing/proration";
import type { ChargeItem, RatedInvoice } from "../../pricing/rate";
import { billedSegments, isSameSegment, type SegmentedUsage } from "../../pricing/segment-cost";
import { convertUnits } from "../../pricing/unit-conversion";
import { minimumOfWindow, trueUpOfWindow, unitsCharged, type WindowState } from "../../pricing/window-cost";
import { worded, wordedAround } from "../../pricing/wording";
import type { SubscriptionRow } from "../table";
import { recordCommitments } from "./commitments/record";
import type { SettledCommitments } from "./commitments/settle";
import { countedChanges } from "./measures/highest-total";
import { chargeKeyOf, meteredBy, type UsageKey } from "./measures/measure";
import { segmentItems } from "./measures/segment-items";
import { amountsOf } from "./rules.amounts";
import { type PaidMinimum, rateBill } from "./rules.bill";
import { upsertUnspentMinimum } from "./store.minimums";
import type { SubscriptionUnspentMinimumRow } from "./table.minimums";

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
	/** If this bill ends the window: the share of its whole that these terms apply to. */
	readonly endedShare?: Share;
	/** The window is closed, and billed at its former prices. */
	readonly isLate: boolean;
	/** The state that its last bill has left. */
	readonly state?: UsageState | null;
	/** The segments whose cost is the quantity. */
	readonly segments?: SegmentedUsage;
	/** How the levels count whose cost is the quantity. */
	readonly levelWindow?: LevelWindow;
	/** How the windows run whose cost is the quantity. */
	readonly committedTime?: CommittedTime;
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
	/** The windows of commitments that the bill settles. */
	readonly commitments?: SettledCommitments;
}

export const noUsage: UsageCount = { windows: [], late: [], marks: [] };

export const allWindows = ({ windows, late }: UsageCount): CountedUsage[] => [
	...windows,
	...late.flatMap((one) => one.windows),
];

/** Returns the current charges of billed usage by their keys. */
export const usageChargesOf = (work: Work, subscription: Pick<SubscriptionRow, "id">): Map<string, ChargeRow> =>
	new Map(
		currentChargesOf(work, subscription, ["usage/", "overage/"])
			.filter(({ billedUntil }) => billedUntil !== null)
			.map((charge) => [charge.key, charge]),
	);

/**
 * Returns the items to bill. Usage that is billed already, or within a limit, makes no item. A window that ends makes one
 * for what it lacks to its minimum.
 */
export const usageItems = (counted: readonly CountedUsage[]): ChargeItem[] =>
	counted.flatMap((one) => [
		...(one.segments ? segmentItems(one.item, one.segments) : isToBill(one) ? [withFreeText(reachedBy(one))] : []),
		...trueUpItems(one),
	]);

/** Names the units that the item makes free. */
export function withFreeText(item: ChargeItem): ChargeItem {
	const freed = unitsFreedBy(item.freeUnits);
	if (freed.length === 0) return item;
	const units = toDecimal(sum(freed.map(({ quantity }) => exact(quantity))));
	return { ...item, ...worded({ codes: ["freeUnits"], of: `${item.description}: ${units}` }) };
}

/** An unused window can have fewer than no units. */
const reachedBy = ({ item, quantity, billed }: CountedUsage): ChargeItem =>
	exact(quantity).lt(exact(billed)) ? { ...item, quantity: billed } : item;

function isToBill(one: CountedUsage): boolean {
	const { quantity, billed, item, endedShare } = one;
	if (exact(quantity).gt(exact(billed))) return one.kind === "usage" || isBeyondLimit(one);
	// The flat price of unused tiers.
	return (
		endedShare !== undefined &&
		item.charge.tiers !== null &&
		item.charge.priceTerms?.chargesFlatPriceUnused === true &&
		(item.freeUnits ? unitsCharged(item, billed).eq(freeUnitsAt(item.freeUnits, "before")) : exact(billed).eq(0))
	);
}

/** Returns the item that charges what a window lacks to its minimum; none while the window continues, or without a minimum. */
export function trueUpItems({
	item,
	quantity,
	endedShare: share,
	segments,
}: Pick<CountedUsage, "item" | "quantity" | "endedShare" | "segments">): ChargeItem[] {
	const currency = currencyOfCharge(item.charge);
	if (!share || currency === undefined || item.charge.priceTerms?.minimumAmount === undefined) return [];
	// The cost of segments can fall where volume tiers make more units cheaper.
	const isLess = !segments?.lines && exact(item.billed ?? zero).gt(exact(quantity));
	const usage = isLess ? (item.billed ?? zero) : quantity;
	if (trueUpOfWindow(item, usage, share, currency).eq(0)) return [];
	return [
		{
			...item,
			...(segments?.lines && { billed: quantity }),
			...wordedAround("minimumAmount", item),
			kind: "MinimumSpendCharge",
			trueUp: { share },
		},
	];
}

export const isBeyondLimit = ({
	quantity,
	item: { unitTransformation = null, limit },
}: Pick<CountedUsage, "quantity" | "item">): boolean =>
	exact(convertUnits(quantity, unitTransformation)).gt(exact(limit ?? zero));

/** The minimum spend that late usage can use. */
export const minimumOfLate = ({ minimum }: LateUsage): PaidMinimum | null =>
	minimum && {
		...{ currency: minimum.currency, amount: minimum.amount, ...worded({ codes: ["coveredByMinimum"] }) },
		...(minimum.taxes && { taxes: minimum.taxes }),
	};

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
	const amountsOfWindow = amountsIn(rated);
	const byKey = Map.groupBy(allWindows(counted), chargeKeyOf);
	for (const { charge, closedUntil, ...mark } of counted.marks) {
		const key = chargeKeyOf(mark);
		const windows = [...Map.groupBy(byKey.get(key) ?? [], ({ window }) => window.start).values()].flatMap((alike) => {
			const [one] = alike;
			return one
				? [
						{
							...{
								...windowOf(one),
								isLate: one.isLate,
								rated: amountsOfWindow(alike),
								invoiceId: invoice?.id ?? null,
							},
							...{ usageState: stateAfter(alike) },
						},
					]
				: [];
		});
		const upTo = { key, billedUntil: closedUntil };
		const recorded = charge ? { ...charge, ...upTo } : upTo;
		recordUsage(work, ownerOf(subscription), recorded, windows, countedChanges(work, of(mark)));
	}
	for (const late of counted.late) drawDownMinimum(work, late);
	if (counted.unspent) upsertUnspentMinimum(work, counted.unspent);
	if (counted.commitments) recordCommitments(work, counted.commitments, { rated, invoice });
}

const windowOf = ({ window, quantity, averagedOverMs, billed, last, segments }: CountedUsage) => ({
	...window,
	// Canceled usage that was billed is not billed again when it returns. Segments have it in their cost.
	quantity: !segments?.lines && exact(billed).gt(exact(quantity)) ? billed : quantity,
	averagedOverMs,
	last,
});

/** Returns the state of a window after a bill, by the order of its prices; null if nothing of it is to be stored. */
function stateAfter(alike: readonly CountedUsage[]): UsageState | null {
	const { item: { freeUnits } = {} } = alike.find(({ item }) => item.freeUnits) ?? {};
	const free = freeUnits && { freeUnits: usedFreeUnits(freeUnits) };
	if (alike.every(({ item }) => !item.charge.priceTerms)) return free ?? null;
	const { state } = alike.find((one) => one.state) ?? {};
	const { segments } = alike.find((one) => one.segments) ?? {};
	const { levelWindow, item: { levels } = {} } = alike.find((one) => one.levelWindow) ?? {};
	const { committedTime, item: { commitment } = {} } = alike.find((one) => one.committedTime) ?? {};
	const { base } = state ?? {};
	const { item: { events } = {} } = alike.find(({ item }) => item.events !== undefined) ?? {};
	const minimums = alike.map(({ item, endedShare }, at) => {
		const currency = currencyOfCharge(item.charge);
		const minimum = endedShare && currency !== undefined ? minimumOfWindow(item, endedShare, currency) : undefined;
		return minimum ? toDecimal(minimum) : (state?.minimums?.[at] ?? null);
	});
	const hasEnded = alike.some(({ isLate, endedShare }) => isLate || endedShare !== undefined);
	return {
		...(base && { base }),
		...(hasEnded && { minimums }),
		...(events !== undefined && { events: (state?.events ?? 0) + events }),
		...(segments && { segments: billedSegments(segments) }),
		...(levelWindow && levels && { levels: { ...levelWindow, average: levels.average } }),
		...free,
		...(committedTime && commitment && { commitment: { ...committedTime, units: commitment.units } }),
	};
}

/** Returns the usage of a window that was billed on other terms. */
export const baseOf = (state: UsageState | null): Pick<WindowState, "base" | "baseFree"> =>
	state?.base ? { base: state.base.quantity, ...(state.base.free !== undefined && { baseFree: state.base.free }) } : {};

/** Returns a function that finds the amounts of usage in a bill. Each line is found once. */
function amountsIn(rated: readonly RatedInvoice[]) {
	const lines = rated.flatMap((one) => one.lines);
	const takeOne = (item: ChargeItem, { window }: CountedUsage): RatedLine[] => {
		const at = lines.findIndex(
			({ basis, period, featureRefId, addonRefId }) =>
				basis.charge?.billingModel === "USAGE_BASED" &&
				!basis.isCredit &&
				(basis.trueUp === undefined) === (item.trueUp === undefined) &&
				basis.adjusts === item.adjusts &&
				isSameSegment(basis.segment, item.segment) &&
				basis.chargeKey === item.chargeKey &&
				(basis.charge.isOverage ?? false) === (item.charge.isOverage ?? false) &&
				period?.start === window.start &&
				featureRefId === (item.featureRefId ?? null) &&
				addonRefId === (item.addonRefId ?? null) &&
				basis.quantity === item.quantity &&
				basis.billed === item.billed,
		);
		return at < 0 ? [] : lines.splice(at, 1);
	};
	const take = (one: CountedUsage): RatedLine[] => usageItems([one]).flatMap((item) => takeOne(item, one));
	return (alike: readonly CountedUsage[]): RatedAmounts => amountsOf(alike.flatMap(take));
}

/** Records the usage of a window as not billable. Earlier bills of the window keep their prices. */
export function recordExcluded(
	work: Work,
	subscription: SubscriptionRow,
	counted: CountedUsage,
	charge: Omit<UsageCharge, "billedUntil">,
): void {
	const { usageQuantity, usageState } = counted.last?.period ?? {};
	const billed = usageQuantity ?? zero;
	const free = usageState?.freeUnits && { usageState: { freeUnits: usageState.freeUnits } };
	const events = countedChanges(work, meteredBy(work, subscription)(counted));
	const window = { ...windowOf({ ...counted, billed }), ...free };
	excludeUsage(work, ownerOf(subscription), { ...charge, billedUntil: null }, window, events);
}

export const priceOf = ({
	quantity: _,
	billed: __,
	period: ___,
	window: ____,
	freeUnits: _____,
	...price
}: ChargeItem): UsagePrice => price;

function drawDownMinimum(work: Work, late: LateUsage): void {
	if (!late.minimum) return;
	const items = usageItems(late.windows);
	const [rated] = rateBill({ sections: [{ items, minimumSpendPaid: minimumOfLate(late) }] });
	if (!rated) return;
	const amount = toDecimal(exact(late.minimum.amount).minus(exact(rated.minimumDrawdown)));
	upsertUnspentMinimum(work, { ...late.minimum, amount });
}
