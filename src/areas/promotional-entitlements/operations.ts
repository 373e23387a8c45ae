import { assert, fail } from "../../kernel/errors";
import type { Page } from "../../kernel/page";
import type { Work } from "../../kernel/work";
import { getCustomer } from "../customers/operations";
import { assertNotArchived } from "../customers/rules";
import { featuresByRefs, getFeature } from "../features/operations";
import { assertFeatureUsable } from "../features/rules";
import { promotionalEntitlementTold } from "./events";
import { assertNamedOnce, grantOf } from "./rules";
import type { PromotionalEntitlementListQuery, PromotionalGrants } from "./schema";
import {
	existsGiven,
	findStanding,
	type Grant,
	insertGrants,
	markRevoked,
	pageGrants,
	selectActing,
	selectByIds,
} from "./store";

/**
 * Gives features to a customer, all or nothing; a feature that it was given already is given again from now on, and the
 * earlier grant ends. CustomerNotFound, FeatureNotFound, EntityIsArchivedError, BadUserInput, and the codes of the rules.
 * Answers in the order of the input.
 */
export function grantPromotionalEntitlements(
	work: Work,
	customerRef: string,
	{ promotionalEntitlements }: PromotionalGrants,
): Grant[] {
	assertNamedOnce(promotionalEntitlements);
	const customer = getCustomer(work, customerRef);
	const features = featuresByRefs(
		work,
		promotionalEntitlements.map(({ featureId }) => featureId),
	);
	assertNotArchived(customer);
	const grants = promotionalEntitlements.map((input, at) => {
		const feature = features.get(input.featureId);
		assert(feature, "the feature was looked up");
		assertFeatureUsable(feature);
		return grantOf(`promotionalEntitlements[${at}] ('${input.featureId}')`, feature, input, work.now);
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
 * PromotionalEntitlementNotFoundError.
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
	markRevoked(work, customer.id, [feature.id]);
	promotionalEntitlementTold(work, "revoked", customer, grant);
	return grant;
}
