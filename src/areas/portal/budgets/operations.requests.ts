import { fail } from "../../../kernel/errors";
import type { Page } from "../../../kernel/page";
import type { Work } from "../../../kernel/work";
import {
	approveRequest,
	createRequest,
	declineRequest,
	listRequests,
	type NotifyApprover,
} from "../../governance/requests/operations";
import type { BudgetApproval, BudgetRequestListQuery, NewBudgetRequest } from "../../governance/requests/schema";
import type { BudgetRequestRow } from "../../governance/requests/table";
import { budgetsOf } from "./operations";
import { type OwnBudgets, ownBudgets } from "./operations.link";
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
export function createOwnRequest(work: Work, input: NewBudgetRequest, notify: NotifyApprover): PortalBudgetRequest {
	const own = ownBudgets(work);
	if (budgetsOf(work, own, input.entityId, {}).length === 0)
		throw fail("BadUserInput", `body/entityId: this link shows no budgets of '${input.entityId}'.`);
	return viewOne(work, own, createRequest(work, own.customer.refId, input, notify, own.requester));
}

/** Approves a request for a budget below the link's entity. 404 for a request that the link does not show. Throws AccessDeniedError. */
export function approveOwnRequest(work: Work, id: string, approval: BudgetApproval): PortalBudgetRequest {
	const own = ownBudgets(work);
	return viewOne(work, own, approveRequest(work, id, approval, own.requester));
}

/** Declines a request, by the rules of `approveOwnRequest`. */
export function declineOwnRequest(work: Work, id: string): PortalBudgetRequest {
	const own = ownBudgets(work);
	return viewOne(work, own, declineRequest(work, id, own.requester));
}

const viewOne = (work: Work, own: OwnBudgets, row: BudgetRequestRow): PortalBudgetRequest =>
	viewRequests(work, own, [row])(row);
