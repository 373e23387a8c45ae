import { HttpRefusal } from "../../../http/refusal";
import { type Decimal, isLess, plus, toDecimal, zero } from "../../../kernel/decimal";
import { assert, fail } from "../../../kernel/errors";
import type { Page } from "../../../kernel/page";
import { addDays } from "../../../kernel/period";
import type { Actor, Work } from "../../../kernel/work";
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
import { shownAssignmentsByIds } from "../shown/operations";
import { selectAssignmentsOf, selectNodesOf } from "../store.assignments";
import { openCounter, saveRaised } from "../store.usage";
import type { BudgetAssignmentRow } from "../table";
import { putInTree } from "../tree/operations.update";
import type { BudgetApproval, BudgetRequest, BudgetRequestListQuery, NewBudgetRequest } from "./schema";
import { countPending, insertRequest, pageRequests, saveRequest, selectRequest } from "./store";
import type { BudgetRequestRow } from "./table";
import { requestView, viewRequest } from "./view";

/** Source: docs/interface/governance.md#requests. */
const expiresAfterDays = 7;
const pendingMax = 20;

/** The actor who requests or decides, or the person who uses a customer's link. */
export type Requester = Pick<Actor, "kind" | "id">;

/** Requests a higher limit. Throws BadUserInput, CustomerNotFound, EntityIsArchivedError and the errors of the feature or currency. */
export function createRequest(
	work: Work,
	customerRef: string,
	input: NewBudgetRequest,
	requester: Requester = work.actor,
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
	return row;
}

const wholeBudgetOf = (work: Work, entityId: string, capabilityId: string): BudgetAssignmentRow | undefined =>
	selectAssignmentsOf(
		work,
		selectNodesOf(work, [entityId], [capabilityId]).map(({ id }) => id),
	).find(({ scope }) => scope === "");

const textOf = ({ kind, id }: Requester): string => `${kind} ${id}`;

/** The kinds of actors that are one person. Keys decide their own requests, because the caller decides who uses them. */
const persons: ReadonlySet<string> = new Set(["USER", "PORTAL"]);

/** Whether a person made a request. */
export const isOwnRequest = ({ requestedBy }: BudgetRequestRow, by: Requester): boolean =>
	persons.has(by.kind) && requestedBy === textOf(by);

/** Returns the person who made a request with a customer's link; null for another actor. */
export const personOf = ({ requestedBy }: BudgetRequestRow): string | null =>
	requestedBy.startsWith("PORTAL ") ? requestedBy.slice("PORTAL ".length) : null;

/**
 * Approves a request, or a part of its amount. The higher limit counts at once. Throws BadUserInput for more than the requested amount, and
 * InvalidArgumentError for a decided request or a person's own one.
 */
export function approveRequest(
	work: Work,
	id: string,
	{ amount: approved }: BudgetApproval,
	by: Requester = work.actor,
): BudgetRequestRow {
	const request = getPending(work, id, by);
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

function raiseLimit(work: Work, { customerId, assignmentId }: BudgetRequestRow, amount: Decimal): null {
	const budget = shownAssignmentsByIds(work, [assignmentId]).get(assignmentId);
	assert(budget, "a request has a budget");
	changeLimit(work, getCustomerById(work, customerId).refId, budget, plus(budget.usageLimit ?? zero, amount));
	return null;
}

/** Raises the limit of the current window. Returns its counter. */
function raiseWindow(work: Work, { customerId, assignmentId }: BudgetRequestRow, amount: Decimal): number {
	const budget = shownAssignmentsByIds(work, [assignmentId]).get(assignmentId);
	assert(budget, "a request has a budget");
	const counter = openCounter(work, customerId, budget, windowAt(budget, work.now));
	saveRaised(work, counter.id, plus(counter.raised, amount));
	putInTree(work, [budget]);
	work.usageChanged(customerId);
	return counter.id;
}

/** Declines a request. Throws InvalidArgumentError for a decided request or a person's own one. */
export function declineRequest(work: Work, id: string, by: Requester = work.actor): BudgetRequestRow {
	getPending(work, id, by);
	const row = saveRequest(work, id, { status: "DECLINED", nextDueAt: null });
	emit(work, "budget.declined", row);
	return row;
}

/** 404 for an unknown request. The interface has no requests, so there is no error code. */
export function getRequest(work: Work, id: string): BudgetRequestRow {
	assertGovernance(work);
	const request = selectRequest(work, id);
	if (!request) throw noRequest(id);
	return request;
}

export const noRequest = (id: string) =>
	new HttpRefusal(404, `There is no budget request '${id}' in this environment.`);

function getPending(work: Work, id: string, by: Requester): BudgetRequestRow {
	const request = getRequest(work, id);
	if (request.status !== "PENDING")
		throw fail("InvalidArgumentError", `Budget request '${id}' is ${request.status}; create another one.`);
	if (isOwnRequest(request, by))
		throw fail("InvalidArgumentError", `Request '${id}' is your own; another person decides it.`);
	return request;
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

/** Returns requests with the callers' ids. */
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
