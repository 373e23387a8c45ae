import type { Instant } from "../../kernel/clock";
import { type Decimal, exact, toDecimal, zero } from "../../kernel/decimal";
import type { SubscriptionRow } from "../subscriptions/table";

/** The terms of one entitlement to a currency of credits. Its recurring credits are grants in the wallet. */
export interface CreditTerms {
	readonly isGranted: boolean;
	readonly hasSoftLimit: boolean;
	readonly updatedAt: Instant;
	/** Undefined in the cache: only explanations need it. */
	readonly origin?: CreditOrigin;
}

export interface CreditOrigin {
	readonly subscription: SubscriptionRow;
	/** The version of the package; null for entitlements of the subscription itself and for bought credits. */
	readonly versionId: string | null;
	readonly quantity: number;
}

/** The state of a customer's credits in one currency. */
export interface CreditState {
	readonly isRevoked: boolean;
	readonly isSoft: boolean;
	readonly limit: Decimal;
	/** The used credits, including the overdraft. */
	readonly used: Decimal;
}

export interface CreditDecision {
	readonly isGranted: boolean;
	readonly reason: "Revoked" | "InsufficientCredits" | "BudgetExceeded" | null;
}

export const balanceOf = ({ limit, used }: CreditState): Decimal => toDecimal(exact(limit).minus(exact(used)));

/** Grants access while any credits remain, and at least the requested amount (docs/interface/entitlements.md). */
export function decideCredits(credits: CreditState, requested: Decimal = zero): CreditDecision {
	if (credits.isRevoked) return { isGranted: false, reason: "Revoked" };
	const balance = exact(balanceOf(credits));
	const enough = credits.isSoft || (balance.gt(0) && balance.gte(exact(requested)));
	return enough ? { isGranted: true, reason: null } : { isGranted: false, reason: "InsufficientCredits" };
}
