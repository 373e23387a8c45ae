import type { Asked, Transaction } from "../work";

/**
 * Returns a function that makes a value once for each epoch (`transactions.epoch`): a value that was read, or an empty map that callers
 * fill. A cached value is never stale: a cache changes cost, never meaning.
 */
export function underEpoch<T>(epoch: () => number, make: () => T): () => T {
	let made: { readonly at: number; readonly value: T } | undefined;
	return () => {
		const at = epoch();
		if (made?.at !== at) made = { at, value: make() };
		return made.value;
	};
}

/** The number of cached rows of a statement, some megabytes at most. A page of a catalogue has a hundred. */
const rowsMax = 2000;

/** More than the number of different statements of a connection. */
const textsMax = 2000;

/**
 * Caches the results of statements that read rarely changing data, such as the catalogue, while their connection writes other data.
 * A result is valid until this or another connection writes a row of its tables. So a renewal finds its plan's prices in the cache,
 * although the former renewal changed the file.
 */
export class Remembered {
	/** SQLite's `data_version`: it changes after a commit of another connection. */
	readonly #version: () => number;
	#seen: number | undefined;
	readonly #statements = new Map<unknown, Asked>();
	readonly #byTable = new Map<string, Answers[]>();
	/** Tables that were written in the open transaction: a rollback invalidates results that were read since. */
	readonly #unsure = new Set<string>();
	readonly #written = new Map<string, string>();
	#generation = 0;

	constructor(version: () => number) {
		this.#version = version;
	}

	/** Call it in each transaction before its first query: evicts results that others may have changed. */
	look(): void {
		const version = this.#version();
		if (version === this.#seen) return;
		this.#forget(everything);
		this.#generation += 1;
		this.#seen = version;
	}

	/** Returns a number that changes when another connection has committed, or when writes of this one were rolled back. See `look`. */
	generation(): number {
		return this.#generation;
	}

	/** Returns a statement with a cache. Callers share the rows and must not change them. */
	statement<Statement extends Asked>(build: (tx: Transaction) => Statement, prepare: () => Statement): Asked {
		const known = this.#statements.get(build);
		if (known) return known;
		const statement = this.#remembering(prepare());
		this.#statements.set(build, statement);
		return statement;
	}

	/** Called with each query of the connection before it runs. */
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

	/** Called when a savepoint of the open transaction was rolled back. */
	undone(): void {
		this.#generation += 1;
		for (const table of this.#unsure) this.#forget(table);
	}

	/** Called when the transaction has ended, by a commit or a rollback. */
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
		const evicted = table === everything ? [...this.#byTable.values()].flat() : this.#byTable.get(table);
		for (const answers of evicted ?? []) answers.clear();
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

/** The results of a statement by its parameters. */
class Answers {
	readonly #kept = new Map<string, unknown>();
	#rows = 0;

	of(values: Record<string, unknown> | undefined, ask: () => unknown): unknown {
		const key = keyOf(values);
		const known = this.#kept.get(key);
		if (known !== undefined || this.#kept.has(key)) return known;
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

/** Returns a text that no other parameters of the statement have. A call has the same names in the same order. */
function keyOf(values: Record<string, unknown> = {}): string {
	let key = "";
	for (const name in values) {
		const value = values[name];
		key += typeof value === "string" ? `${value.length}"${value}` : `${JSON.stringify(value)},`;
	}
	return key;
}

// No table has this name.
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
