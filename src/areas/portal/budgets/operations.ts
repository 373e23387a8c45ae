import { HttpRefusal } from "../../../http/refusal";
import { toDecimal } from "../../../kernel/decimal";
import type { Work } from "../../../kernel/work";
import { listAssignments, putAssignments } from "../../governance/operations.assignments";
import { getCapability } from "../../governance/operations.capabilities";
import { assertLimitPlaces } from "../../governance/rules.assignments";
import type { ShownAssignment } from "../../governance/shown/operations";
import { nodeOfBudget } from "../../governance/subtree/operations";
import { pageOfBudgets } from "../../governance/tree/operations";
import { assertGoverns, type OwnBudgets, ownBudgets } from "./operations.link";
import type { PortalBudget, PortalBudgetQuery, PortalLimitUpdate } from "./schema";
import { viewBudgets } from "./view";

export interface PortalBudgetPage {
	readonly data: PortalBudget[];
	readonly pagination: { readonly next: string | null };
}

/** Returns a page of the budgets that the caller's link shows, in the order of their utilization. */
export function listOwnBudgets(work: Work, query: PortalBudgetQuery): PortalBudgetPage {
	const own = ownBudgets(work);
	const isShown = own.roots ? (id: string) => own.requester.rightsOn(nodeOfBudget(work, id)).isShown : undefined;
	const { rows, next } = pageOfBudgets(work, own.customer.id, query, isShown);
	return { data: viewBudgets(work, own, rows), pagination: { next } };
}

/** Returns the budgets of one entity. 404 for an entity that the caller's link does not show. */
export function readOwnBudgets(work: Work, entityRef: string): PortalBudget[] {
	const own = ownBudgets(work);
	const rows = budgetsOf(work, own, entityRef, {});
	if (rows.length === 0) throw noBudget(entityRef);
	return viewBudgets(work, own, rows);
}

/** Changes the limit of a budget below the link's entity. 404 for a budget that the link does not show. Throws AccessDeniedError. */
export function changeOwnLimit(work: Work, entityRef: string, update: PortalLimitUpdate): PortalBudget {
	const own = ownBudgets(work);
	getCapability(work, update, "body");
	const { scopeEntityIds = [], usageLimit, ...capability } = update;
	if (usageLimit !== null) assertLimitPlaces(toDecimal(usageLimit), "body/usageLimit");
	const wanted = [...scopeEntityIds].sort().join();
	const budget = budgetsOf(work, own, entityRef, capability).find(({ scopeRefs }) => scopeRefs.join() === wanted);
	if (!budget) throw noBudget(entityRef);
	assertGoverns(own, budget);
	const item = { entityId: entityRef, ...capability, scopeEntityIds, usageLimit };
	const [changed] = viewBudgets(work, own, putAssignments(work, own.customer.refId, { assignments: [item] }));
	if (!changed) throw noBudget(entityRef);
	return changed;
}

/** Our limit: an entity has few budgets, one for each scope and feature or currency. */
const budgetsMax = "100";

/** Returns the budgets of an entity that the link shows. */
export const budgetsOf = (
	work: Work,
	own: OwnBudgets,
	entityId: string,
	capability: Pick<PortalLimitUpdate, "featureId" | "currencyId">,
): ShownAssignment[] =>
	listAssignments(work, own.customer.refId, { entityId, limit: budgetsMax, ...capability }).rows.filter(
		({ node }) => own.requester.rightsOn(node).isShown,
	);

// The interface has no portal, so there is no error code.
const noBudget = (entityRef: string) => new HttpRefusal(404, `This link shows no such budget of '${entityRef}'.`);
