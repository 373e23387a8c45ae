import { sql } from "drizzle-orm";
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
