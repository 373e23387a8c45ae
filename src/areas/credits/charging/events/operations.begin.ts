import type { Transactions } from "../../../../kernel/work";
import { systemActor } from "../../../access/rules.actors";
import { lastCancellationOf, lastEventOf } from "../../../usage/operations.following";
import { type EventCursor, readCursor, writeCursor } from "./store";

/**
 * Returns the cursor of charging. Creates it at the end of the log if there is none, because earlier events cost nothing. A server
 * calls it before it accepts events.
 */
export function beginEventCharging(transactions: Transactions): EventCursor {
	const everywhere = systemActor("");
	return (
		transactions.read(everywhere, readCursor) ??
		transactions.writeUsage(everywhere, (work) => {
			const last = lastEventOf(work);
			const first = { takenTo: last, stepTo: last, customerTo: 0, canceledTo: lastCancellationOf(work) };
			writeCursor(work, first);
			return first;
		})
	);
}
