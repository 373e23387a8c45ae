import { type Instant, instantOf } from "../../../kernel/clock";
import { fail } from "../../../kernel/errors";
import { oneMonth, periodContaining, utc } from "../../../kernel/period";
import type { Work } from "../../../kernel/work";
import { sessionKindOf } from "../../access/rules.actors";
import type { PriceChange } from "../../pricing/price-change";
import { isWholeMonths, periodText } from "../../pricing/rules.billing-period";
import { endAfterNotice } from "../../pricing/rules.terms";
import { billingPeriodAt, recurrenceOf } from "../rules";
import { earlier } from "../rules.due";
import type { ScheduleStrategy } from "../schema.provision";
import type { SubscriptionRow } from "../table";
import type { Sale } from "../terms/sale";
import { runningTermOf } from "../terms/term";

interface Timing {
	readonly startDate?: string | undefined;
	readonly scheduleStrategy?: ScheduleStrategy | undefined;
}

interface Change {
	readonly active: SubscriptionRow | undefined;
	readonly sale: Pick<Sale, "product">;
	readonly priceChange: PriceChange;
}

/**
 * Returns when a change takes effect: as the call says, else at once. A downgrade waits for the end of the billing
 * period if the product says so (`prorateAtEndOfBillingPeriod`). Throws InvalidArgumentError, SchedulingAtEndOfBillingPeriod.
 */
export function effectiveDateOf(
	work: Work,
	{ startDate, scheduleStrategy }: Timing,
	{ active, sale, priceChange }: Change,
): Instant {
	if (startDate !== undefined && scheduleStrategy !== undefined && scheduleStrategy !== "IMMEDIATE")
		throw fail("InvalidArgumentError", "Give either 'startDate' or 'scheduleStrategy', not both.");
	if (startDate !== undefined) return instantOf(startDate);
	const bound = priceChange === "downgrade" ? boundOfCustomer(work, active) : null;
	if (bound !== null) return bound;
	const waits = priceChange === "downgrade" && sale.product.settings.prorateAtEndOfBillingPeriod === true;
	// The product's default waits only if there is a billing period.
	const strategy =
		scheduleStrategy ?? (waits && billingPeriodEnd(work, active) !== null ? "END_OF_BILLING_PERIOD" : "IMMEDIATE");
	return strategy === "IMMEDIATE" ? work.now : scheduledDate(work, active, strategy);
}

/** Returns the end of a term that binds, if a customer asks in the portal; the seller decides for itself. */
function boundOfCustomer(work: Work, active: SubscriptionRow | undefined): Instant | null {
	const running = active && sessionKindOf(work.actor) !== undefined ? runningTermOf(active) : null;
	if (!active || !running || running.agreed.earlyCancellation === "ALLOWED") return null;
	return endAfterNotice(running, work.now, work.now, active.timeZone ?? utc);
}

/** SchedulingAtEndOfBillingPeriod without a billing period; UnsupportedParameter for the month of a period that has none. */
export function scheduledDate(
	work: Work,
	active: SubscriptionRow | undefined,
	strategy: "END_OF_BILLING_PERIOD" | "END_OF_BILLING_MONTH",
): Instant {
	const end = billingPeriodEnd(work, active);
	if (!active || end === null)
		throw fail(
			"SchedulingAtEndOfBillingPeriod",
			"There is no active subscription with a billing period to wait for; use the schedule strategy IMMEDIATE.",
		);
	if (strategy === "END_OF_BILLING_PERIOD" || active.billingAnchorAt === null) return end;
	if (active.billingPeriod !== null && !isWholeMonths(active.billingPeriod))
		throw fail(
			"UnsupportedParameter",
			`body: 'scheduleStrategy' END_OF_BILLING_MONTH needs a billing period of whole months, and this one is ${periodText(active.billingPeriod)}; choose END_OF_BILLING_PERIOD.`,
		);
	const months = recurrenceOf({ anchorAt: active.billingAnchorAt, timeZone: active.timeZone }, oneMonth);
	return earlier(end, periodContaining(months, work.now).end) ?? end;
}

/** Returns the end of the current billing period; null if nothing is billed by periods. */
export const billingPeriodEnd = (work: Work, row: SubscriptionRow | undefined): Instant | null =>
	row?.status === "ACTIVE" ? (billingPeriodAt(row, work.now)?.end ?? null) : null;
