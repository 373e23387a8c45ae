import type { Work } from "../../kernel/work";
import { msUntilAttempt } from "./attempts/operations";
import { msUntilCall } from "./calls/operations";
import { msUntilDispute } from "./disputes/operations";
import { msUntilEvent } from "./events/operations";
import { msUntilDetachment } from "./methods/operations.choose";
import { listLookedPages } from "./pages/operations";
import { msUntilRefund } from "./refunds/operations";

/** Returns in how many milliseconds the collector has something to do; undefined if nothing waits. */
export function msUntilCollection(work: Work): number | undefined {
	const waits = [
		...[msUntilCall(work), msUntilLook(work), msUntilAttempt(work), msUntilDetachment(work)],
		...[msUntilEvent(work), msUntilDispute(work), msUntilRefund(work)],
	].filter((one) => one !== undefined);
	return waits.length === 0 ? undefined : Math.min(...waits);
}

function msUntilLook(work: Work): number | undefined {
	const [first] = listLookedPages(work, 1);
	return first?.dueAt == null ? undefined : Math.max(0, first.dueAt - work.machineNow);
}
