import type { Instant } from "../../kernel/clock";
import { type Decimal, exact, sum, toDecimal, zero } from "../../kernel/decimal";
import { type Period, periodContaining } from "../../kernel/period";
import type { CreditCadence } from "../packages/schema";
import type { SubscriptionRow } from "../subscriptions/table";

/** What one entitlement grants of a credit currency. */
export interface CreditGrantTerms {
	readonly isGranted: boolean;
	readonly hasSoftLimit: boolean;
	/** Effective: times the addon's quantity, and times the limit of the feature it depends on. */
	readonly amount: Decimal;
	/** Null for credits that were bought, which come once. */
	readonly cadence: CreditCadence | null;
	/** Cadences are counted from here. */
	readonly anchorAt: Instant;
	readonly updatedAt: Instant;
	/** Left out where it is remembered: only who asks why needs it. */
	readonly origin?: CreditOrigin;
}

export interface CreditOrigin {
	readonly subscription: SubscriptionRow;
	/** Of the package that grants them; null for what the subscription grants itself, and for what was bought. */
	readonly versionId: string | null;
	readonly isBought: boolean;
	readonly quantity: number;
}

/** All credits of one currency that a customer is granted, whichever subscription grants them. */
export interface CreditTotal {
	readonly isRevoked: boolean;
	readonly isSoft: boolean;
	readonly granted: Decimal;
	readonly periodEnd: Instant | null;
	readonly updatedAt: Instant;
}

/**
 * Credits add up over subscriptions, unlike limits: each is granted for itself (docs/interface/entitlements.md, "total
 * granted").
 */
export function totalCredits(terms: readonly CreditGrantTerms[], now: Instant): CreditTotal {
	const ends = terms.flatMap(({ cadence, anchorAt }) =>
		cadence === null ? [] : cadencePeriod(cadence, anchorAt, now).end,
	);
	return {
		isRevoked: terms.some(({ isGranted }) => !isGranted),
		isSoft: terms.some(({ hasSoftLimit }) => hasSoftLimit),
		granted: toDecimal(sum(terms.filter(({ isGranted }) => isGranted).map(({ amount }) => exact(amount)))),
		periodEnd: ends.length === 0 ? null : (Math.min(...ends) as Instant),
		updatedAt: Math.max(0, ...terms.map(({ updatedAt }) => updatedAt)) as Instant,
	};
}

const cadencePeriod = (cadence: CreditCadence, anchor: Instant, now: Instant): Period =>
	periodContaining(anchor, cadence === "MONTH" ? "months" : "years", 1, now);

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
