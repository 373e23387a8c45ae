import type { Instant } from "../../../kernel/clock";
import { attemptStep, type DueSource } from "../../../kernel/due";
import { assert } from "../../../kernel/errors";
import { addMinutes } from "../../../kernel/period";
import { workAt } from "../../../kernel/work";
import { dueTimesOf } from "../../access/environments/operations.due";
import { requestDueAt, saveRequest } from "./store";
import { budgetRequests } from "./table";
import { viewRequest } from "./view";

/** No rule refuses this step, so a failure is a bug: it is logged as an error, and the step is retried. */
const retryMinutes = 60;

/** Undecided requests expire. */
export const dueRequests: DueSource = {
	...dueTimesOf(budgetRequests),
	carryOutFirst: (work, dueAt) => {
		const request = requestDueAt(work, dueAt);
		assert(request, "due requests exist");
		work.cause.operation ??= "scheduler.EXPIRE_BUDGET_REQUEST";
		const { customerId, entityId } = viewRequest(work, request);
		const done = { at: dueAt, subject: { customerId, entityId } };
		const failed = attemptStep(work, () => {
			saveRequest(workAt(work, dueAt), request.id, { status: "EXPIRED", nextDueAt: null });
		});
		if (!failed) return done;
		const retryAt = addMinutes(Math.max(work.now, dueAt) as Instant, retryMinutes);
		saveRequest(work, request.id, { nextDueAt: retryAt });
		return { ...done, ...failed, retry: { step: "EXPIRE_BUDGET_REQUEST", retryAt } };
	},
};
