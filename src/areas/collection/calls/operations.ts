import { assert, fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { deleteCallsBefore, findCall, insertCall, listDueCalls, saveOutcome } from "./store";
import type { CallOutcome, ProviderCallRow } from "./table";

export { findCall, listDueCalls };

/** Nobody waits for a call any more after this time. */
const keptMs = 3_600_000;
const deletedMax = 100;

/** Plans a call for the collector, in the caller's transaction, and deletes old ones. */
export function planCall(work: Work, call: Pick<ProviderCallRow, "kind" | "subjectId" | "request">): ProviderCallRow {
	deleteCallsBefore(work, work.machineNow - keptMs, deletedMax);
	work.wake("collector");
	return insertCall(work, call);
}

/**
 * Ends a call: `apply` changes what the call was about, and returns the outcome for the caller that waits. A call that has ended already
 * changes nothing.
 */
export function endCall(work: Work, callId: string, apply: (call: ProviderCallRow) => CallOutcome): void {
	const call = findCall(work, callId);
	if (!call || call.outcome !== null) return;
	Object.assign(work.cause, call.cause);
	saveOutcome(work, call, apply(call));
}

/** Returns the content of a call as it was planned: the kind of the call decides about the type. */
export function plannedOf<Planned extends object>({ request }: Pick<ProviderCallRow, "request">): Planned {
	assert(request, "a call that has not ended has its content");
	return request as unknown as Planned;
}

/** Returns whether a call was done; undefined while it waits. Throws its refusal. */
export function outcomeOf(work: Work, id: string): true | undefined {
	const outcome = findCall(work, id)?.outcome;
	if (outcome == null) return undefined;
	if (!outcome.isDone) throw fail(outcome.code, outcome.message);
	return true;
}

/** Returns in how many milliseconds a call is due; undefined if none waits. */
export const msUntilCall = (work: Work): number | undefined => {
	const [first] = listDueCalls(work, 1);
	return first?.dueAt == null ? undefined : Math.max(0, first.dueAt - work.machineNow);
};
