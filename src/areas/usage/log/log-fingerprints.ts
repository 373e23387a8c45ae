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
	/** Of the last block that does not begin after an event. */
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

/** Our choice: what is read at once of a long log. */
const rowsAtOnce = 100;

/** The fingerprints of events that follow each other, 8 bytes each: the high half, the low half. */
interface FingerprintRow {
	readonly firstEvent: number;
	readonly words: Uint32Array;
}

/** Events whose fingerprints lie in a file of the archive that cannot be read. */
interface UnreadRow {
	readonly firstEvent: number;
	readonly lastEvent: number;
	readonly error: FileUnreadable;
}

/** The fingerprints as the log holds them, of which the files (fingerprints/) are made. */
export class LogFingerprints {
	readonly #statements;
	readonly #old: OldRows;
	readonly #archived: ArchivedBlocks;

	constructor(tx: Transaction) {
		this.#statements = buildStatements(tx);
		this.#old = new OldRows(tx);
		this.#archived = new ArchivedBlocks(tx);
	}

	/** Of all events after one with which a row of them ends, in the order of the log. */
	*after(event: number): Generator<FingerprintRow | UnreadRow> {
		let next = event + 1;
		for (const row of inPages(event, (after) => this.#old.fingerprintsAfter(after, rowsAtOnce))) {
			yield wordsOfRow(row);
			next = row.firstEvent + row.fingerprints.length / 8;
		}
		const blocks = inPages(next - 1, (after) => this.#statements.after.all({ after, rows: rowsAtOnce }));
		let block = blocks.next().value;
		for (;;) {
			// One that was read before it left for the archive may come after its neighbours from there.
			while (block && block.firstEvent < next) block = blocks.next().value;
			const away = block?.firstEvent === next ? undefined : this.#archived.from(next);
			const isAway = away !== undefined && away.firstEvent < (block?.firstEvent ?? Number.POSITIVE_INFINITY);
			const row = isAway ? this.#readArchived(away) : block;
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

	/** Reads the archived block that holds an event, if there is one. Throws `FileUnreadable` where it cannot. */
	readonly readArchivedAt = (event: number): void => {
		const away = this.#archived.at(event);
		if (away) this.#archived.fingerprints(away);
	};

	/** The first event of the newest block in the archive; 0 where there is none. */
	get lastArchived(): number {
		return this.#archived.at(Number.MAX_SAFE_INTEGER)?.firstEvent ?? 0;
	}

	/** The highest number of a customer. */
	get lastCustomer(): number {
		return this.#statements.lastCustomer.get()?.id ?? 0;
	}

	#readArchived(away: ArchivedBlockRow): Pick<LogRow, "firstEvent" | "fingerprints"> | UnreadRow {
		try {
			return this.#archived.fingerprints(away);
		} catch (error) {
			if (!(error instanceof FileUnreadable)) throw error;
			const { firstEvent, events } = away;
			return { firstEvent, lastEvent: firstEvent + events - 1, error };
		}
	}

	/** Of an event with which a row of them ends: the high half, the low half. Undefined for any other. */
	ofLast(event: number): [high: number, low: number] | undefined {
		const block = this.#statements.at.get({ event });
		const away = this.#archived.at(event);
		if (away && away.firstEvent > (block?.firstEvent ?? 0)) {
			const [high = 0, low = 0] = wordsOf(away.lastFingerprint);
			return away.firstEvent + away.events - 1 === event ? [high, low] : undefined;
		}
		const row = block ?? this.#old.fingerprintsAt(event);
		if (!row) return undefined;
		const { firstEvent, words } = wordsOfRow(row);
		const at = (event - firstEvent) * 2;
		return at + 2 === words.length ? [words[at] ?? 0, words[at + 1] ?? 0] : undefined;
	}
}

/** All rows after an event, read some at a time: what comes between two pages is seen. */
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
