import { type Instant, instantOf } from "../../../kernel/clock";
import { fail } from "../../../kernel/errors";
import type { Money } from "../../../kernel/money";
import { periodContaining } from "../../../kernel/period";
import type { Work } from "../../../kernel/work";
import { findResource } from "../../customers/operations";
import { comparePrices, type PriceChange } from "../../pricing/price-change";
import { billingPeriodContaining } from "../rules";
import type { ScheduleStrategy } from "../schema.provision";
import { countRunning, selectCurrent } from "../store";
import type { SubscriptionRow } from "../table";
import { billInAdvance } from "../terms/charge-items";
import type { Sale } from "../terms/prepare-sale";
import { saleOf } from "../terms/subscription-sale";

/** Our choice: the interface names the refusal but no number. It bounds what an entitlement read has to look at. */
export const runningPerCustomerMax = 1000;

/**
 * What there is for a customer and product, and, where the product allows several, for one resource: at most one that is
 * active and one trial, and what is yet to start or to be paid (docs/interface/subscriptions.md).
 */
export interface CurrentSubscriptions {
	readonly active: SubscriptionRow | undefined;
	readonly trial: SubscriptionRow | undefined;
	readonly waiting: readonly SubscriptionRow[];
}

/** `resourceRef` is the caller's id. TooManySubscriptionsPerCustomer. */
export function currentSubscriptionsFor(
	work: Work,
	customerId: string,
	resourceRef: string | null,
	sale: Pick<Sale, "product">,
): CurrentSubscriptions {
	const resourceId = resourceRef === null ? null : (findResource(work, customerId, resourceRef)?.id ?? "");
	return currentSubscriptionsOf(work, { customerId, resourceId }, sale);
}

/** `resourceId` is the row id. */
export function currentSubscriptionsOf(
	work: Work,
	{ customerId, resourceId }: Pick<SubscriptionRow, "customerId" | "resourceId">,
	{ product }: Pick<Sale, "product">,
): CurrentSubscriptions {
	if (countRunning(work, customerId) >= runningPerCustomerMax)
		throw fail(
			"TooManySubscriptionsPerCustomer",
			`A customer may have ${runningPerCustomerMax} running subscriptions, and this one has them; cancel one first.`,
		);
	const anyResource = !product.multipleSubscriptions;
	const rows = selectCurrent(work, { customerId, productId: product.id, resourceId, anyResource });
	return {
		active: rows.find(({ status }) => status === "ACTIVE"),
		trial: rows.find(({ status }) => status === "IN_TRIAL"),
		waiting: rows.filter(({ status }) => status === "NOT_STARTED" || status === "PAYMENT_PENDING"),
	};
}

/** Without the row itself: what it takes the place of, or would be beside. */
export const excluding = (current: CurrentSubscriptions, { id }: SubscriptionRow): CurrentSubscriptions => ({
	active: current.active?.id === id ? undefined : current.active,
	trial: current.trial?.id === id ? undefined : current.trial,
	waiting: current.waiting.filter((row) => row.id !== id),
});

/** To and from a custom price there is nothing to compare: it counts as an upgrade, and is had at once. (Our choice.) */
export function priceChangeOf(
	work: Work,
	active: SubscriptionRow | undefined,
	sale: Sale,
	minimumSpend: Money | null,
): PriceChange {
	if (!active || active.pricingType === "CUSTOM" || sale.plan.pricingType === "CUSTOM") return "upgrade";
	const held = saleOf(work, active);
	return comparePrices(
		{ items: billInAdvance({ ...held, minimumSpend: active.minimumSpend }, null), billingPeriod: held.billingPeriod },
		{ items: billInAdvance({ ...sale, minimumSpend }, null), billingPeriod: sale.billingPeriod },
	);
}

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
