import type { Decimal } from "../../../../kernel/decimal";
import type { SubscriptionStatus } from "../../schema";

interface Budget {
	readonly limit: Decimal;
	readonly hasSoftLimit: boolean;
}

/**
 * Returns the limit of on-demand charges that ends access; a trial's own limit goes first
 * (docs/interface/subscriptions.md).
 */
export function hardBudgetOf(subscription: {
	readonly status: SubscriptionStatus;
	readonly budget: Budget | null;
	readonly trialBudget: Budget | null;
}): Decimal | null {
	const { status, budget, trialBudget } = subscription;
	const holds = status === "IN_TRIAL" ? (trialBudget ?? budget) : budget;
	return holds && !holds.hasSoftLimit ? holds.limit : null;
}
