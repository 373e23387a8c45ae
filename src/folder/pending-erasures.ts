import { rmSync } from "node:fs";
import { join } from "node:path";
import { type Reapplied, reapplyErasures } from "../areas/privacy/operations.reapply";
import { pendingErasuresName } from "../areas/privacy/rules.erasure-list";
import type { Transactions } from "../kernel/work";
import { readErasures, writePending } from "./erasures";

/** Repeats the pending erasures of a restored folder, as far as possible. The others wait for the next start. */
export function reapplyPending(folder: string, transactions: Transactions): Reapplied {
	const path = join(folder, pendingErasuresName);
	const pending = readErasures(path);
	if (pending.length === 0) return { begun: [], waiting: [] };
	const reapplied = reapplyErasures(transactions, pending);
	const waiting = reapplied.waiting.map(({ obstacle: _, ...erasure }) => erasure);
	if (waiting.length === 0) rmSync(path);
	else if (waiting.length < pending.length) writePending(folder, waiting);
	return reapplied;
}
