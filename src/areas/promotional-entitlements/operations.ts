import { assert, fail } from "../../kernel/errors";
import type { Page } from "../../kernel/page";
import type { Work } from "../../kernel/work";
import { getCustomer } from "../customers/operations";
import { assertNotArchived } from "../customers/rules";
import { assertFeatureGroupUsable, getFeatureGroup } from "../feature-groups/operations";
import { featuresByIds, featuresByRefs, getFeature } from "../features/operations";
import { assertFeatureUsable } from "../features/rules";
import { writeGrantEvent } from "./events";
import { assertNamedOnce, grantOf } from "./rules";
import { assertSingle, assertWholeGroup, groupsWith, groupsWithout } from "./rules.groups";
import type { PromotionalEntitlementListQuery, PromotionalGrant, PromotionalGrants } from "./schema";
import {
	existsGiven,
	findStanding,
	type Grant,
	insertGrants,
	markRevoked,
	pageGrants,
	saveGroups,
	selectActing,
	selectByIds,
	selectStanding,
} from "./store";

/**
 * Grants features to a customer, all or none. A grant of a feature that the customer has already replaces the earlier grant from
 * now on. Throws CustomerNotFound, FeatureNotFound, EntityIsArchivedError, BadUserInput, CanNotUpdateEntitlementsFeatureGroup, and
 * the codes of the rules. Returns the grants in the order of the input.
 */
export function grantPromotionalEntitlements(
	work: Work,
	customerRef: string,
	{ promotionalEntitlements }: PromotionalGrants,
): Grant[] {
	return grantFeatures(work, customerRef, promotionalEntitlements, (standing) => {
		if (standing) assertSingle(standing);
		return null;
	});
}

/**
 * Grants all features of a group, each with its own terms. A feature that another group has granted belongs to both. Throws
 * FeatureGroupNotFoundError, EntityIsArchivedError, FeatureGroupMissingFeaturesError, FeatureNotBelongToFeatureGroupError.
 */
export function grantPromotionalEntitlementsGroup(
	work: Work,
	customerRef: string,
	groupRef: string,
	{ promotionalEntitlements }: PromotionalGrants,
): Grant[] {
	const group = getFeatureGroup(work, groupRef);
	assertFeatureGroupUsable(group);
	assertWholeGroup(
		groupRef,
		[...featuresByIds(work, group.featureIds).values()].map(({ refId }) => refId),
		promotionalEntitlements.map(({ featureId }) => featureId),
	);
	return grantFeatures(work, customerRef, promotionalEntitlements, (standing) => groupsWith(standing, groupRef));
}

/** `groupsOf` returns the groups of a grant from the one that it replaces, or rejects that one. */
function grantFeatures(
	work: Work,
	customerRef: string,
	given: readonly PromotionalGrant[],
	groupsOf: (standing: Grant | undefined) => string[] | null,
): Grant[] {
	assertNamedOnce(given);
	const customer = getCustomer(work, customerRef);
	const features = featuresByRefs(
		work,
		given.map(({ featureId }) => featureId),
	);
	assertNotArchived(customer);
	const standing = new Map(selectStanding(work, customer.id).map((grant) => [grant.featureId, grant]));
	const grants = given.map((input, at) => {
		const feature = features.get(input.featureId);
		assert(feature, "the feature was looked up");
		assertFeatureUsable(feature);
		const grant = grantOf(`promotionalEntitlements[${at}] ('${input.featureId}')`, feature, input, work.now);
		return { ...grant, featureGroupIds: groupsOf(standing.get(feature.id)) };
	});
	const replaced = new Set(
		grants.map(({ featureId }) => featureId).filter((featureId) => findStanding(work, customer.id, featureId)),
	);
	markRevoked(
		work,
		customer.id,
		grants.map(({ featureId }) => featureId),
	);
	const ids = insertGrants(work, customer.id, grants);
	const inserted = promotionalEntitlementsByIds(work, ids);
	const granted = ids.flatMap((id) => inserted.get(id) ?? []);
	for (const grant of granted)
		writeGrantEvent(work, replaced.has(grant.featureId) ? "updated" : "granted", customer, grant);
	return granted;
}

