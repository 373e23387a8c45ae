import type { Work } from "../../kernel/work";
import type { EffectiveCreditEntitlement, EffectiveEntitlement, EffectiveFeatureEntitlement } from "../grants/schema";
import { listEntitlements } from "./operations";
import { type ResolvedFeature, resolveEntitlements } from "./resolve";

// What clients are shown that decide access by themselves (docs/interface/graphql.md).

export interface Asked {
	readonly customerId: string;
	readonly resourceId: string | null;
}

/** An entitlement as REST decides it, with what clients need who decide by themselves (docs/interface/graphql.md). */
export interface ShownFeature {
	readonly __typename: "FeatureEntitlement";
	readonly asked: Asked;
	readonly view: EffectiveFeatureEntitlement;
	readonly resolved: ResolvedFeature | undefined;
	readonly requestedUsage: number | null;
}

export interface ShownCredits {
	readonly __typename: "CreditEntitlement";
	readonly asked: Asked;
	readonly view: EffectiveCreditEntitlement;
}

export type Shown = ShownFeature | ShownCredits;

export interface State {
	readonly accessDeniedReason: string | null;
	readonly shown: readonly Shown[];
}

/** Everything is resolved once; quotas are the client's to hold against the usage it gets, so they deny nothing here. */
export function entitlementsStateOf(work: Work, asked: Asked): State {
	const resolved = resolveEntitlements(work, asked.customerId, asked.resourceId);
	const { accessDeniedReason, entitlements } = listEntitlements(
		work,
		asked.customerId,
		asked.resourceId,
		() => resolved,
	);
	return {
		accessDeniedReason,
		shown: entitlements.map((view) => shownOf(withoutQuota(view), asked, resolved.features)),
	};
}

const withoutQuota = (view: EffectiveEntitlement): EffectiveEntitlement =>
	view.accessDeniedReason === "RequestedUsageExceedingLimit"
		? { ...view, isGranted: true, accessDeniedReason: null }
		: view;

export const shownOf = (
	view: EffectiveEntitlement,
	asked: Asked,
	features: ReadonlyMap<string, ResolvedFeature>,
	requestedUsage: number | null = null,
): Shown =>
	view.type === "CREDIT"
		? { __typename: "CreditEntitlement", asked, view }
		: {
				__typename: "FeatureEntitlement",
				asked,
				view,
				resolved: features.get(view.feature?.id ?? ""),
				requestedUsage,
			};
