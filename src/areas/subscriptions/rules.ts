import type { Instant } from "../../kernel/clock";
import { fail } from "../../kernel/errors";
import { type Period, periodContaining } from "../../kernel/period";
import type { BillingPeriod, PricingType } from "../packages/schema";
import type { UsageResetBehavior } from "../products/schema";
import type { CancelReason, SubscriptionStatus } from "./schema";
import type { SubscriptionProvision } from "./schema.provision";

/** Which status may follow which. Source: semantics 9.3; ended ones never change again. */
export const nextStatuses: Readonly<Record<SubscriptionStatus, readonly SubscriptionStatus[]>> = {
	NOT_STARTED: ["ACTIVE", "IN_TRIAL", "CANCELED", "EXPIRED"],
	PAYMENT_PENDING: ["ACTIVE", "EXPIRED", "CANCELED"],
	IN_TRIAL: ["ACTIVE", "CANCELED", "EXPIRED"],
	ACTIVE: ["CANCELED", "EXPIRED"],
	CANCELED: [],
	EXPIRED: [],
};

interface Term {
	readonly status: SubscriptionStatus;
	readonly endAt: Instant | null;
}

/**
 * The status as of `now`: an agreed end that has come counts from that very instant, whoever writes it down and when.
 * So a reader never sees a subscription outlive its end.
 */
export const statusAt = ({ status, endAt }: Term, now: Instant): SubscriptionStatus =>
	isRunning(status) && endAt !== null && endAt <= now ? "EXPIRED" : status;

export const cancelReasonAt = (term: Term & { cancelReason: CancelReason | null }, now: Instant): CancelReason | null =>
	term.cancelReason ?? (statusAt(term, now) === "EXPIRED" ? "EXPIRED" : null);

/** Access comes with these two only (semantics-extra 13). */
export const isRunning = (status: SubscriptionStatus): boolean => status === "ACTIVE" || status === "IN_TRIAL";
export const isLiveAt = (term: Term, now: Instant): boolean => isRunning(statusAt(term, now));

export function assertMayEnd(subscription: Term & { refId: string }, now: Instant): void {
	const status = statusAt(subscription, now);
	if (nextStatuses[status].length === 0)
		throw fail(
			"SubscriptionAlreadyCanceledOrExpired",
			`The subscription '${subscription.refId}' is ${status} already; provision a new one.`,
		);
}

/** Months and years are counted from the anchor, clamped to the month's last day. */
export const billingPeriodContaining = (anchor: Instant, billingPeriod: BillingPeriod, at: Instant): Period =>
	periodContaining(anchor, billingPeriod === "MONTHLY" ? "months" : "years", 1, at);

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
 * Which addons may go with a plan, and how many of each. Source: semantics-extra 4: DuplicateAddonProvisionedError,
 * IncompatibleSubscriptionAddon, InvalidQuantity, AddonQuantityExceedsLimitError, AddonDependencyMissingError.
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

/** A coupon is named in exactly one way (semantics 9.1). */
export function assertOneCoupon(applied: NonNullable<SubscriptionProvision["appliedCoupon"]>): void {
	const named = (["billingCouponId", "couponId", "discount", "promotionCode"] as const).filter(
		(name) => applied[name] !== undefined,
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

interface Timing {
	readonly startAt: Instant;
	readonly cancelAt: Instant | null;
	readonly now: Instant;
	readonly replacesRunning: boolean;
}

/**
 * What would have to happen later, or by halves: refused, so that nobody relies on what never comes. Subscriptions start
 * now or in the past and run until they are cancelled or reach their agreed end.
 */
export function assertStartsNow(
	input: SubscriptionProvision,
	{ startAt, cancelAt, now, replacesRunning }: Timing,
): void {
	if (cancelAt !== null && cancelAt <= now)
		throw fail("InvalidCancellationDate", "'cancellationDate' must lie in the future.");
	if (startAt > now)
		throw fail(
			"UnsupportedSubscriptionScheduleType",
			"'startDate' lies in the future; subscriptions start now or in the past. Call again when it is due.",
		);
	if (cancelAt !== null)
		throw fail(
			"UnsupportedSubscriptionScheduleType",
			"'cancellationDate' cannot be set ahead; cancel the subscription with IMMEDIATE when it is due.",
		);
	if (input.scheduleStrategy !== undefined && input.scheduleStrategy !== "IMMEDIATE")
		throw fail(
			"UnsupportedSubscriptionScheduleType",
			`The schedule strategy ${input.scheduleStrategy} is not available; use IMMEDIATE.`,
		);
	if (input.trialOverrideConfiguration?.isTrial)
		throw fail("UnsupportedParameter", "Trials are not available; leave 'trialOverrideConfiguration' out.");
	if (input.billingCycleAnchor === "UNCHANGED" && replacesRunning)
		throw fail(
			"UnsupportedParameter",
			"A subscription that takes the place of another begins a new billing cycle; use 'billingCycleAnchor' NOW.",
		);
}

/** Nothing is ever charged for a free plan; a custom one is billed by its contract. */
export const isCharged = (pricingType: PricingType): boolean => pricingType === "PAID";

/** Where the counting of usage begins when one subscription follows another (semantics-extra 10, "Usage reset"). */
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
