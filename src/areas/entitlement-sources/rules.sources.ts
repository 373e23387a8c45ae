import type { Instant } from "../../kernel/clock";
import { type Big, type Decimal, exact, sum, toDecimal } from "../../kernel/decimal";
import type { ResetAnchor, ResetPeriod } from "../packages/schema";

/** The terms of an entitlement to a feature, from a row of a package or a subscription. */
export interface FeatureTerms {
	readonly isGranted: boolean;
	readonly usageLimit: Decimal | null;
	readonly hasUnlimitedUsage: boolean | null;
	readonly hasSoftLimit: boolean | null;
	readonly resetPeriod: ResetPeriod | null;
	readonly resetAnchor: ResetAnchor | null;
	readonly enumValues: readonly string[] | null;
	readonly updatedAt: Instant;
}

export interface AddonTerms<Terms extends FeatureTerms = FeatureTerms> {
	readonly terms: Terms;
	readonly behavior: "Increment" | "Override";
	readonly quantity: number;
}

/** The entitlements of one subscription to one feature. */
export interface SubscriptionGrant<Terms extends FeatureTerms = FeatureTerms> {
	/** The plan's own entitlement and its base plan's. */
	readonly plan: readonly Terms[];
	readonly addons: readonly AddonTerms<Terms>[];
	/** Units bought in advance, which are the plan's limit (docs/interface/catalogue.md, "In-advance"). */
	readonly purchased: Decimal | null;
	/** The subscription's own entitlement, a separate source. */
	readonly own: Terms | null;
	/** Whether the subscription is in trial. Not needed to compare sources of one subscription. */
	readonly isTrial?: boolean;
	readonly usageAnchorAt: Instant;
	/** The start of the subscription, for units without an entitlement. */
	readonly updatedAt: Instant;
}

/** One source of access, comparable with others. */
export interface Source {
	/** From a promotional entitlement. */
	readonly isPromotional: boolean;
	/** From a subscription in trial. */
	readonly isTrial: boolean;
	readonly isRevoked: boolean;
	readonly isUnlimited: boolean;
	/** Null for no limit. */
	readonly usageLimit: Decimal | null;
	readonly isSoft: boolean;
	readonly enumValues: readonly string[];
	readonly resetPeriod: ResetPeriod | null;
	readonly resetAnchor: ResetAnchor | null;
	readonly usageAnchorAt: Instant;
	readonly updatedAt: Instant;
}

/** The effect of an entitlement in its source: it adds to the others, replaces them, is replaced, or revokes the feature. */
export type PartEffect = "ADDS" | "REPLACES" | "REPLACED" | "REVOKES";

/** One entitlement of a source. */
export interface SourcePart<Terms extends FeatureTerms = FeatureTerms> {
	readonly terms: Terms;
	readonly quantity: number;
	readonly effect: PartEffect;
}

/** A source with its parts, for explanations. */
export interface CombinedSource<Terms extends FeatureTerms = FeatureTerms> extends Source {
	readonly parts: readonly SourcePart<Terms>[];
	/** Units bought in advance, if they are the limit. */
	readonly purchased: Decimal | null;
}

/** Returns the sources of one subscription: its packages together, and its own entitlement. */
export function sourcesOf<Terms extends FeatureTerms>(grant: SubscriptionGrant<Terms>): CombinedSource<Terms>[] {
	const sources: CombinedSource<Terms>[] = [];
	const packages = packagesSource(grant);
	if (packages) sources.push(packages);
	if (grant.own)
		sources.push({
			...sourceOf([grant.own], limitsOf([grant.own]), grant),
			parts: [part(grant.own, "ADDS")],
			purchased: null,
		});
	return sources;
}

const part = <Terms extends FeatureTerms>(terms: Terms, effect: PartEffect, quantity = 1): SourcePart<Terms> => ({
	terms,
	quantity,
	effect,
});

/** Returns the source of a promotional entitlement. It is never added to a subscription's limit (docs/interface/entitlements.md). */
export const promotionalSource = (terms: FeatureTerms, startAt: Instant): Source => ({
	...sourceOf([terms], limitsOf([terms]), { usageAnchorAt: startAt, updatedAt: terms.updatedAt }),
	isPromotional: true,
});

/**
 * Combines plan, base plan and addons. Increments are added, times their quantity. The largest override replaces the plan's value and
 * the increments (docs/interface/entitlements.md).
 */
