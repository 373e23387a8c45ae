import { assertAllowed } from "../../areas/access/rules";
import type { Scope } from "../../areas/access/rules.actors";
import type { LimitedRoute } from "../../http/limits/limits";
import { DomainError } from "../../kernel/errors";
import { jsonBytes } from "../../kernel/json-size";
import type { Work } from "../../kernel/work";
import type { Outgoing } from "../../server/context";
import { type Budget, costs, smallerPages, tooMuch } from "./budget";

/** SQLite takes tens of thousands of parameters; a few hundred keep the statements short. Our choice. */
const keysPerQueryMax = 500;

/** How rows that others refer to are read: all keys at once. The areas' `…ByIds` operations have this shape. */
type Load<Value> = (work: Work, keys: readonly string[]) => ReadonlyMap<string, Value>;

/** Counts a call of this path and body against the limit of the entity that it is about; RateLimitExceeded. */
export type CountCall = (route: LimitedRoute, params: Readonly<Record<string, unknown>>, body: unknown) => void;

/**
 * One GraphQL operation while it is being answered: what the resolvers share. It lives in one `Work`, so everything that
 * is answered together is of one instant and one state of the database.
 */
export class OperationContext {
	readonly #siblings = new WeakMap<object, readonly object[]>();
	readonly #found = new Map<unknown, Map<string, unknown>>();

	#refusal: DomainError | undefined;

	constructor(
		readonly work: Work,
		/** The request's: other operations of the batch spend of it too. */
		readonly budget: Budget,
		/** For a mutation, before it does anything; a query counts nothing. */
		readonly countCall: CountCall = () => {},
		/** Of a request: what addresses outside are held against, and their secrets derive from. */
		readonly outgoing: Outgoing | undefined = undefined,
		/** An operation of ours, which shows nothing that its route may not: a publishable key may ask for it. */
		readonly isFixed = false,
		/** Where people find this server, for links; mutations alone make them. */
		readonly origin = "",
	) {}

	/**
	 * Throws when more was asked for than one request may cost: then the answer has holes, and is not to be given. The
	 * estimate before (limits.ts) knows no lengths of lists; this is the bound that holds.
	 */
	assertWhole(): void {
		if (this.#refusal) throw this.#refusal;
	}

	/** Before something is done that costs: what cannot be paid is refused, and with it the operation. */
	spend(cost: number, remedy: string): void {
		this.#affordable(() => this.budget.spend(cost, remedy));
	}

	/** One more value of the answer. False where the operation is refused: an error on every field that is left costs more. */
	mayAnswer(): boolean {
		if (this.#refusal === undefined && !this.budget.count(costs.value)) this.#refusal = tooMuch(smallerPages);
		return this.#refusal === undefined;
	}

	/** As `mayAnswer`, for the text or the metadata that a field answers. */
	mayAnswerText(value: unknown): boolean {
		if (typeof value === "string" ? value.length < 1024 : typeof value !== "object" || value === null) return true;
		const cost = (costs.kilobyte * jsonBytes(value)) / 1024;
		if (this.#refusal === undefined && !this.budget.count(cost)) this.#refusal = tooMuch(smallerPages);
		return this.#refusal === undefined;
	}

	/** Throws the 403 of REST: the same scopes rule here (docs/interface/access.md). */
	assertMay(scope: Scope): void {
		assertAllowed(this.work.actor, { scope, publishable: this.isFixed });
	}

	/** Remembers that these rows were read together, so that what one of them refers to is read for all of them. */
	together<Row extends object>(rows: readonly Row[]): readonly Row[] {
		for (const row of rows) this.#siblings.set(row, rows);
		return rows;
	}

	/**
	 * What `row` refers to by `keyOf`, undefined where it refers to nothing. The first question reads it for all rows that
	 * came together with this one, in one query; so a list costs as many queries as it has relations, however long it is.
	 * `load` must be a constant of its module: its identity is the cache's key.
	 */
	related<Row extends object, Value>(
		row: Row,
		keyOf: (row: Row) => string | null,
		load: Load<Value>,
	): Value | undefined {
		return this.relatedAll(row, (sibling) => [keyOf(sibling)], load)[0];
	}

	/** As `related`, for rows that refer to several others; what does not exist is left out. */
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

	/** A refusal here is one of the whole operation: nothing of it is tried a second time. */
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
