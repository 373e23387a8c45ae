import type { Instant } from "../../../kernel/clock";
import type { Decimal } from "../../../kernel/decimal";
import type { Interval } from "../../../kernel/period";
import type { Charge, ItemTerms } from "../../billing/rules.charge";
import * as periods from "../../billing/rules.periods";
import type { ContractRow as PricedRow } from "../../pricing/models/contract-rows";
import type { AppliedTax } from "../../pricing/tax";
import type { Totals } from "../../pricing/totals";
import { type PricingModelId, pricingModel } from "../rules.models";
import type { BillingCycleUnit, ContractPaymentTime } from "../schema";

/** The attributes of a line item that its charge translates. */
export interface ScheduledItem {
	readonly id: string;
	readonly name: string;
	readonly itemName: string | null;
	readonly pricingModelId: PricingModelId;
	readonly rows: readonly PricedRow[];
	readonly billingCycleUnit: BillingCycleUnit;
	readonly billingCycleCount: number;
	readonly paymentTime: ContractPaymentTime;
	readonly discount: Decimal | null;
	readonly tax: Decimal | null;
	/** Missing: none, or not loaded (`withTaxes`). Never together with `tax`. */
	readonly taxes?: readonly AppliedTax[];
	/** Taxes are rounded for each invoice. Missing: for each line. */
	readonly taxRounding?: "INVOICE";
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
	/** When an amendment removed it; null: never. */
	readonly takenOutAt: Instant | null;
}

/** A line item with the sums of its invoices; null: nothing is invoiced. */
export interface RatedItem extends ScheduledItem {
	readonly billed: Totals | null;
}

/** A period for which a line is invoiced once. */
export type Cycle = periods.Stretch;

const intervals: Record<Exclude<BillingCycleUnit, "one_time">, Interval> = {
	weekly: { unit: "DAY", count: 7 },
	monthly: { unit: "MONTH", count: 1 },
	quarterly: { unit: "MONTH", count: 3 },
	yearly: { unit: "MONTH", count: 12 },
};

/**
 * Translates a line item into its charge. Without a start it begins `now`; without both dates it has one full cycle
 * (docs/interface/contracts.md).
 */
export function chargeOf(item: ScheduledItem, now: Instant): Charge {
	const { activationStartAt, activationEndAt, paymentTime, prorateCutCycles, billedUntil } = item;
	const startsAt = activationStartAt ?? now;
	const interval = intervalOf(item);
	const anchorAt = item.cyclesFrom ?? startsAt;
	const isOpen = activationStartAt === null || activationEndAt === null;
	const endsAt =
		isOpen && interval !== null ? periods.periodEnd({ anchorAt, interval }, startsAt) : (activationEndAt ?? startsAt);
	const prorationMode = prorateCutCycles ? "BY_TIME" : "NONE";
	return {
		key: item.id,
		terms: termsOf(item),
		startsAt,
		endsAt,
		interval,
		anchorAt,
		prorationMode,
		paymentTime,
		billedUntil,
	};
}

function intervalOf({ billingCycleUnit, billingCycleCount }: ScheduledItem): Interval | null {
	if (billingCycleUnit === "one_time") return null;
	const { unit, count } = intervals[billingCycleUnit];
	return { unit, count: count * billingCycleCount };
}

/** The unit transformation of usage is known when it is billed. */
export function termsOf({ pricingModelId, rows, currency, discount, tax, taxes }: ScheduledItem): ItemTerms {
	const { rowModel: model, isPayAsYouGo } = pricingModel(pricingModelId);
	return {
		price: { model, isPayAsYouGo, rows },
		unitTransformation: null,
		currency,
		discount: discount === null ? null : { percentOff: discount, amountsOff: null },
		taxPercentage: tax,
		...(taxes && { taxes }),
	};
}

/**
 * Returns the number of cycles that overlap the activation window, cut ones included. So an end on the last day (31
 * December) and one on the day after give the same number. `one_time`, and a window without both ends, count once
 * (docs/interface/contracts.md).
 */
export const cyclesOf = (item: ScheduledItem): number => periods.countPeriods(chargeOf(item, 0 as Instant));

/**
 * Returns the number of cycles that are not invoiced yet, and access to each by its index from 0. Cycles of an item
 * without a start are counted from `now`.
 */
export const unbilled = (item: ScheduledItem, now: Instant) => periods.unbilledPeriods(chargeOf(item, now));

/** Returns the end of the paid time: a cut last cycle that was charged in full is paid to its own end. */
export const paidUntil = (item: ScheduledItem): Instant | null =>
	item.activationStartAt === null ? item.billedUntil : periods.paidUntil(chargeOf(item, item.activationStartAt));
