import type { Instant } from "../../../kernel/clock";
import { type Period, utc } from "../../../kernel/period";
import type { Work } from "../../../kernel/work";
import type { ChargeItem } from "../../pricing/rate";
import { intervalOf } from "../../pricing/rules.billing-period";
import { billingPeriodContaining, type Cycle, zoneOf } from "../rules";
import type { ChargedPeriod, DiscountAndTax, SubscriptionRow } from "../table";
import { type PhaseTerms, placeFromStart, runningPhase } from "../terms/phases";
import { inPhase, type Sale } from "../terms/sale";
import { chargedColumns } from "./charged";
import { type CycleTerms, cycleFrom, firstPeriodOf, planOf, statedAnchor } from "./cycle";
import { chargedPeriodOf, prorateItems } from "./rules.bill";

/** How the first period begins. */
export interface FirstPeriodStart {
	/** When access starts: now, or earlier. */
	readonly from: Instant;
	/** The running subscriptions that it replaces. */
	readonly replaced: readonly SubscriptionRow[];
	readonly anchor?: "UNCHANGED" | "NOW" | undefined;
}

/** The first billing period of a subscription. */
export interface BillingCycle extends Cycle, Pick<SubscriptionRow, "nextCycle" | "cycleStartsAt"> {
	/** The whole period, of which the charge may be a part. */
	readonly period: Period;
	/** Recurring charges of the period are a gift. */
	readonly isFree: boolean;
	/** The start of the charge within the period. */
	readonly from: Instant;
	readonly isPast: boolean;
	/** The replaced subscription whose cycle it continues. */
	readonly continued: SubscriptionRow | undefined;
	/** The continued period ends later than now, so the charge is prorated. */
	readonly isMidway: boolean;
}

/** Returns the cycle in which the first period is charged; undefined if nothing is priced. */
export function billingCycleOf(
	work: Work,
	row: CycleTerms,
	{ billingPeriod, plan }: Sale,
	{ from, replaced, anchor }: FirstPeriodStart,
): BillingCycle | undefined {
	if (billingPeriod === null) return undefined;
	const isPast = from < work.now;
	const continued =
		anchor === "NOW" || isPast
			? undefined
			: replaced.find((one) => one.billingPeriod === billingPeriod && hasSameCycle(work, one, row, plan));
	const cycle = continued?.billingAnchorAt
		? { anchorAt: continued.billingAnchorAt, timeZone: continued.timeZone }
		: cycleFrom(work, row, plan, { from, interval: intervalOf(billingPeriod) }, anchor);
	const whole = billingPeriodContaining(cycle, billingPeriod, work.now);
	const begun = from > whole.start ? from : whole.start;
	const isMidway = continued !== undefined && continued.billedUntil !== null && continued.billedUntil > work.now;
	const { nextCycle = null, cycleStartsAt = null } = continued ?? {};
	const firstPeriod = replaced.length === 0 ? firstPeriodOf(work, row, plan) : undefined;
	return {
		...cycle,
		...{ nextCycle, cycleStartsAt, from: begun, isPast, continued, isMidway },
		period: firstPeriod === "FULL" ? { start: begun, end: whole.end } : whole,
		isFree: firstPeriod === "FREE",
	};
}

/** A call that names another anchor or zone, or a plan with another anchor, starts another cycle. */
const hasSameCycle = (work: Work, one: SubscriptionRow, row: CycleTerms, plan: Sale["plan"]): boolean =>
	one.billingAnchorAt !== null &&
	(zoneOf(one) ?? utc) === (row.timeZone ?? utc) &&
	Bun.deepEquals(withoutFirst(statedAnchor(one, planOf(work, one))), withoutFirst(statedAnchor(row, plan)));

const withoutFirst = (anchor: SubscriptionRow["billingAnchor"]) => anchor && { ...anchor, firstPeriod: undefined };

export const cycleColumns = ({ anchorAt, timeZone, nextCycle, cycleStartsAt }: BillingCycle) => ({
	...{ billingAnchorAt: anchorAt, timeZone, nextCycle, cycleStartsAt },
});

/** Returns the sale in the phase of an instant. The steps of later phases follow at their own times. */
export function inFirstPhase(row: PhaseTerms, base: Sale, cycle: Cycle | undefined, at: Instant) {
	const phase = cycle ? placeFromStart({ ...row, timeZone: cycle.timeZone }, base.plan, at) : null;
	return { phase, sale: inPhase(base, runningPhase({ ...row, phase }, base.plan)) };
}

/** The columns of a subscription that is not charged, or not yet. */
export const noBillingCycle = {
	billingAnchorAt: null,
	nextCycle: null,
	cycleStartsAt: null,
	termsChangedAt: null,
	phase: null,
	runningTerm: null,
	billedUntil: null,
	usageBilledFrom: null,
	usageDueAt: null,
	...chargedColumns(null),
} as const;

/** Records the period as charged, so that a change mid-cycle charges only the difference. */
export function asChargedElsewhere(
	items: readonly ChargeItem[],
	cycle: BillingCycle,
	terms: DiscountAndTax,
): ChargedPeriod | null {
	const section = { items: prorateItems(items, cycle.period, cycle.from), ...terms };
	const charged = chargedPeriodOf(items, cycle, terms, [section], null);
	return charged && { ...charged, elsewhere: true };
}
