import { dirname } from "node:path";
import { asc, desc, eq, gte, lte, sql } from "drizzle-orm";
import { assert } from "../../../kernel/errors";
import type { Transaction } from "../../../kernel/work";
import type { LogRow } from "../blocks/event-block";
import { eventArchivedBlocks, eventArchives, eventStoredIdentities } from "../table.events";
import { readFrame } from "./files";

/** About 2 MB for each connection. Readers of one event of a frame usually read its neighbors too. */
const framesMax = 8;

const { placeholder } = sql;

const buildStatements = (tx: Transaction) => ({
	/** The last block that does not begin after an event. */
	at: tx
		.select()
		.from(eventArchivedBlocks)
		.where(lte(eventArchivedBlocks.firstEvent, placeholder("event")))
		.orderBy(desc(eventArchivedBlocks.firstEvent))
		.limit(1)
		.prepare(),
	from: tx
		.select()
		.from(eventArchivedBlocks)
		.where(gte(eventArchivedBlocks.firstEvent, placeholder("event")))
		.orderBy(asc(eventArchivedBlocks.firstEvent))
		.limit(1)
		.prepare(),
	archive: tx
		.select()
		.from(eventArchives)
		.where(eq(eventArchives.id, placeholder("archive")))
		.prepare(),
	identities: tx
		.select()
		.from(eventStoredIdentities)
		.where(eq(eventStoredIdentities.firstEvent, placeholder("firstEvent")))
		.prepare(),
	file: tx
		.select({ file: sql<string>`file` })
		.from(sql`pragma_database_list`)
		.where(sql`file LIKE '%events.db'`)
		.prepare(),
});

export type ArchivedBlockRow = typeof eventArchivedBlocks.$inferSelect;

/**
 * Reads blocks that have moved from the log to the archive. One for each connection that has events.db open or
 * attached.
 */
export class ArchivedBlocks {
	readonly #statements;
	/** By archive and offset; the most recently used last. */
	readonly #frames = new Map<string, readonly LogRow[]>();

	constructor(tx: Transaction) {
		this.#statements = buildStatements(tx);
	}

	/** Returns the last block that does not begin after an event. */
	at(event: number): ArchivedBlockRow | undefined {
		return this.#statements.at.get({ event });
	}

	/** Whether an archived block holds an event. */
	holds(event: number): boolean {
		const row = this.at(event);
		return row !== undefined && event < row.firstEvent + row.events;
	}

	/** Returns the first block that does not begin before an event. */
	from(event: number): ArchivedBlockRow | undefined {
		return this.#statements.from.get({ event });
	}

	/** Returns the fingerprints of a block, 8 bytes each. Those of blocks in the storage are in the log's file. */
	fingerprints(row: ArchivedBlockRow): Pick<LogRow, "firstEvent" | "fingerprints"> {
		return this.#statements.identities.get({ firstEvent: row.firstEvent }) ?? this.content(row);
	}

	/** Returns the check (identity-check.ts) of an event whose block is in the storage; undefined for other events. */
	check(event: number): number | undefined {
		const row = this.at(event);
		if (!row || event >= row.firstEvent + row.events) return undefined;
		const { firstEvent } = row;
		return this.#statements.identities.get({ firstEvent })?.checks.readUInt32LE(4 * (event - firstEvent));
	}

	/**
	 * Returns a whole block. Throws `FileUnreadable` if its file is missing or damaged, and `FileNotHere` if it is
	 * being fetched.
	 */
	content({ archive, offset, bytes, firstEvent }: ArchivedBlockRow): LogRow {
		const key = `${archive} ${offset}`;
		const frame = this.#frames.get(key) ?? this.#read(archive, offset, bytes);
		this.#frames.delete(key);
		this.#frames.set(key, frame);
		for (const oldest of this.#frames.keys()) {
			if (this.#frames.size <= framesMax) break;
			this.#frames.delete(oldest);
		}
		const row = frame.find((one) => one.firstEvent === firstEvent);
		assert(row, "a frame holds the blocks that are said to be in it");
		return row;
	}

	#read(archive: number, offset: number, bytes: number): readonly LogRow[] {
		const { file = "" } = this.#statements.file.get() ?? {};
		const named = this.#statements.archive.get({ archive });
		assert(named, "a block that was archived names its file");
		return readFrame(dirname(file), named, offset, bytes);
	}
}
