import { fail } from "../../kernel/errors";
import type { PromotionalStatus } from "./schema";

/** An unrevoked grant. */
interface Standing {
	/** The caller's id. */
	readonly featureRefId: string;
	readonly featureGroupIds: readonly string[] | null;
	readonly status: PromotionalStatus;
}

/**
 * Throws unless a group is granted as a whole (docs/interface/customers.md): FeatureGroupMissingFeaturesError for missing features,
 * FeatureNotBelongToFeatureGroupError for others.
 */
export function assertWholeGroup(group: string, ofGroup: readonly string[], named: readonly string[]): void {
	const other = named.filter((featureId) => !ofGroup.includes(featureId));
	if (other.length > 0)
		throw fail(
			"FeatureNotBelongToFeatureGroupError",
			`'promotionalEntitlements' names '${other.join("', '")}', which the feature group '${group}' does not contain; grant these separately.`,
		);
	const missing = ofGroup.filter((featureId) => !named.includes(featureId));
	if (missing.length > 0)
		throw fail(
			"FeatureGroupMissingFeaturesError",
			`'promotionalEntitlements' leaves out '${missing.join("', '")}' of the feature group '${group}'; name all of its features.`,
		);
}

/**
 * Throws CanNotUpdateEntitlementsFeatureGroup if a group granted the feature, because only the group can revoke or replace its
 * unexpired grants.
 */
export function assertSingle({ featureRefId, featureGroupIds, status }: Standing): void {
	const [group] = featureGroupIds ?? [];
	if (group === undefined || status === "Expired") return;
	throw fail(
		"CanNotUpdateEntitlementsFeatureGroup",
		`The feature '${featureRefId}' was granted by the feature group '${group}'; grant or revoke the group, or unlink its entitlements first.`,
	);
}

/** Adds a group to those of an unexpired grant, so that the grant lasts until the last group ends. */
export const groupsWith = (standing: Standing | undefined, group: string): string[] => [
	...new Set([...((standing?.status !== "Expired" && standing?.featureGroupIds) || []), group]),
];

export const groupsWithout = ({ featureGroupIds }: Standing, group: string): string[] =>
	(featureGroupIds ?? []).filter((one) => one !== group);