/** Returns grants by row id, revoked ones included. */
export const promotionalEntitlementsByIds = (work: Work, ids: readonly string[]): Map<string, Grant> =>
	new Map(selectByIds(work, ids).map((grant) => [grant.id, grant]));

/** Returns unrevoked grants: active, paused or expired. Throws CustomerNotFound. */
export const listPromotionalEntitlements = (
	work: Work,
	customerRef: string,
	query: PromotionalEntitlementListQuery,
): Page<Grant> => pageGrants(work, getCustomer(work, customerRef).id, query);

/** Returns the active grants of a customer (its row id), without paused and expired ones. */
export const activePromotionalEntitlements = (work: Work, customerId: string): Grant[] =>
	selectActing(work, customerId);

/** Whether the customer was ever granted the feature (row ids), revoked grants included. */
export const wasEverGranted = (work: Work, customerId: string, featureId: string): boolean =>
	existsGiven(work, customerId, featureId);

/**
 * Revokes a grant, also of an archived customer, and returns it as it was. Throws CustomerNotFound, FeatureNotFound,
 * PromotionalEntitlementNotFoundError, CanNotUpdateEntitlementsFeatureGroup.
 */
export function revokePromotionalEntitlement(work: Work, customerRef: string, featureRef: string): Grant {
	const customer = getCustomer(work, customerRef);
	const feature = getFeature(work, featureRef);
	const grant = findStanding(work, customer.id, feature.id);
	if (!grant)
		throw fail(
			"PromotionalEntitlementNotFoundError",
			`Customer '${customerRef}' has no grant of the feature '${featureRef}', or it was revoked; list its promotional entitlements to see its grants.`,
		);
	assertSingle(grant);
	markRevoked(work, customer.id, [feature.id]);
	writeGrantEvent(work, "revoked", customer, grant);
	return grant;
}

/**
 * Revokes the grants of a group and returns them as they were. Grants that another group shares stay. Throws CustomerNotFound,
 * FeatureGroupNotFoundError, PromotionalEntitlementNotFoundError.
 */
export function revokePromotionalEntitlementsGroup(work: Work, customerRef: string, groupRef: string): Grant[] {
	const { customer, grants } = givenByGroup(work, customerRef, groupRef);
	const ended = grants.filter((grant) => groupsWithout(grant, groupRef).length === 0);
	markRevoked(
		work,
		customer.id,
		ended.map(({ featureId }) => featureId),
	);
	unlink(
		work,
		grants.filter((grant) => !ended.includes(grant)),
		groupRef,
	);
	return grants;
}

/**
 * Unlinks the grants of a group, which become single grants, and returns them. Throws the errors of
 * `revokePromotionalEntitlementsGroup`.
 */
export function unlinkPromotionalEntitlementsGroup(work: Work, customerRef: string, groupRef: string): Grant[] {
	const { grants } = givenByGroup(work, customerRef, groupRef);
	unlink(work, grants, groupRef);
	const now = promotionalEntitlementsByIds(
		work,
		grants.map(({ id }) => id),
	);
	return grants.flatMap(({ id }) => now.get(id) ?? []);
}

function unlink(work: Work, grants: readonly Grant[], groupRef: string): void {
	for (const grant of grants) saveGroups(work, grant, groupsWithout(grant, groupRef));
}

function givenByGroup(work: Work, customerRef: string, groupRef: string) {
	const customer = getCustomer(work, customerRef);
	// An archived group is found too, so that its grants can be revoked.
	getFeatureGroup(work, groupRef);
	const grants = selectStanding(work, customer.id).filter(({ featureGroupIds }) => featureGroupIds?.includes(groupRef));
	if (grants.length === 0)
		throw fail(
			"PromotionalEntitlementNotFoundError",
			`Customer '${customerRef}' has no grant of the feature group '${groupRef}', or it was revoked; list its promotional entitlements to see its grants.`,
		);
	return { customer, grants };
}
