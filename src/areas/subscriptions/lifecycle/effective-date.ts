import { type Instant, instantOf } from "../../../kernel/clock";
import { fail } from "../../../kernel/errors";
import { periodContaining } from "../../../kernel/period";
import type { Work } from "../../../kernel/work";
import type { PriceChange } from "../../pricing/price-change";
import { billingPeriodContaining } from "../rules";
import type { ScheduleStrategy } from "../schema.provision";
import type { SubscriptionRow } from "../table";
import type { Sale } from "../terms/sale";

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
 * When a change takes effect: as the call says, else at once, but for a downgrade of a product that lets it wait for the end
 * of the billing period (`prorateAtEndOfBillingPeriod`). InvalidArgumentError, SchedulingAtEndOfBillingPeriod.
 */
export function effectiveDateOf(
	work: Work,
	{ startDate, scheduleStrategy }: Timing,
	{ active, sale, priceChange }: Change,
): Instant {
	if (startDate !== undefined && scheduleStrategy !== undefined && scheduleStrategy !== "IMMEDIATE")
		throw fail("InvalidArgumentError", "Give either 'startDate' or 'scheduleStrategy', not both.");
	if (startDate !== undefined) return instantOf(startDate);
	const waits = priceChange === "downgrade" && sale.product.settings.prorateAtEndOfBillingPeriod === true;
	// What a product lets wait can only wait where there is a period to wait for.
	const strategy =
		scheduleStrategy ?? (waits && billingPeriodEnd(work, active) !== null ? "END_OF_BILLING_PERIOD" : "IMMEDIATE");
	return strategy === "IMMEDIATE" ? work.now : scheduledDate(work, active, strategy);
}

/** SchedulingAtEndOfBillingPeriod where there is no period. */
export function scheduledDate(
	work: Work,
	active: SubscriptionRow | undefined,
	strategy: "END_OF_BILLING_PERIOD" | "END_OF_BILLING_MONTH",
): Instant {
	const end = billingPeriodEnd(work, active);
	if (!active || end === null)
		throw fail(
			"SchedulingAtEndOfBillingPeriod",
			"No subscription runs here that has a billing period to wait for; use the schedule strategy IMMEDIATE.",
		);
	if (strategy === "END_OF_BILLING_PERIOD" || active.billingAnchorAt === null) return end;
	return periodContaining(active.billingAnchorAt, "months", 1, work.now).end;
}

/** The end of the billing period that runs; null where nothing is billed by periods. */
export const billingPeriodEnd = (work: Work, row: SubscriptionRow | undefined): Instant | null =>
	row?.status !== "ACTIVE" || row.billingAnchorAt === null || row.billingPeriod === null
		? null
		: billingPeriodContaining(row.billingAnchorAt, row.billingPeriod, work.now).end;
