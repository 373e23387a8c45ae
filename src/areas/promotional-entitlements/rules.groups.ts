import { fail } from "../../kernel/errors";
import type { PromotionalStatus } from "./schema";

/** A grant that stands. */
interface Standing {
	/** The caller's id. */
	readonly featureRefId: string;
	readonly featureGroupIds: readonly string[] | null;
	readonly status: PromotionalStatus;
}

/**
 * A group is given as a whole (docs/interface/customers.md): FeatureGroupMissingFeaturesError for features that are left out,
 * FeatureNotBelongToFeatureGroupError for others.
 */
export function assertWholeGroup(group: string, ofGroup: readonly string[], named: readonly string[]): void {
	const other = named.filter((featureId) => !ofGroup.includes(featureId));
	if (other.length > 0)
		throw fail(
			"FeatureNotBelongToFeatureGroupError",
			`'promotionalEntitlements' names '${other.join("', '")}', which the feature group '${group}' does not hold; grant these by themselves.`,
		);
	const missing = ofGroup.filter((featureId) => !named.includes(featureId));
	if (missing.length > 0)
		throw fail(
			"FeatureGroupMissingFeaturesError",
			`'promotionalEntitlements' leaves out '${missing.join("', '")}' of the feature group '${group}'; name all of its features.`,
		);
}

/** What was given by a group is taken back or given anew by it only, until it is over. CanNotUpdateEntitlementsFeatureGroup. */
export function assertSingle({ featureRefId, featureGroupIds, status }: Standing): void {
	const [group] = featureGroupIds ?? [];
	if (group === undefined || status === "Expired") return;
	throw fail(
		"CanNotUpdateEntitlementsFeatureGroup",
		`The feature '${featureRefId}' was given by the feature group '${group}'; grant or revoke the group, or unlink its entitlements first.`,
	);
}

/** Those by which it was given already stay, unless it is over: so it outlives either of two groups. */
export const groupsWith = (standing: Standing | undefined, group: string): string[] => [
	...new Set([...((standing?.status !== "Expired" && standing?.featureGroupIds) || []), group]),
];

export const groupsWithout = ({ featureGroupIds }: Standing, group: string): string[] =>
	(featureGroupIds ?? []).filter((one) => one !== group);
