import { toIso } from "../../../kernel/clock";
import { fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { entitiesByIds } from "../../governance/operations.entities";
import { assertGovernance } from "../../governance/operations.entity-types";
import { personOfApprover } from "../../governance/requests/operations.approvers";
import type { Requester } from "../../governance/requests/rules";
import type { ShownAssignment } from "../../governance/shown/operations";
import { nodeIdsOf } from "../../governance/subtree/operations";
import { anyOwnSession, type OwnSession } from "../operations.sessions";
import { assertSeesBudgets, requesterOf } from "../rules.delegation";
import type { CustomerSessionRow } from "../table";
import type { PortalLink } from "./schema";

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

/** The caller's link, and the person who uses it. */
export interface OwnBudgets extends OwnSession {
	readonly requester: Requester;
	/** The nodes of the link's entity; null for a link to the whole customer. */
	readonly roots: ReadonlySet<string> | null;
}

/** Throws GovernanceNotEnabled, and AccessDeniedError for a link without budgets. */
export function ownBudgets(work: Work): OwnBudgets {
	assertGovernance(work);
	const own = anyOwnSession(work);
	const { session } = own;
	assertSeesBudgets(session);
	assertApproves(work, session);
	const roots = session.entityId === null ? null : nodeIdsOf(work, session.entityId);
	return { ...own, roots, requester: requesterOf(session, roots) };
}

/** Throws AccessDeniedError for the link of a mail to a person who is no longer the entity's approver. */
function assertApproves(work: Work, { requestId, entityId, personId }: CustomerSessionRow): void {
	if (requestId === null || entityId === null) return;
	const approver = entitiesByIds(work, [entityId]).get(entityId)?.approver;
	if (!approver || personOfApprover(approver) !== personId)
		throw fail("AccessDeniedError", "This link has ended: another person approves these requests now.");
}

/** Throws AccessDeniedError unless the link governs a budget. */
export function assertGoverns(
	{ requester }: OwnBudgets,
	{ node, entity }: Pick<ShownAssignment, "node" | "entity">,
): void {
	if (!requester.rightsOn(node).isGoverned) throw fail("AccessDeniedError", requester.notGoverned(entity.refId));
}
