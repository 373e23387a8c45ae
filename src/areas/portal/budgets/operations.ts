import { HttpRefusal } from "../../../http/refusal";
import { toIso } from "../../../kernel/clock";
import { toDecimal } from "../../../kernel/decimal";
import { fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { listAssignments, putAssignments } from "../../governance/operations.assignments";
import { getCapability } from "../../governance/operations.capabilities";
import { entitiesByIds } from "../../governance/operations.entities";
import { assertGovernance } from "../../governance/operations.entity-types";
import { nodeIdsOf, nodeOfBudget } from "../../governance/operations.subtree";
import { assertLimitPlaces } from "../../governance/rules.assignments";
import type { ShownAssignment } from "../../governance/shown/operations";
import type { BudgetNodeRow } from "../../governance/table";
import { pageOfBudgets } from "../../governance/tree/operations";
import { anyOwnSession, type OwnSession } from "../operations.sessions";
import { assertSeesBudgets, type BudgetRights, rightsOn } from "../rules.delegation";
import type { PortalBudget, PortalBudgetQuery, PortalLimitUpdate, PortalLink } from "./schema";
import { viewBudgets } from "./view";

/** Returns what the caller's link shows, and for whom. */
export function readLink(work: Work): PortalLink {
	const { session, customer } = anyOwnSession(work);
	const { entityId, budgets, personId, returnUrl, expiresAt } = session;
	const entity = entityId === null ? undefined : entitiesByIds(work, [entityId]).get(entityId);
	return {
		...{ customerId: customer.refId, language: customer.language, budgets, personId, returnUrl },
		entity: entity ? { id: entity.refId, displayName: entity.displayName } : null,
		expiresAt: toIso(expiresAt),
	};
}

/** The caller's link, and what it may do with budgets. */
export interface OwnBudgets extends OwnSession {
	rightsOn(node: Pick<BudgetNodeRow, "id" | "ancestors">): BudgetRights;
	/** The nodes of the link's entity; null for a link to the whole customer. */
	readonly roots: ReadonlySet<string> | null;
}

/** Throws GovernanceNotEnabled, and AccessDeniedError for a link without budgets. */
export function ownBudgets(work: Work): OwnBudgets {
	assertGovernance(work);
	const own = anyOwnSession(work);
	const { session } = own;
	assertSeesBudgets(session);
	const roots = session.entityId === null ? null : nodeIdsOf(work, session.entityId);
	return { ...own, roots, rightsOn: (node) => rightsOn(session, roots, node) };
}

export interface PortalBudgetPage {
	readonly data: PortalBudget[];
	readonly pagination: { readonly next: string | null };
}

/** Returns a page of the budgets that the caller's link shows, in the order of their utilization. */
export function listOwnBudgets(work: Work, query: PortalBudgetQuery): PortalBudgetPage {
	const own = ownBudgets(work);
	const isShown = own.roots ? (id: string) => own.rightsOn(nodeOfBudget(work, id)).isShown : undefined;
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
		({ node }) => own.rightsOn(node).isShown,
	);

/** Throws AccessDeniedError unless the link governs a budget. */
export function assertGoverns(own: OwnBudgets, { node, entity }: Pick<ShownAssignment, "node" | "entity">): void {
	if (own.rightsOn(node).isGoverned) return;
	throw fail(
		"AccessDeniedError",
		own.session.budgets === "VIEW"
			? "This link only shows budgets; ask for one with 'budgets' GOVERN."
			: `This link governs the budgets below '${entity.refId}', not its own; request a higher limit.`,
	);
}

// The interface has no portal, so there is no error code.
const noBudget = (entityRef: string) => new HttpRefusal(404, `This link shows no such budget of '${entityRef}'.`);