function packagesSource<Terms extends FeatureTerms>(
	grant: SubscriptionGrant<Terms>,
): CombinedSource<Terms> | undefined {
	const { plan, addons, purchased } = grant;
	if (plan.length + addons.length === 0 && purchased === null) return undefined;
	const all = [...plan.map((terms) => ({ terms, quantity: 1 })), ...addons];
	const partsBy = (effectOf: (terms: Terms) => PartEffect) =>
		all.map(({ terms, quantity }) => part(terms, effectOf(terms), quantity));
	const revoked = all.map(({ terms }) => terms).filter(({ isGranted }) => !isGranted);
	if (revoked.length > 0)
		return {
			...sourceOf(revoked, none, grant),
			isRevoked: true,
			parts: partsBy(({ isGranted }) => (isGranted ? "REPLACED" : "REVOKES")),
			purchased: null,
		};
	const overrides = addons.filter(({ behavior }) => behavior === "Override").map(({ terms }) => terms);
	if (overrides.length > 0) {
		const largest = overrides.reduce((best, terms) => (isLarger(limitsOf([terms]), limitsOf([best])) ? terms : best));
		const values = overrides.flatMap(({ enumValues }) => enumValues ?? []);
		return {
			...sourceOf([largest], limitsOf([largest]), grant),
			enumValues: unique(values),
			parts: partsBy((terms) => (terms === largest ? "REPLACES" : "REPLACED")),
			purchased: null,
		};
	}
	const base = purchased === null ? limitsOf(plan) : { isUnlimited: false, limit: exact(purchased) };
	const added = addons.map(({ terms, quantity }) => times(limitsOf([terms]), quantity));
	return {
		...sourceOf([...plan, ...addons.map(({ terms }) => terms)], plus([base, ...added]), grant),
		parts: partsBy((terms) => (purchased !== null && plan.includes(terms) ? "REPLACED" : "ADDS")),
		purchased,
	};
}

/** A null `limit` means that none is stated. */
interface Limits {
	readonly isUnlimited: boolean;
	readonly limit: Big | null;
}

const none: Limits = { isUnlimited: false, limit: null };

const limitsOf = (terms: readonly FeatureTerms[]): Limits =>
	plus(
		terms.map(({ hasUnlimitedUsage, usageLimit }) => ({
			isUnlimited: hasUnlimitedUsage ?? false,
			limit: usageLimit === null ? null : exact(usageLimit),
		})),
	);

const times = ({ isUnlimited, limit }: Limits, quantity: number): Limits => ({
	isUnlimited,
	limit: limit?.times(quantity) ?? null,
});

/** Adds limits. An entitlement without a limit adds nothing to one with a limit. */
function plus(parts: readonly Limits[]): Limits {
	const limits = parts.map(({ limit }) => limit).filter((limit) => limit !== null);
	return { isUnlimited: parts.some((part) => part.isUnlimited), limit: limits.length === 0 ? null : sum(limits) };
}

function isLarger(one: Limits, other: Limits): boolean {
	if (one.isUnlimited !== other.isUnlimited) return one.isUnlimited;
	// Without a stated limit there is no limit.
	if (one.limit === null || other.limit === null) return one.limit === null && other.limit !== null;
	return one.limit.gt(other.limit);
}

/** Reset period and soft limit come from the first entitlement that states them; the plan goes first. */
function sourceOf(
	terms: readonly FeatureTerms[],
	{ isUnlimited, limit }: Limits,
	grant: Pick<SubscriptionGrant, "usageAnchorAt" | "updatedAt" | "isTrial">,
): Source {
	const resetting = terms.find(({ resetPeriod }) => resetPeriod !== null);
	return {
		isPromotional: false,
		isTrial: grant.isTrial ?? false,
		isRevoked: terms.some(({ isGranted }) => !isGranted),
		isUnlimited,
		usageLimit: limit === null || isUnlimited ? null : toDecimal(limit),
		isSoft: terms.some(({ hasSoftLimit }) => hasSoftLimit ?? false),
		enumValues: unique(terms.flatMap(({ enumValues }) => enumValues ?? [])),
		resetPeriod: resetting?.resetPeriod ?? null,
		resetAnchor: resetting?.resetAnchor ?? null,
		usageAnchorAt: grant.usageAnchorAt,
		updatedAt: Math.max(grant.updatedAt, ...terms.map(({ updatedAt }) => updatedAt)) as Instant,
	};
}

const unique = (values: readonly string[]): string[] => [...new Set(values)].sort();
