import type { Instant } from "../../../../kernel/clock";
import { assert } from "../../../../kernel/errors";
import type { Period } from "../../../../kernel/period";
import type { Work } from "../../../../kernel/work";
import { intervalOf } from "../../../pricing/rules.billing-period";
import { billingPeriodAt, billingPeriodContaining, type Cycle, cycleOf, keptZoneOf } from "../../rules";
import { cycleFrom } from "../cycle";
import { assertRuns } from "../dated/dated-change";
import { usageDueAfter } from "../rules.usage-intervals";
import type { Billing, ChangeOfTerms, ChargedChange, InvoicedTerms } from "./requested";

/** The billing cycle after a change. */
export interface CycleAfter extends Cycle {
	readonly period: Period;
	readonly resetsBillingCycle: boolean;
	/** The period ends at this very instant, so its renewal comes next and charges the new terms. */
	readonly isAtRenewal: boolean;
	/** When the terms are charged: now, or when their paid invoice was issued. */
	readonly chargedAt: Instant;
	/** The paid invoice of the terms, where only usage remains to be billed. */
	readonly paid: InvoicedTerms | undefined;
	/** From when the running period is charged on the new terms, and usage at the new prices: now, or earlier. */
	readonly at: Instant;
}

export function cycleAfter(
	work: Work,
	{ before, after, sale: { billingPeriod, plan } }: ChargedChange,
	{ anchor, part, invoiced, effectiveAt = work.now }: Billing,
): CycleAfter {
	assert(billingPeriod !== null, "a charged sale has a billing period");
	const paid = part === "usage" ? invoiced : undefined;
	const { billedUntil, charged } = before;
	const begun = charged?.period.start ?? billingPeriodAt(before, work.now)?.start ?? effectiveAt;
	const at = effectiveAt > begun || effectiveAt === work.now ? effectiveAt : begun;
	const chargedAt = paid?.at ?? at;
	const present = anchor === "NOW" || billingPeriod !== before.billingPeriod ? null : cycleOf(before);
	const resetsBillingCycle = present === null;
	const cycle =
		present ??
		cycleFrom(
			work,
			{ ...after, timeZone: keptZoneOf(after) },
			plan,
			{ from: chargedAt, interval: intervalOf(billingPeriod) },
			anchor,
		);
	// The running period is the one that was charged. The first one may cost the whole for a part.
	const isRunning =
		!resetsBillingCycle && charged && charged.period.start <= chargedAt && chargedAt < charged.period.end;
	const period = isRunning ? charged.period : billingPeriodContaining(cycle, billingPeriod, chargedAt);
	if (resetsBillingCycle && effectiveAt < work.now) assertRuns(work, period, { at, effectiveAt });
	return {
		...cycle,
		...{ at, period },
		resetsBillingCycle,
		isAtRenewal: !resetsBillingCycle && billedUntil !== null && billedUntil <= work.now,
		chargedAt,
		paid,
	};
}

/** Usage that is due at this very instant, after the change, is still billed. */
export function nextUsageDue(
	work: Work,
	{ before: { usageDueAt }, sale }: ChangeOfTerms,
	{ anchorAt, timeZone, period, resetsBillingCycle }: CycleAfter,
): Instant | null {
	if (!resetsBillingCycle && usageDueAt !== null && usageDueAt <= work.now) return usageDueAt;
	return usageDueAfter(sale, { anchorAt, timeZone }, period.end, work.now);
}
