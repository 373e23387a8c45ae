import type { Instant } from "../../../kernel/clock";
import type { Work } from "../../../kernel/work";
import { getOwnEnvironment } from "../../access/operations";
import { checkTimeOf } from "./rules";
import { invoicesAtOnce, markCustomer } from "./store.marks";

/** Marks the subscriptions of a customer (its row id) after a report of usage at an instant, in the transaction of the report. */
export function markReportedUsage(work: Work, customerId: string, at: Instant): void {
	if (!invoicesAtOnce(work)) return;
	const isFrozen = getOwnEnvironment(work).clockAt !== null;
	markCustomer(work, work.actor.environmentId, customerId, checkTimeOf(at, { now: work.now, isFrozen }));
}
