import { asc, desc, gt, lte, sql } from "drizzle-orm";
import { FileUnreadable } from "../../../kernel/storage/failures";
import type { Transaction } from "../../../kernel/work";
import { type ArchivedBlockRow, ArchivedBlocks } from "../archive/archived-blocks";
import { type LogRow, wordsOf } from "../blocks/event-block";
import { eventBlocks, eventCustomers } from "../table.events";
import { OldRows } from "./old-rows";

const { placeholder } = sql;

const columns = { firstEvent: eventBlocks.firstEvent, fingerprints: eventBlocks.fingerprints } as const;

const buildStatements = (tx: Transaction) => ({
	after: tx
		.select(columns)
		.from(eventBlocks)
		.where(gt(eventBlocks.firstEvent, placeholder("after")))
		.orderBy(asc(eventBlocks.firstEvent))
		.limit(placeholder("rows"))
		.prepare(),
	/** The last row that does not begin after an event. */
	at: tx
		.select(columns)
		.from(eventBlocks)
		.where(lte(eventBlocks.firstEvent, placeholder("event")))
		.orderBy(desc(eventBlocks.firstEvent))
		.limit(1)
		.prepare(),
	lastCustomer: tx
		.select({ id: eventCustomers.id })
		.from(eventCustomers)
		.orderBy(desc(eventCustomers.id))
		.limit(1)
		.prepare(),
});

/** Rows that are read at once. */
const rowsAtOnce = 100;

/** The fingerprints of consecutive events, 8 bytes each: the high half, the low half. */
interface FingerprintRow {
	readonly firstEvent: number;
	readonly words: Uint32Array;
}

/** Events whose fingerprints are in an unreadable file of the archive. */
interface UnreadRow {
	readonly firstEvent: number;
	readonly lastEvent: number;
	readonly error: FileUnreadable;
}

/** Reads the fingerprints in the log, from which the files (fingerprints/) are written. */
export class LogFingerprints {
	readonly #statements;
	readonly #old: OldRows;
	readonly #archived: ArchivedBlocks;

	constructor(tx: Transaction) {
		this.#statements = buildStatements(tx);
		this.#old = new OldRows(tx);
		this.#archived = new ArchivedBlocks(tx);
	}

	/** Yields the fingerprints of all events after one with which a row ends, in the order of the log. */
	*after(event: number): Generator<FingerprintRow | UnreadRow> {
		let next = event + 1;
		for (const row of inPages(event, (after) => this.#old.fingerprintsAfter(after, rowsAtOnce))) {
			yield wordsOfRow(row);
			next = row.firstEvent + row.fingerprints.length / 8;
		}
		const blocks = inPages(next - 1, (after) => this.#statements.after.all({ after, rows: rowsAtOnce }));
		let block = blocks.next().value;
		for (;;) {
			// A block that moved to the archive meanwhile may be read twice.
			while (block && block.firstEvent < next) block = blocks.next().value;
			const archived = block?.firstEvent === next ? undefined : this.#archived.from(next);
			const isArchived =
				archived !== undefined && archived.firstEvent < (block?.firstEvent ?? Number.POSITIVE_INFINITY);
			const row = isArchived ? this.#readArchived(archived) : block;
			if (!row) return;
			if ("error" in row) {
				yield row;
				next = row.lastEvent + 1;
			} else {
				yield wordsOfRow(row);
				next = row.firstEvent + row.fingerprints.length / 8;
			}
		}
	}

	/** Reads the archived block that holds an event, if there is one. Throws `FileUnreadable` if it cannot. */
	readonly readArchivedAt = (event: number): void => {
		const archived = this.#archived.at(event);
		if (archived) this.#archived.fingerprints(archived);
	};

	/** The first event of the newest block in the archive; 0 if there is none. */
	get lastArchived(): number {
		return this.#archived.at(Number.MAX_SAFE_INTEGER)?.firstEvent ?? 0;
	}

	/** The highest number of a customer. */
	get lastCustomer(): number {
		return this.#statements.lastCustomer.get()?.id ?? 0;
	}

	#readArchived(archived: ArchivedBlockRow): Pick<LogRow, "firstEvent" | "fingerprints"> | UnreadRow {
		try {
			return this.#archived.fingerprints(archived);
		} catch (error) {
			if (!(error instanceof FileUnreadable)) throw error;
			const { firstEvent, events } = archived;
			return { firstEvent, lastEvent: firstEvent + events - 1, error };
		}
	}

	/**
	 * Returns the fingerprint of an event with which a row ends: the high half, the low half. Undefined for other
	 * events.
	 */
	ofLast(event: number): [high: number, low: number] | undefined {
		const block = this.#statements.at.get({ event });
		const archived = this.#archived.at(event);
		if (archived && archived.firstEvent > (block?.firstEvent ?? 0)) {
			const [high = 0, low = 0] = wordsOf(archived.lastFingerprint);
			return archived.firstEvent + archived.events - 1 === event ? [high, low] : undefined;
		}
		const row = block ?? this.#old.fingerprintsAt(event);
		if (!row) return undefined;
		const { firstEvent, words } = wordsOfRow(row);
		const at = (event - firstEvent) * 2;
		return at + 2 === words.length ? [words[at] ?? 0, words[at + 1] ?? 0] : undefined;
	}
}

/** Yields all rows after an event, page by page: rows that are added between two pages are read too. */
function* inPages<Row extends { readonly firstEvent: number }>(
	event: number,
	read: (after: number) => readonly Row[],
): Generator<Row, undefined> {
	for (let after = event; ; ) {
		const rows = read(after);
		yield* rows;
		const last = rows.at(-1);
		if (!last) return undefined;
		after = last.firstEvent;
	}
}

const wordsOfRow = ({ firstEvent, fingerprints }: Pick<LogRow, "firstEvent" | "fingerprints">): FingerprintRow => ({
	firstEvent,
	words: wordsOf(fingerprints),
});
