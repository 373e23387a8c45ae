import type { PackageStatus, PricingType } from "../../packages/schema";

/** What the decision reads of the latest version of a start plan. */
export interface StartPlan {
	readonly status: PackageStatus;
	readonly pricingType: PricingType | null;
	readonly defaultTrial: object | null;
}

/**
 * Whether a new customer can be put on the plan without being asked: a free one for FREE_PLAN, one that has a trial for
 * TRIAL_PERIOD. Anything else would charge who has chosen nothing (our reading of docs/interface/customers.md).
 */
export function canStart(
	{ status, pricingType, defaultTrial }: StartPlan,
	setup: "FREE_PLAN" | "TRIAL_PERIOD",
): boolean {
	if (status !== "PUBLISHED") return false;
	return setup === "FREE_PLAN" ? pricingType === "FREE" : pricingType === "PAID" && defaultTrial !== null;
}
