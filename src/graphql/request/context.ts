import { assertAllowed } from "../../areas/access/rules";
import type { Scope } from "../../areas/access/rules.actors";
import type { LimitedRoute } from "../../http/limits/limits";
import { DomainError } from "../../kernel/errors";
import { jsonBytes } from "../../kernel/json-size";
import type { Work } from "../../kernel/work";
import type { Outgoing } from "../../server/context";
import { type Budget, costs, smallerPages, tooMuch } from "./budget";

/** SQLite takes tens of thousands of parameters; a few hundred keep the statements short. */
const keysPerQueryMax = 500;

/** Reads referred rows, all keys at once, as the areas' `…ByIds` operations do. */
type Load<Value> = (work: Work, keys: readonly string[]) => ReadonlyMap<string, Value>;

/** Counts a call of this path and body against the limit of its entity. Throws RateLimitExceeded. */
export type CountCall = (route: LimitedRoute, params: Readonly<Record<string, unknown>>, body: unknown) => void;

/**
 * The state of an operation that its resolvers share. It belongs to one `Work`, so the whole response shows one instant and
 * one state of the database.
 */
export class OperationContext {
	readonly #siblings = new WeakMap<object, readonly object[]>();
	readonly #found = new Map<unknown, Map<string, unknown>>();

	#refusal: DomainError | undefined;

	constructor(
		readonly work: Work,
		/** The budget of the request, with the other operations of the batch. */
		readonly budget: Budget,
		/** Called by mutations before they start. Queries count nothing. */
		readonly countCall: CountCall = () => {},
		/** The settings of outgoing calls. Set for requests only. */
		readonly outgoing: Outgoing | undefined = undefined,
		/** True for operations of the edge. They show only what their route may show, so publishable keys may run them. */
		readonly isFixed = false,
		/** The public address of the server, for links. Only mutations create links. */
		readonly origin = "",
	) {}

	/**
	 * Throws when the budget was exceeded: then the result is incomplete. The estimate of `limits.ts` does not know the
	 * lengths of lists; this check does.
	 */
	assertWhole(): void {
		if (this.#refusal) throw this.#refusal;
	}

	/** Call it before costly work. Refuses the whole operation when the budget is exceeded. */
	spend(cost: number, remedy: string): void {
		this.#affordable(() => this.budget.spend(cost, remedy));
	}

	/** Counts a value of the response. False when the operation is refused, which is cheaper than an error for each field. */
	mayAnswer(): boolean {
		if (this.#refusal === undefined && !this.budget.count(costs.value)) this.#refusal = tooMuch(smallerPages);
		return this.#refusal === undefined;
	}

	/** As `mayAnswer`, for the text or the metadata of a field. */
	mayAnswerText(value: unknown): boolean {
		if (typeof value === "string" ? value.length < 1024 : typeof value !== "object" || value === null) return true;
		const cost = (costs.kilobyte * jsonBytes(value)) / 1024;
		if (this.#refusal === undefined && !this.budget.count(cost)) this.#refusal = tooMuch(smallerPages);
		return this.#refusal === undefined;
	}

	/** Throws REST's 403: the same scopes apply (docs/interface/access.md). */
	assertMay(scope: Scope): void {
		assertAllowed(this.work.actor, { scope, publishable: this.isFixed });
	}

	/** Records that these rows were read together, so that their references are read together. */
	together<Row extends object>(rows: readonly Row[]): readonly Row[] {
		for (const row of rows) this.#siblings.set(row, rows);
		return rows;
	}

	/**
	 * The row that `row` refers to by `keyOf`, or undefined. The first call reads the references of all rows that were read
	 * together, in one query. So the number of queries does not depend on the length of a list. `load` must be a constant of
	 * its module: its identity is the key of the cache.
	 */
	related<Row extends object, Value>(
		row: Row,
		keyOf: (row: Row) => string | null,
		load: Load<Value>,
	): Value | undefined {
		return this.relatedAll(row, (sibling) => [keyOf(sibling)], load)[0];
	}

	/** As `related`, for several references. Missing rows are omitted. */
	relatedAll<Row extends object, Value>(
		row: Row,
		keysOf: (row: Row) => readonly (string | null)[],
		load: Load<Value>,
	): Value[] {
		const found = this.#foundBy(load);
		const given = (of: Row): string[] => keysOf(of).filter((key) => key !== null);
		const keys = given(row);
		if (keys.some((key) => !found.has(key))) {
			const siblings = (this.#siblings.get(row) ?? [row]) as readonly Row[];
			const wanted = new Set([...keys, ...siblings.flatMap(given)]);
			this.#read(
				load,
				found,
				[...wanted].filter((key) => !found.has(key)),
			);
		}
		return keys.map((key) => found.get(key)).filter((value) => value !== undefined);
	}

	/** A refusal here applies to the whole operation, which is not repeated. */
	#affordable<T>(work: () => T): T {
		try {
			return work();
		} catch (refusal) {
			if (refusal instanceof DomainError) this.#refusal ??= refusal;
			throw refusal;
		}
	}

	#foundBy<Value>(load: Load<Value>): Map<string, Value | undefined> {
		const known = this.#found.get(load);
		if (known) return known as Map<string, Value | undefined>;
		const found = new Map<string, Value | undefined>();
		this.#found.set(load, found);
		return found;
	}

	#read<Value>(load: Load<Value>, found: Map<string, Value | undefined>, keys: readonly string[]): void {
		const values: Value[] = [];
		for (let at = 0; at < keys.length; at += keysPerQueryMax) {
			const chunk = keys.slice(at, at + keysPerQueryMax);
			this.spend(costs.statement + chunk.length * costs.loadedRow, smallerPages);
			const loaded = this.#affordable(() => load(this.work, chunk));
			const others = [...loaded.values()].flat(1).length - chunk.length;
			if (others > 0) this.spend(others * costs.loadedRow, smallerPages);
			for (const key of chunk) {
				const value = loaded.get(key);
				found.set(key, value);
				if (value !== undefined) values.push(value);
			}
		}
		this.together(
			values
				.flat(1)
				.filter((value): value is FlatArray<Value[], 1> & object => typeof value === "object" && value !== null),
		);
	}
}
