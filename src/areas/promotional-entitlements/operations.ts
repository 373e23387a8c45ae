import { assert, fail } from "../../kernel/errors";
import type { Page } from "../../kernel/page";
import type { Work } from "../../kernel/work";
import { getCustomer } from "../customers/operations";
import { assertNotArchived } from "../customers/rules";
import { assertFeatureGroupUsable, getFeatureGroup } from "../feature-groups/operations";
import { featuresByIds, featuresByRefs, getFeature } from "../features/operations";
import { assertFeatureUsable } from "../features/rules";
import { promotionalEntitlementTold } from "./events";
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
 * Gives features to a customer, all or nothing; a feature that it was given already is given again from now on, and the
 * earlier grant ends. CustomerNotFound, FeatureNotFound, EntityIsArchivedError, BadUserInput,
 * CanNotUpdateEntitlementsFeatureGroup, and the codes of the rules.
 * Answers in the order of the input.
 */
export function grantPromotionalEntitlements(
	work: Work,
	customerRef: string,
	{ promotionalEntitlements }: PromotionalGrants,
): Grant[] {
	return give(work, customerRef, promotionalEntitlements, (standing) => {
		if (standing) assertSingle(standing);
		return null;
	});
}

/**
 * The same of all the features of a group, each with terms of its own: FeatureGroupNotFoundError, EntityIsArchivedError,
 * FeatureGroupMissingFeaturesError, FeatureNotBelongToFeatureGroupError. A feature that another group has given too stays with both.
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
	return give(work, customerRef, promotionalEntitlements, (standing) => groupsWith(standing, groupRef));
}

/** `groupsOf` answers the groups of a grant by what it replaces, or refuses that. */
function give(
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
		promotionalEntitlementTold(work, replaced.has(grant.featureId) ? "updated" : "granted", customer, grant);
	return granted;
}

/** Row id → row, taken back or not. */
export const promotionalEntitlementsByIds = (work: Work, ids: readonly string[]): Map<string, Grant> =>
	new Map(selectByIds(work, ids).map((grant) => [grant.id, grant]));

/** What stands: running, paused or over. CustomerNotFound. */
export const listPromotionalEntitlements = (
	work: Work,
	customerRef: string,
	query: PromotionalEntitlementListQuery,
): Page<Grant> => pageGrants(work, getCustomer(work, customerRef).id, query);

/** What a customer (its row id) may use now because it was given; a grant that is paused or over is not among it. */
export const activePromotionalEntitlements = (work: Work, customerId: string): Grant[] =>
	selectActing(work, customerId);

/** Whether the customer was ever given the feature (row ids), also what was taken back since. */
export const wasEverGiven = (work: Work, customerId: string, featureId: string): boolean =>
	existsGiven(work, customerId, featureId);

/**
 * Takes one back, also from an archived customer, and answers it as it stood. CustomerNotFound, FeatureNotFound,
 * PromotionalEntitlementNotFoundError, CanNotUpdateEntitlementsFeatureGroup.
 */
export function revokePromotionalEntitlement(work: Work, customerRef: string, featureRef: string): Grant {
	const customer = getCustomer(work, customerRef);
	const feature = getFeature(work, featureRef);
	const grant = findStanding(work, customer.id, feature.id);
	if (!grant)
		throw fail(
			"PromotionalEntitlementNotFoundError",
			`Customer '${customerRef}' was not given the feature '${featureRef}', or it was taken back; the list of its promotional entitlements shows what it has.`,
		);
	assertSingle(grant);
	markRevoked(work, customer.id, [feature.id]);
	promotionalEntitlementTold(work, "revoked", customer, grant);
	return grant;
}

/**
 * Takes back what a group has given, and answers all of it as it stood; what another group has given too stays with that one.
 * CustomerNotFound, FeatureGroupNotFoundError, PromotionalEntitlementNotFoundError.
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

/** What a group has given goes on without it; answers it as it stands then. Refuses as `revokePromotionalEntitlementsGroup`. */
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
	// Also an archived one: what it has given can be taken back.
	getFeatureGroup(work, groupRef);
	const grants = selectStanding(work, customer.id).filter(({ featureGroupIds }) => featureGroupIds?.includes(groupRef));
	if (grants.length === 0)
		throw fail(
			"PromotionalEntitlementNotFoundError",
			`Customer '${customerRef}' was given nothing by the feature group '${groupRef}', or it was taken back; the list of its promotional entitlements shows what it has.`,
		);
	return { customer, grants };
}
