import type { Instant } from "../../kernel/clock";
import { fail } from "../../kernel/errors";
import { type Interval, type Period, periodContaining, type Recurrence, utc } from "../../kernel/period";
import { type BillingPeriod, intervalOf } from "../pricing/rules.billing-period";
import type { UsageResetBehavior } from "../products/schema";
import type { SubscriptionUpdate } from "./schema.update";
import type { SubscriptionRow } from "./table";

/** Where billing periods count from. */
export interface Cycle {
	readonly anchorAt: Instant;
	/** Null: UTC. */
	readonly timeZone: string | null;
}

export const recurrenceOf = ({ anchorAt, timeZone }: Cycle, interval: Interval): Recurrence => ({
	anchorAt,
	interval,
	...(timeZone !== null && { timeZone }),
});

/** Periods are counted from the anchor; months end on the last day of shorter months. */
export const billingPeriodContaining = (cycle: Cycle, billingPeriod: BillingPeriod, at: Instant): Period =>
	periodContaining(recurrenceOf(cycle, intervalOf(billingPeriod)), at);

/** The columns of a subscription from which its billing periods count. */
export type Counted = Pick<SubscriptionRow, "billingAnchorAt" | "billingPeriod" | "timeZone" | "cycleStartsAt">;

/** Returns the billing periods of a subscription; null if nothing is charged by periods. */
export function recurrenceOfRow(row: Omit<Counted, "cycleStartsAt">): Recurrence | null {
	const cycle = cycleOf(row);
	return cycle && row.billingPeriod !== null ? recurrenceOf(cycle, intervalOf(row.billingPeriod)) : null;
}

/** Returns the cycle of a subscription; null if nothing is charged by periods. */
export const cycleOf = ({
	billingAnchorAt,
	timeZone,
}: Omit<Counted, "billingPeriod" | "cycleStartsAt">): Cycle | null =>
	billingAnchorAt === null ? null : { anchorAt: billingAnchorAt, timeZone };

/** The zone that a subscription has, or has once its paid period has run out. */
export const zoneOf = ({ nextCycle, timeZone }: Pick<SubscriptionRow, "nextCycle" | "timeZone">): string | null =>
	nextCycle ? nextCycle.timeZone : timeZone;

/** UTC is not shown. */
export function shownZone(row: Pick<SubscriptionRow, "nextCycle" | "timeZone">): string | null {
	const zone = zoneOf(row);
	return zone === utc ? null : zone;
}

/**
 * Returns the zone in which new periods of a subscription count, also those of the plan that replaces it. One that is charged keeps its
 * zone, even UTC, whatever the zone of the environment is by then. Null: it has none yet.
 */
export const keptZoneOf = (row: Pick<SubscriptionRow, "nextCycle" | "timeZone" | "billingAnchorAt">): string | null =>
	zoneOf(row) ?? (row.billingAnchorAt === null ? null : utc);

/**
 * Returns the billing period of a subscription that contains an instant: the part since its anchor or zone changed. Null
 * if nothing is charged by periods.
 */
export function billingPeriodAt(row: Counted, at: Instant): Period | null {
	const cycle = cycleOf(row);
	if (!cycle || row.billingPeriod === null) return null;
	const period = billingPeriodContaining(cycle, row.billingPeriod, at);
	const { cycleStartsAt } = row;
	if (cycleStartsAt === null || period.start >= cycleStartsAt) return period;
	return at < cycleStartsAt
		? { ...period, end: Math.min(period.end, cycleStartsAt) as Instant }
		: { ...period, start: cycleStartsAt };
}

interface SoldPlan {
	readonly refId: string;
	readonly productId: string;
	readonly compatibleAddonRefs: readonly string[] | null;
}
interface SoldAddon {
	readonly version: {
		readonly refId: string;
		readonly productId: string;
		readonly maxQuantity: number | null;
		readonly dependencyRefs: readonly string[] | null;
	};
	readonly quantity: number;
}

/**
 * Checks which addons a plan allows, and how many of each (docs/interface/subscriptions.md).
 * Throws DuplicateAddonProvisionedError, IncompatibleSubscriptionAddon, InvalidQuantity, AddonQuantityExceedsLimitError,
 * AddonDependencyMissingError.
 */
export function assertAddonsFit(plan: SoldPlan, addons: readonly SoldAddon[]): void {
	const refs = new Set<string>();
	for (const { version, quantity } of addons) {
		const addon = `addon '${version.refId}'`;
		if (refs.has(version.refId))
			throw fail("DuplicateAddonProvisionedError", `The ${addon} is listed twice; give it once, with its quantity.`);
		refs.add(version.refId);
		const compatible = plan.compatibleAddonRefs
			? plan.compatibleAddonRefs.includes(version.refId)
			: version.productId === plan.productId;
		if (!compatible)
			throw fail("IncompatibleSubscriptionAddon", `The ${addon} cannot go with the plan '${plan.refId}'.`);
		if (quantity < 1)
			throw fail("InvalidQuantity", `The quantity of the ${addon} must be at least 1; or leave it out.`);
		if (version.maxQuantity !== null && quantity > version.maxQuantity)
			throw fail(
				"AddonQuantityExceedsLimitError",
				`One subscription holds at most ${version.maxQuantity} of the ${addon}, not ${quantity}.`,
			);
	}
	for (const { version } of addons) {
		const missing = version.dependencyRefs?.find((ref) => !refs.has(ref));
		if (missing !== undefined)
			throw fail(
				"AddonDependencyMissingError",
				`The addon '${version.refId}' needs the addon '${missing}'; add it to 'addons'.`,
			);
	}
}

/** A request names a coupon in exactly one way (docs/interface/subscriptions.md). */
export function assertOneCoupon(applied: NonNullable<SubscriptionUpdate["appliedCoupon"]>): void {
	const named = (["billingCouponId", "couponId", "discount", "promotionCode"] as const).filter(
		(name) => applied[name] !== undefined && applied[name] !== null,
	);
	if (named.length !== 1)
		throw fail(
			"BadUserInput",
			"body/appliedCoupon: give exactly one of 'couponId', 'billingCouponId', 'promotionCode' and 'discount'.",
		);
	const { discount } = applied;
	if (discount && (discount.percentOff === undefined) === !discount.amountsOff)
		throw fail("BadUserInput", "body/appliedCoupon/discount: give exactly one of 'percentOff' and 'amountsOff'.");
	const currencies = discount?.amountsOff?.map(({ currency }) => currency) ?? [];
	const twice = currencies.find((currency, at) => currencies.indexOf(currency) !== at);
	if (twice) throw fail("BadUserInput", `body/appliedCoupon/discount: 'amountsOff' names '${twice}' twice.`);
}

/**
 * Returns the instant from which usage is counted when one subscription follows another (docs/interface/catalogue.md,
 * Products).
 */
export function usageAnchorAfter(
	previous: { readonly usageAnchorAt: Instant; readonly billingPeriod: BillingPeriod | null } | undefined,
	next: { readonly startAt: Instant; readonly billingPeriod: BillingPeriod | null },
	behavior: UsageResetBehavior,
): Instant {
	const keeps =
		behavior === "NEVER_RESET" ||
		(behavior === "BILLING_PERIOD_CHANGE" && previous?.billingPeriod === next.billingPeriod);
	return previous && keeps ? previous.usageAnchorAt : next.startAt;
}
