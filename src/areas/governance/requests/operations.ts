import type { SQL } from "drizzle-orm";
import { HttpRefusal } from "../../../http/refusal";
import { type Decimal, isLess, plus, toDecimal, zero } from "../../../kernel/decimal";
import { assert, fail } from "../../../kernel/errors";
import type { Page } from "../../../kernel/page";
import { addDays } from "../../../kernel/period";
import type { Work } from "../../../kernel/work";
import { getCustomer, getCustomerById } from "../../customers/operations";
import { assertNotArchived } from "../../customers/rules";
import type { EventType } from "../../outbox/event-types";
import { writeEvent } from "../../outbox/operations";
import { changeLimit } from "../operations.assignments";
import { getCapability } from "../operations.capabilities";
import { getNamedEntity } from "../operations.entities";
import { assertGovernance } from "../operations.entity-types";
import { assertLimitPlaces } from "../rules.assignments";
import { windowAt } from "../rules.cadence";
import { type ShownAssignment, shownAssignmentsByIds } from "../shown/operations";
import { selectAssignmentsOf, selectNodesOf } from "../store.assignments";
import { openCounter, saveRaised } from "../store.counters";
import type { BudgetAssignmentRow } from "../table";
import { putInTree } from "../tree/operations.update";
import { approverOf, type RequestApprover } from "./operations.approvers";
import { obstacleTo, type Requester, sellerOf, textOf } from "./rules";
import type { BudgetApproval, BudgetRequest, BudgetRequestListQuery, NewBudgetRequest } from "./schema";
import {
	countPending,
	insertRequest,
	pageRequests,
	requestsShown,
	saveRequest,
	selectRequest,
	selectRequests,
} from "./store";
import type { BudgetRequestRow } from "./table";
import { requestView, viewRequest } from "./view";

/** Source: docs/interface/governance.md#requests. */
const expiresAfterDays = 7;
const pendingMax = 20;

/** A new request, and the person who can decide it; undefined if no parent has an approver. */
export interface NewRequest {
	readonly request: BudgetRequestRow;
	readonly budget: ShownAssignment;
	readonly approver: RequestApprover | undefined;
}

/** Notifies the person who can decide a new request, in the transaction of the request. Portal links are a matter of a later area. */
export type NotifyApprover = (work: Work, created: NewRequest) => void;

/** Requests a higher limit. Throws BadUserInput, CustomerNotFound, EntityIsArchivedError and the errors of the feature or currency. */
export function createRequest(
	work: Work,
	customerRef: string,
	input: NewBudgetRequest,
	notify: NotifyApprover,
	requester: Requester = sellerOf(work.actor),
): BudgetRequestRow {
	assertGovernance(work);
	const customer = getCustomer(work, customerRef);
	assertNotArchived(customer);
	const entity = getNamedEntity(work, customer.id, input.entityId, "body/entityId");
	const { capabilityId } = getCapability(work, input, "body");
	const budget = wholeBudgetOf(work, entity.id, capabilityId);
	if (budget?.usageLimit == null)
		throw fail(
			"BadUserInput",
			`body/entityId: '${entity.refId}' has no limit for this feature or currency, so there is nothing to raise; assign a budget first.`,
		);
	const amount = toDecimal(input.amount);
	assertLimitPlaces(amount, "body/amount");
	if (countPending(work, budget.id) >= pendingMax)
		throw fail(
			"BadUserInput",
			`body/entityId: '${entity.refId}' has ${pendingMax} undecided requests; decide them first.`,
		);
	const row = insertRequest(work, {
		...{ customerId: customer.id, assignmentId: budget.id, amount, approvedAmount: null, counterId: null },
		...{ reason: input.reason ?? null, duration: input.duration, status: "PENDING", requestedBy: textOf(requester) },
		nextDueAt: addDays(work.now, expiresAfterDays),
	});
	emit(work, "budget.requested", row);
	const shown = budgetOf(work, row);
	notify(work, { request: row, budget: shown, approver: approverOf(work, shown.node, requester) });
	return row;
}

const wholeBudgetOf = (work: Work, entityId: string, capabilityId: string): BudgetAssignmentRow | undefined =>
	selectAssignmentsOf(
		work,
		selectNodesOf(work, [entityId], [capabilityId]).map(({ id }) => id),
	).find(({ scope }) => scope === "");

/**
 * Approves a request, or a part of its amount. The higher limit counts at once. Throws BadUserInput for more than the requested amount, and
 * InvalidArgumentError for a decided request or a person's own one, and AccessDeniedError unless `by` governs the parent.
 */
