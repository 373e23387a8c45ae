import type { Asked, Transaction } from "../work";

/**
 * What is made once for each epoch (`transactions.epoch`) and used until the next one: a value that was read, or an empty map that
 * fills up with what is found. So what is remembered is never stale: a cache changes cost, never meaning.
 */
export function underEpoch<T>(epoch: () => number, make: () => T): () => T {
	let made: { readonly at: number; readonly value: T } | undefined;
	return () => {
		const at = epoch();
		if (made?.at !== at) made = { at, value: make() };
		return made.value;
	};
}

/** Our choice: so many rows that one statement has answered are kept, some megabytes at most. A page of a catalogue has a hundred. */
const rowsMax = 2000;

/** Our choice: as many texts of statements as a connection sees, and more. */
const textsMax = 2000;

/**
 * What one connection was answered by statements that read what seldom changes, such as the catalogue, while it writes
 * everything else: kept until a row of their tables is written, here or by another connection. So a renewal finds its plan's
 * prices at hand, though the one before it has changed the file.
 */
export class Remembered {
	/** SQLite's `data_version`: another number after any other connection has committed. */
	readonly #version: () => number;
	#seen: number | undefined;
	readonly #statements = new Map<unknown, Asked>();
	readonly #byTable = new Map<string, Answers[]>();
	/** Tables that were written in the open transaction: what was read of them since is gone when that is undone. */
	readonly #unsure = new Set<string>();
	readonly #written = new Map<string, string>();

	constructor(version: () => number) {
		this.#version = version;
	}

	/** To be called in each transaction before it asks: forgets what others may have changed. */
	look(): void {
		const version = this.#version();
		if (version !== this.#seen) this.#forget(everything);
		this.#seen = version;
	}

	/** A statement that answers what it has answered before. Rows are shared: nobody changes them. */
	statement(build: (tx: Transaction) => Asked, tx: Transaction): Asked {
		const known = this.#statements.get(build);
		if (known) return known;
		const statement = this.#remembering(build(tx));
		this.#statements.set(build, statement);
		return statement;
	}

	/** Each query of the connection, before it is carried out. */
	heard(sql: string): void {
		const written = this.#tableWritten(sql);
		if (written === nothing) return;
		if (written === undoing) {
			this.undone();
			return;
		}
		this.#forget(written);
		this.#unsure.add(written);
	}

	/** A part of the open transaction was taken back. */
	undone(): void {
		for (const table of this.#unsure) this.#forget(table);
	}

	/** The transaction has ended, whichever way. */
	ended(isKept: boolean): void {
		if (!isKept) this.undone();
		this.#unsure.clear();
	}

	#remembering(statement: Asked): Asked {
		const answers = { one: new Answers(), all: new Answers() };
		for (const table of tablesRead(statement.getQuery().sql))
			this.#byTable.set(table, [...(this.#byTable.get(table) ?? []), answers.one, answers.all]);
		return {
			get: (values) => answers.one.of(values, () => statement.get(values)),
			all: (values) => {
				const rows = answers.all.of(values, () => statement.all(values));
				return Array.isArray(rows) ? [...rows] : rows;
			},
			getQuery: () => statement.getQuery(),
		};
	}

	#forget(table: string): void {
		const forgotten = table === everything ? [...this.#byTable.values()].flat() : this.#byTable.get(table);
		for (const answers of forgotten ?? []) answers.clear();
	}

	#tableWritten(sql: string): string {
		const known = this.#written.get(sql);
		if (known !== undefined) return known;
		const table = tableWritten(sql);
		if (this.#written.size >= textsMax) this.#written.clear();
		this.#written.set(sql, table);
		return table;
	}
}

/** What a statement has answered, by what it was asked with. */
class Answers {
	readonly #kept = new Map<string, unknown>();
	#rows = 0;

	of(values: Record<string, unknown> | undefined, ask: () => unknown): unknown {
		const key = JSON.stringify(values);
		if (this.#kept.has(key)) return this.#kept.get(key);
		const answer = ask();
		const rows = 1 + (Array.isArray(answer) ? answer.length : 0);
		if (this.#rows + rows > rowsMax) this.clear();
		if (rows > rowsMax) return answer;
		this.#rows += rows;
		this.#kept.set(key, answer);
		return answer;
	}

	clear(): void {
		this.#kept.clear();
		this.#rows = 0;
	}
}

// No table has such a name.
const nothing = "";
const everything = "*";
const undoing = "<";

function tableWritten(sql: string): string {
	if (/^\s*(select|pragma|savepoint|release)\b/i.test(sql)) return nothing;
	if (/^\s*rollback\b/i.test(sql)) return undoing;
	return /^\s*(?:insert into|update|delete from)\s+"?(\w+)/i.exec(sql)?.[1] ?? everything;
}

const tablesRead = (sql: string): Set<string> =>
	new Set([...sql.matchAll(/\b(?:from|join)\s+"(\w+)"/gi)].map(([, table = everything]) => table));
