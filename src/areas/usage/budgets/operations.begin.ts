import type { Transactions } from "../../../kernel/work";
import { systemActor } from "../../access/rules.actors";
import { lastCancellationOf, lastEventOf } from "../operations.following";
import { type BudgetCursor, readCursor, writeCursor } from "./store";

/**
 * Returns the cursor of counting. Creates it at the end of the log if there is none, because budgets count no earlier events. A server
 * calls it before it accepts events.
 */
export function beginEventCounting(transactions: Transactions): BudgetCursor {
	const everywhere = systemActor("");
	return (
		transactions.read(everywhere, readCursor) ??
		transactions.writeUsage(everywhere, (work) => {
			const first = { countedTo: lastEventOf(work), canceledTo: lastCancellationOf(work) };
			writeCursor(work, first);
			return first;
		})
	);
}
