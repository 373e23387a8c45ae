import { assert, fail } from "../../../kernel/errors";
import type { Page } from "../../../kernel/page";
import type { Work } from "../../../kernel/work";
import {
	approveRequest,
	createRequest,
	declineRequest,
	getRequest,
	listRequests,
	noRequest,
} from "../../governance/requests/operations";
import type { BudgetApproval, BudgetRequestListQuery, NewBudgetRequest } from "../../governance/requests/schema";
import type { BudgetRequestRow } from "../../governance/requests/table";
import { shownAssignmentsByIds } from "../../governance/shown/operations";
import { requesterOf } from "../rules.delegation";
import { budgetsOf } from "./operations";
import { assertGoverns, type OwnBudgets, ownBudgets } from "./operations.link";
import type { PortalBudgetRequest } from "./schema";
import { viewRequests } from "./view";

/** Lists the requests for budgets that the caller's link shows. */
export function listOwnRequests(
	work: Work,
	query: BudgetRequestListQuery,
): { readonly page: Page<BudgetRequestRow>; readonly view: (row: BudgetRequestRow) => PortalBudgetRequest } {
	const own = ownBudgets(work);
	const page = listRequests(work, own.customer.refId, query, own.roots);
	return { page, view: viewRequests(work, own, page.rows) };
}

/** Requests a higher limit of a budget that the caller's link shows. Throws the errors of `createRequest`. */
export function createOwnRequest(work: Work, input: NewBudgetRequest): PortalBudgetRequest {
	const own = ownBudgets(work);
	if (budgetsOf(work, own, input.entityId, {}).length === 0)
		throw fail("BadUserInput", `body/entityId: this link shows no budgets of '${input.entityId}'.`);
	return viewOne(work, own, createRequest(work, own.customer.refId, input, requesterOf(own.session)));
}

/** Approves a request for a budget below the link's entity. 404 for a request that the link does not show. Throws AccessDeniedError. */
export function approveOwnRequest(work: Work, id: string, approval: BudgetApproval): PortalBudgetRequest {
	const own = decidingOn(work, id);
	return viewOne(work, own, approveRequest(work, id, approval, requesterOf(own.session)));
}

/** Declines a request, by the rules of `approveOwnRequest`. */
export function declineOwnRequest(work: Work, id: string): PortalBudgetRequest {
	const own = decidingOn(work, id);
	return viewOne(work, own, declineRequest(work, id, requesterOf(own.session)));
}

function decidingOn(work: Work, id: string): OwnBudgets {
	const own = ownBudgets(work);
	const { customerId, assignmentId } = getRequest(work, id);
	const budget = shownAssignmentsByIds(work, [assignmentId]).get(assignmentId);
	assert(budget, "a request has a budget");
	if (customerId !== own.customer.id || !own.rightsOn(budget.node).isShown) throw noRequest(id);
	assertGoverns(own, budget);
	return own;
}

const viewOne = (work: Work, own: OwnBudgets, row: BudgetRequestRow): PortalBudgetRequest =>
	viewRequests(work, own, [row])(row);
