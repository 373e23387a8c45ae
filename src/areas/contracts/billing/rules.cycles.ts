import type { Instant } from "../../../kernel/clock";
import type { Decimal } from "../../../kernel/decimal";
import { addUnits, type CalendarUnit, type Period } from "../../../kernel/period";
import type { ContractRow as PricedRow } from "../../pricing/models/contract-rows";
import { type Share, shareOf, wholePeriod } from "../../pricing/proration";
import type { Totals } from "../../pricing/totals";
import type { PricingModelId } from "../rules.models";
import type { BillingCycleUnit, PaymentTime } from "../schema";

/** The attributes of a line item that totals and the schedule use. */
export interface RatedItem {
	readonly id: string;
	readonly name: string;
	readonly itemName: string | null;
	readonly pricingModelId: PricingModelId;
	readonly rows: readonly PricedRow[];
	readonly billingCycleUnit: BillingCycleUnit;
	readonly billingCycleCount: number;
	readonly paymentTime: PaymentTime;
	readonly discount: Decimal | null;
	readonly tax: Decimal | null;
	/** Null: the default of its legal entity. */
	readonly netTerms: number | null;
	readonly separateInvoice: boolean;
	/** Whether a cycle that the window cuts short is prorated; otherwise it is charged in full. */
	readonly prorateCutCycles: boolean;
	readonly currency: string;
	readonly legalEntityId: string;
	readonly paymentAccountId: string;
	readonly activationStartAt: Instant | null;
	readonly activationEndAt: Instant | null;
	/** The anchor of its cycles, at its start or earlier; null: its start. */
	readonly cyclesFrom: Instant | null;
	/** Cycles that end by then are invoiced; null: none. */
	readonly billedUntil: Instant | null;
	/** The sums of its invoices; null: nothing is invoiced. */
	readonly billed: Totals | null;
	/** When an amendment removed it; null: never. */
	readonly takenOutAt: Instant | null;
}

/** A period for which a line is invoiced once. */
export interface Cycle extends Period {
	/** The charged part of a whole cycle. */
	readonly share: Share;
}

type Timed = Pick<
	RatedItem,
	| "billingCycleUnit"
	| "billingCycleCount"
	| "prorateCutCycles"
	| "activationStartAt"
	| "activationEndAt"
	| "cyclesFrom"
	| "billedUntil"
>;

const cycleSteps: Record<
	Exclude<BillingCycleUnit, "one_time">,
	{ unit: CalendarUnit; step: number; daysMin: number }
> = {
	weekly: { unit: "weeks", step: 1, daysMin: 7 },
	monthly: { unit: "months", step: 1, daysMin: 28 },
	quarterly: { unit: "months", step: 3, daysMin: 89 },
	yearly: { unit: "years", step: 1, daysMin: 365 },
};

const dayMs = 24 * 60 * 60 * 1000;

/**
 * Returns the number of cycles that overlap the activation window, cut ones included. So an end on the last day (31
 * December) and one on the day after give the same number. `one_time`, and a window without both ends, count once
 * (docs/interface/contracts.md).
 */
export function cyclesOf(item: Timed): number {
	const { billingCycleUnit, activationStartAt: start, activationEndAt: end } = item;
	if (billingCycleUnit === "one_time" || start === null || end === null) return 1;
	return indexFrom(item, start, end) - firstIndex(item, start);
}

/** Returns the cycles that are not invoiced yet, in order. Cycles of an item without a start are counted from `now`. */
export function* unbilledCycles(item: Timed, now: Instant): Generator<Cycle> {
	const { count, at } = unbilled(item, now);
	for (let place = 0; place < count; place += 1) yield at(place);
}

/**
 * Returns the number of cycles that are not invoiced yet, and access to each by its index from 0. Only the first and
 * the last can be cut.
 */
export function unbilled(item: Timed, now: Instant): { readonly count: number; readonly at: (place: number) => Cycle } {
	const start = item.activationStartAt ?? now;
	const { billedUntil, activationEndAt } = item;
	if (item.billingCycleUnit === "one_time") {
		const once = { start, end: activationEndAt ?? start, share: wholePeriod };
		return { count: billedUntil === null ? 1 : 0, at: () => once };
	}
	const begin = begins(item, start);
	// Without both ends there is one full cycle.
	const isOpen = item.activationStartAt === null || activationEndAt === null;
	const end = isOpen ? begin(firstIndex(item, start) + 1) : activationEndAt;
	const from = billedUntil !== null && billedUntil > start ? billedUntil : start;
	const first = firstIndex(item, start, from);
	return {
		count: from < end ? indexFrom(item, start, end) - first : 0,
		at: (place) => {
			const whole = { start: begin(first + place), end: begin(first + place + 1) };
			return cycleWithin(item, whole, { start: from, end }, billedUntil);
		},
	};
}

/** Returns the end of the paid time: a cut last cycle that was charged in full is paid to its own end. */
export function paidUntil(item: Timed): Instant | null {
	const { billingCycleUnit, prorateCutCycles, activationStartAt: start, activationEndAt: end, billedUntil } = item;
	const isWhole = billingCycleUnit !== "one_time" && !prorateCutCycles;
	if (billedUntil === null || start === null || billedUntil !== end || !isWhole) return billedUntil;
	return begins(item, start)(firstIndex(item, start, (billedUntil - 1) as Instant) + 1);
}

/** Charged in full unless the item says otherwise, but never for invoiced time. */
function cycleWithin(item: Timed, whole: Period, window: Period, billedUntil: Instant | null): Cycle {
	const start = Math.max(window.start, whole.start) as Instant;
	const end = Math.min(window.end, whole.end) as Instant;
	const isPartlyBilled = billedUntil !== null && billedUntil > whole.start;
	const isParted = item.prorateCutCycles || isPartlyBilled;
	return { start, end, share: isParted ? shareOf(whole, { start, end }) : wholePeriod };
}

/** Returns the start of each cycle, counted from the item's anchor. */
function begins({ billingCycleUnit, billingCycleCount, cyclesFrom }: Timed, start: Instant) {
	const anchor = cyclesFrom ?? start;
	const { unit, step } = cycleSteps[billingCycleUnit === "one_time" ? "monthly" : billingCycleUnit];
	return (index: number): Instant => addUnits(anchor, unit, index * step * billingCycleCount);
}

/** Returns the cycle that contains an instant. */
const firstIndex = (item: Timed, start: Instant, at: Instant = start): number =>
	indexFrom(item, start, (at + 1) as Instant) - 1;

/** Returns the first cycle that begins at or after an instant, by bisection: a cycle has at least `daysMin` days. */
function indexFrom(item: Timed, start: Instant, at: Instant): number {
	const begin = begins(item, start);
	const { daysMin } = cycleSteps[item.billingCycleUnit === "one_time" ? "monthly" : item.billingCycleUnit];
	let low = 1;
	let high = Math.max(1, Math.ceil((at - begin(0)) / (daysMin * item.billingCycleCount * dayMs)));
	while (low < high) {
		const middle = Math.floor((low + high) / 2);
		if (begin(middle) >= at) high = middle;
		else low = middle + 1;
	}
	return low;
}
