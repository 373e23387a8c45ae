import { purgeSessions } from "../areas/access/operations";
import { systemActor } from "../areas/access/rules.actors";
import { purgeEntries } from "../areas/audit/operations";
import { purgeEvents } from "../areas/outbox/operations";
import { purgeReplays } from "../areas/webhooks/operations";
import { purgeAnswers } from "../http/idempotency";
import type { Work } from "../kernel/work";
import type { JobThread } from "../tasks/job";
import { purgeTasks } from "../tasks/operations";

/** Our choice: as many rows as are removed in a part of a turn. */
const rowsMax = 100;

/** No environment: what has ended is removed in all of them, by the machine's time. */
const everywhere = systemActor("");

/** Forgets what nobody can ask for any more: tasks long ended, sessions that are over, answers kept for a day, events kept for a month, entries of the audit log as it is set. */
export async function purge(
	{ transactions, turns, isStopping }: JobThread,
	auditKeepDays: number | undefined,
): Promise<void> {
	const purgeLog = (work: Work, pieceMax: number) =>
		auditKeepDays === undefined ? 0 : purgeEntries(work, auditKeepDays, pieceMax);
	for (const removePiece of [purgeTasks, purgeSessions, purgeAnswers, purgeEvents, purgeReplays, purgeLog]) {
		const removeNext = () =>
			transactions.write(everywhere, (work) => {
				work.origin.operation = "scheduler.PURGE";
				return removePiece(work, rowsMax);
			}) > 0;
		for (let isLeft = true; isLeft; ) {
			await turns.next();
			if (isStopping()) return;
			do isLeft = removeNext();
			while (isLeft && !turns.isOver());
		}
	}
}
