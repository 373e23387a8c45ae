import type { Work } from "../../kernel/work";
import type {
	EffectiveCreditEntitlement,
	EffectiveEntitlement,
	EffectiveFeatureEntitlement,
} from "../entitlement-sources/schema";
import { listEntitlements } from "./operations";
import { type Resolved, type ResolvedFeature, resolveEntitlements } from "./operations.resolve";
import type { EntitlementsAnswer } from "./schema";

// Entitlements for clients that decide access themselves (docs/interface/graphql.md).

export interface Holder {
	readonly customerId: string;
	readonly resourceId: string | null;
}

/** An entitlement as REST shows it, with the data for clients that decide access themselves. */
export interface ShownFeature {
	readonly __typename: "FeatureEntitlement";
	readonly holder: Holder;
	readonly view: EffectiveFeatureEntitlement;
	readonly resolved: ResolvedFeature | undefined;
	readonly requestedUsage: number | null;
}

export interface ShownCredits {
	readonly __typename: "CreditEntitlement";
	readonly holder: Holder;
	readonly view: EffectiveCreditEntitlement;
}

export type Shown = ShownFeature | ShownCredits;

export interface State {
	readonly accessDeniedReason: string | null;
	readonly shown: readonly Shown[];
}

/** Returns all entitlements. Limits deny nothing here, because the client compares them with the usage. */
export function entitlementsStateOf(work: Work, holder: Holder): State {
	const resolved = resolveEntitlements(work, holder.customerId, holder.resourceId);
	return stateOf(
		holder,
		resolved,
		listEntitlements(work, holder.customerId, holder.resourceId, () => resolved),
	);
}

/** As `entitlementsStateOf`, from resolved entitlements. */
export const stateOf = (
	holder: Holder,
	resolved: Resolved,
	{ accessDeniedReason, entitlements }: EntitlementsAnswer,
): State => ({
	accessDeniedReason,
	shown: entitlements.map((view) => shownOf(withoutQuota(view), holder, resolved)),
});

/** Returns only granted features, for clients that ignore `isGranted` and do not know credits. */
export const grantedFeaturesIn = ({ shown }: State): ShownFeature[] =>
	shown.flatMap((one) => (one.__typename === "FeatureEntitlement" && one.view.isGranted ? [one] : []));

export const grantedFeaturesOf = (work: Work, holder: Holder): ShownFeature[] =>
	grantedFeaturesIn(entitlementsStateOf(work, holder));

export const withoutQuota = (view: EffectiveEntitlement): EffectiveEntitlement =>
	view.accessDeniedReason === "RequestedUsageExceedingLimit"
		? { ...view, isGranted: true, accessDeniedReason: null }
		: view;

export const shownOf = (
	view: EffectiveEntitlement,
	holder: Holder,
	{ features }: Pick<Resolved, "features">,
	requestedUsage: number | null = null,
): Shown => {
	if (view.type === "CREDIT") return { __typename: "CreditEntitlement", holder, view };
	const resolved = features.get(view.feature?.id ?? "");
	return { __typename: "FeatureEntitlement", holder, view, resolved, requestedUsage };
};
