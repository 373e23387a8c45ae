import type { PackageStatus, PricingType } from "../../packages/schema";

/** The attributes of a start plan's latest version that decide whether it can start. */
export interface StartPlan {
	readonly status: PackageStatus;
	readonly pricingType: PricingType | null;
	readonly defaultTrial: object | null;
}

/**
 * Whether a new customer gets the plan without a request: a free plan for FREE_PLAN, a plan with a trial for
 * TRIAL_PERIOD. Other plans would charge a customer without a choice (docs/interface/customers.md).
 */
export function canStart(
	{ status, pricingType, defaultTrial }: StartPlan,
	setup: "FREE_PLAN" | "TRIAL_PERIOD",
): boolean {
	if (status !== "PUBLISHED") return false;
	return setup === "FREE_PLAN" ? pricingType === "FREE" : pricingType === "PAID" && defaultTrial !== null;
}
