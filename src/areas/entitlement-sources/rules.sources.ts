import type { Instant } from "../../kernel/clock";
import { type Big, type Decimal, exact, sum, toDecimal } from "../../kernel/decimal";
import type { ResetAnchor, ResetPeriod } from "../packages/schema";

/** What one entitlement says of a feature; a row of a package or of a subscription has all of it. */
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

/** All that one subscription has to say of one feature. */
export interface SubscriptionGrant<Terms extends FeatureTerms = FeatureTerms> {
	/** The plan's own entitlement and its base plan's. */
	readonly plan: readonly Terms[];
	readonly addons: readonly AddonTerms<Terms>[];
	/** Units bought in advance: they are the plan's limit (docs/interface/catalogue.md, "In-advance"). */
	readonly purchased: Decimal | null;
	/** The subscription's own entitlement: a source alongside the packages. */
	readonly own: Terms | null;
	/** It is being tried. Left out by who compares the sources of one subscription only. */
	readonly isTrial?: boolean;
	readonly usageAnchorAt: Instant;
	/** When the subscription gave what it gives: for what comes without an entitlement of its own. */
	readonly updatedAt: Instant;
}

/** One source of access, ready to be compared with others. */
export interface Source {
	/** Given alongside what was bought. */
	readonly isPromotional: boolean;
	/** Given by a subscription that is being tried. */
	readonly isTrial: boolean;
	readonly isRevoked: boolean;
	readonly isUnlimited: boolean;
	/** Null where no number limits the feature. */
	readonly usageLimit: Decimal | null;
	readonly isSoft: boolean;
	readonly enumValues: readonly string[];
	readonly resetPeriod: ResetPeriod | null;
	readonly resetAnchor: ResetAnchor | null;
	readonly usageAnchorAt: Instant;
	readonly updatedAt: Instant;
}

/**
 * What became of an entitlement in its source: it adds to the others, takes their place, counts no more because another or
 * the units bought took its place, or takes the feature away.
 */
export type PartEffect = "ADDS" | "REPLACES" | "REPLACED" | "REVOKES";

/** One entitlement that a source is put together from. */
export interface SourcePart<Terms extends FeatureTerms = FeatureTerms> {
	readonly terms: Terms;
	readonly quantity: number;
	readonly effect: PartEffect;
}

/** A source with what it is put together from, for whoever asks why it grants what it grants. */
export interface CombinedSource<Terms extends FeatureTerms = FeatureTerms> extends Source {
	readonly parts: readonly SourcePart<Terms>[];
	/** Units bought in advance, where they are the limit. */
	readonly purchased: Decimal | null;
}

/** The sources in one subscription: what its packages grant together, and what it grants itself. */
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

/**
 * A promotional grant: a source alongside every subscription of the customer, never added to one
 * (docs/interface/entitlements.md).
 */
export const promotionalSource = (terms: FeatureTerms, startAt: Instant): Source => ({
	...sourceOf([terms], limitsOf([terms]), { usageAnchorAt: startAt, updatedAt: terms.updatedAt }),
	isPromotional: true,
});

/**
 * Plan with its base plan, then addons. Source: docs/interface/entitlements.md: increments are added, times their
 * quantity; of several overrides the largest takes the plan's place, and increments are dropped.
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

/** `limit` null: no number was stated. */
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

/** What states no limit adds nothing to what does. */
function plus(parts: readonly Limits[]): Limits {
	const limits = parts.map(({ limit }) => limit).filter((limit) => limit !== null);
	return { isUnlimited: parts.some((part) => part.isUnlimited), limit: limits.length === 0 ? null : sum(limits) };
}

function isLarger(one: Limits, other: Limits): boolean {
	if (one.isUnlimited !== other.isUnlimited) return one.isUnlimited;
	// No limit stated is no limit.
	if (one.limit === null || other.limit === null) return one.limit === null && other.limit !== null;
	return one.limit.gt(other.limit);
}

/** Reset and soft limit come from the first that states them; the plan goes first. */
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
