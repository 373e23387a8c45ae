import type { Instant } from "../../kernel/clock";
import { type Decimal, exact, toDecimal, zero } from "../../kernel/decimal";
import type { SubscriptionRow } from "../subscriptions/table";

/** What one entitlement says of a credit currency. What it hands out is a grant, and counts by the wallet alone. */
export interface CreditTerms {
	readonly isGranted: boolean;
	readonly hasSoftLimit: boolean;
	readonly updatedAt: Instant;
	/** Left out where it is remembered: only who asks why needs it. */
	readonly origin?: CreditOrigin;
}

export interface CreditOrigin {
	readonly subscription: SubscriptionRow;
	/** Of the package that says it; null for what the subscription grants itself, and for what was bought. */
	readonly versionId: string | null;
	readonly quantity: number;
}

/** What a customer has of one currency. */
export interface CreditBalance {
	readonly isRevoked: boolean;
	readonly isSoft: boolean;
	readonly limit: Decimal;
	/** What was consumed of it, overdraft included. */
	readonly used: Decimal;
}

export interface CreditDecision {
	readonly isGranted: boolean;
	readonly reason: "Revoked" | "InsufficientCredits" | null;
}

export const balanceOf = ({ limit, used }: CreditBalance): Decimal => toDecimal(exact(limit).minus(exact(used)));

/** Credits are there to be used while any are left, and as many as are asked for (docs/interface/entitlements.md). */
export function decideCredits(credits: CreditBalance, requested: Decimal = zero): CreditDecision {
	if (credits.isRevoked) return { isGranted: false, reason: "Revoked" };
	const balance = exact(balanceOf(credits));
	const enough = credits.isSoft || (balance.gt(0) && balance.gte(exact(requested)));
	return enough ? { isGranted: true, reason: null } : { isGranted: false, reason: "InsufficientCredits" };
}