export function approveRequest(
	work: Work,
	id: string,
	{ amount: approved }: BudgetApproval,
	by: Requester = sellerOf(work.actor),
): BudgetRequestRow {
	const request = getDecidable(work, id, by);
	const amount = approved === undefined ? request.amount : toDecimal(approved);
	assertLimitPlaces(amount, "body/amount");
	if (isLess(request.amount, amount))
		throw fail(
			"BadUserInput",
			`body/amount: ${amount} is more than the requested ${request.amount}; approve at most that.`,
		);
	const counterId =
		request.duration === "PERMANENT" ? raiseLimit(work, request, amount) : raiseWindow(work, request, amount);
	const row = saveRequest(work, id, { status: "APPROVED", approvedAmount: amount, counterId, nextDueAt: null });
	emit(work, "budget.approved", row);
	return row;
}

function raiseLimit(work: Work, request: BudgetRequestRow, amount: Decimal): null {
	const budget = budgetOf(work, request);
	changeLimit(work, getCustomerById(work, request.customerId).refId, budget, plus(budget.usageLimit ?? zero, amount));
	return null;
}

/** Raises the limit of the current window. Returns its counter. */
function raiseWindow(work: Work, request: BudgetRequestRow, amount: Decimal): number {
	const { customerId } = request;
	const budget = budgetOf(work, request);
	const counter = openCounter(work, customerId, budget, windowAt(budget, work.now));
	saveRaised(work, counter.id, plus(counter.raised, amount));
	putInTree(work, [budget]);
	work.usageChanged(customerId);
	return counter.id;
}

/** Declines a request. Throws as `approveRequest`. */
export function declineRequest(work: Work, id: string, by: Requester = sellerOf(work.actor)): BudgetRequestRow {
	getDecidable(work, id, by);
	const row = saveRequest(work, id, { status: "DECLINED", nextDueAt: null });
	emit(work, "budget.declined", row);
	return row;
}

// The interface has no requests, so there is no error code.
const noRequest = (id: string) => new HttpRefusal(404, `There is no budget request '${id}' in this environment.`);

function getDecidable(work: Work, id: string, by: Requester): BudgetRequestRow {
	assertGovernance(work);
	const request = selectRequest(work, id);
	if (!request) throw noRequest(id);
	const { node, entity } = budgetOf(work, request);
	switch (obstacleTo(request, node, by)) {
		case null:
			return request;
		case "NOT_SHOWN":
			throw noRequest(id);
		case "NOT_GOVERNED":
			throw fail("AccessDeniedError", by.notGoverned(entity.refId));
		case "DECIDED":
			throw fail("InvalidArgumentError", `Budget request '${id}' is ${request.status}; create another one.`);
		case "OWN":
			throw fail("InvalidArgumentError", `Request '${id}' is your own; another person decides it.`);
	}
}

function budgetOf(work: Work, { assignmentId }: BudgetRequestRow): ShownAssignment {
	const budget = shownAssignmentsByIds(work, [assignmentId]).get(assignmentId);
	assert(budget, "a request has a budget");
	return budget;
}

/** Lists the requests of a customer, or only those for budgets at some nodes (row ids) and below. */
export function listRequests(
	work: Work,
	customerRef: string,
	query: BudgetRequestListQuery,
	nodeIds: ReadonlySet<string> | null = null,
): Page<BudgetRequestRow> {
	assertGovernance(work);
	return pageRequests(work, getCustomer(work, customerRef).id, query, nodeIds);
}

/** Returns the condition of the requests that `listRequests` lists. */
export function requestsWhere(work: Work, customerRef: string, status: string | undefined): SQL | undefined {
	assertGovernance(work);
	return requestsShown(getCustomer(work, customerRef).id, status);
}

/** Returns requests by row id. */
export const requestsByIds = selectRequests;

/** Returns requests with the callers' ids, in the same order. */
export const shownRequests = (work: Work, rows: readonly BudgetRequestRow[]): BudgetRequest[] =>
	rows.map(requestView(work, rows));

type RequestEvent = Extract<EventType, "budget.requested" | "budget.approved" | "budget.declined">;

function emit(work: Work, type: RequestEvent, row: BudgetRequestRow): void {
	const { id, customerId, entityId, featureId, currencyId, amount, approvedAmount, duration, status } = viewRequest(
		work,
		row,
	);
	writeEvent(work, type, row.id, {
		...{ id, entityId: row.id, customer: { id: customerId }, entity: { id: entityId } },
		feature: featureId === null ? null : { id: featureId },
		currency: currencyId === null ? null : { id: currencyId },
		...{ amount, approvedAmount, duration, status },
	});
}
