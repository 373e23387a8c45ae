import { fail } from "../../kernel/errors";
import type { BudgetPlace, BudgetRights, Requester } from "../governance/requests/rules";
import type { PortalSessionCreate } from "./schema";
import type { CustomerSessionRow } from "./table";

/** The part of a customer that a link shows. */
type Delegation = Pick<CustomerSessionRow, "budgets" | "entityId">;

/** Throws BadUserInput for a link to an entity without access to its budgets. */
export function assertDelegation({ budgets, entityId }: PortalSessionCreate): void {
	if (entityId !== undefined && budgets === undefined)
		throw fail("BadUserInput", "body/budgets: a link to an entity shows only its budgets; send VIEW or GOVERN.");
}

/** Throws AccessDeniedError for a link that shows only the budgets of an entity. */
export function assertSeesCustomer({ entityId }: Delegation): void {
	if (entityId !== null)
		throw fail("AccessDeniedError", "This link shows only budgets; ask for a link without an entity.");
}

/** Throws AccessDeniedError for a link without access to budgets. */
export function assertSeesBudgets({ budgets }: Delegation): void {
	if (budgets === null)
		throw fail("AccessDeniedError", "This link shows no budgets; ask for one with 'budgets' VIEW or GOVERN.");
}

/**
 * Decides what a link may do with the budgets at a place. A link that is bound to an entity sees that entity and everything below, and
 * governs only below: nobody raises their own limit. `roots` are the nodes of the link's entity; null for a link to the whole customer.
 */
export function rightsOn(
	{ budgets, customerId }: Pick<CustomerSessionRow, "budgets" | "customerId">,
	roots: ReadonlySet<string> | null,
	{ id, ancestors, ...place }: BudgetPlace,
): BudgetRights {
	if (place.customerId !== customerId) return { isShown: false, isGoverned: false };
	const isBelow = roots === null || ancestors.some((ancestor) => roots.has(ancestor));
	const isShown = budgets !== null && (isBelow || roots.has(id));
	return { isShown, isGoverned: isShown && isBelow && budgets === "GOVERN" };
}

/** Returns the person who uses a link. Without an id of the person, each link is one. */
export const requesterOf = (
	session: Pick<CustomerSessionRow, "id" | "personId" | "budgets" | "customerId" | "requestId">,
	roots: ReadonlySet<string> | null,
): Requester => ({
	...{ kind: "PORTAL", id: session.personId ?? session.id },
	rightsOn: (place, requestId) => {
		const rights = rightsOn(session, roots, place);
		// The link of a mail governs nothing else.
		const isOfMail = requestId !== undefined && requestId === session.requestId;
		return isOfMail ? { ...rights, isGoverned: rights.isShown } : rights;
	},
	notGoverned: (entityRef) =>
		session.budgets === "VIEW"
			? "This link only shows budgets; ask for one with 'budgets' GOVERN."
			: `This link governs the budgets below '${entityRef}', not its own; request a higher limit.`,
});
