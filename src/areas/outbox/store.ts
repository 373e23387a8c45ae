import { asc, lt, sql } from "drizzle-orm";
import type { Transaction, Work } from "../../kernel/work";
import { type OutboxEventRow, outboxEvents } from "./table";

const inserted = (tx: Transaction) =>
	tx
		.insert(outboxEvents)
		.values({
			environmentId: sql.placeholder("environmentId"),
			messageId: sql.placeholder("messageId"),
			traceId: sql.placeholder("traceId"),
			type: sql.placeholder("type"),
			entityId: sql.placeholder("entityId"),
			actorType: sql.placeholder("actorType"),
			payload: sql.placeholder("payload"),
			at: sql.placeholder("at"),
			recordedAt: sql.placeholder("recordedAt"),
		})
		.prepare();

export const insertEvent = (work: Work, event: Omit<OutboxEventRow, "position">): void =>
	void work.prepared(inserted).run(event);

const oldest = (tx: Transaction) =>
	tx
		.select({ position: outboxEvents.position, recordedAt: outboxEvents.recordedAt })
		.from(outboxEvents)
		.orderBy(asc(outboxEvents.position))
		.limit(sql.placeholder("rowsMax"))
		.prepare();

/** Of the oldest so many those that were recorded before a time of the machine; answers how many there were. */
export function deleteRecordedBefore(work: Work, before: number, rowsMax: number): number {
	const rows = work.prepared(oldest).all({ rowsMax });
	const kept = rows.findIndex(({ recordedAt }) => recordedAt >= before);
	const old = kept === -1 ? rows : rows.slice(0, kept);
	const last = old.at(-1);
	if (last)
		work.tx
			.delete(outboxEvents)
			.where(lt(outboxEvents.position, last.position + 1))
			.run();
	return old.length;
}
