import { parseInstant } from "../../kernel/clock";
import type { Transactions, Work } from "../../kernel/work";
import { systemActor } from "../access/rules.actors";
import { findCustomerById } from "../customers/operations";
import { eraseCustomer, obstacleTo } from "./operations.erase";
import type { ListedErasure } from "./rules.erasure-list";
import { hasErasureSince } from "./store.erasures";

/** An erasure that cannot be repeated yet. */
export interface WaitingErasure extends ListedErasure {
	/** The reason that prevents it, and the remedy. */
	readonly obstacle: string;
}

export interface Reapplied {
	/** The restarted erasures. */
	readonly begun: readonly ListedErasure[];
	readonly waiting: readonly WaitingErasure[];
}

/**
 * Restarts the erasures that a restored folder does not know, because they were requested after its backup. The server runs them as
 * tasks. Skips an erasure that the folder knows, or whose customer it does not contain.
 */
export function reapplyErasures(transactions: Transactions, erasures: readonly ListedErasure[]): Reapplied {
	const begun: ListedErasure[] = [];
	const waiting: WaitingErasure[] = [];
	for (const erasure of erasures) {
		const outcome = transactions.write<string>(systemActor(erasure.environmentId), (work) => reapply(work, erasure));
		if (outcome === "begun") begun.push(erasure);
		else if (outcome !== "skipped") waiting.push({ ...erasure, obstacle: outcome });
	}
	return { begun, waiting };
}

/** Returns what keeps the erasure, if neither "begun" nor "skipped". */
function reapply(work: Work, { id, customerId, requestedAt }: ListedErasure): string {
	const customer = findCustomerById(work, customerId);
	const since = parseInstant(requestedAt);
	if (!customer || since === undefined || hasErasureSince(work, customer.id, id, since)) return "skipped";
	const obstacle = obstacleTo(work, customer);
	if (obstacle !== undefined) return obstacle;
	eraseCustomer(work, customer.refId);
	return "begun";
}
