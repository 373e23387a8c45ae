import { type DomainError, fail } from "../../kernel/errors";

/**
 * The maximum cost of a request, with all operations of its batch. Our choice (docs/interface/graphql.md#limits), so
 * that others wait at most 50 ms. One unit is a quarter of a microsecond. The costs below were measured with 100,000
 * customers on two cores.
 */
export const costMax = 200_000;

export const costs = {
	/** A statement, with its query builder. */
	statement: 400,
	/** A comparison in a statement, which is built and compiled. */
	term: 20,
	/** A step along an index. */
	step: 0.25,
	/** The search for the rows of another list that belong to a row. */
	seek: 10,
	/** Reading a row, without comparisons. */
	row: 1.5,
	comparison: 0.2,
	/** Each `%` restarts a pattern, and so does each character that matches at first. */
	wildcard: 0.2,
	patternCharacter: 1 / 64,
	/** A calculated value. */
	calculation: 2,
	/** Sorting a row among the first ones of an order, and each key of that order. */
	sort: 1.5,
	sortKey: 0.2,
	/** A stored value that others are compared with. */
	stored: 0.5,
	/** A whole row that becomes an object. */
	loadedRow: 50,
	/** A value of the response, with its JSON. */
	value: 12,
	/** A kilobyte of text or metadata in the response. The budget allows almost two pages of four megabytes. */
	kilobyte: 25,
	/** The entitlements of a customer, from all its sources. */
	entitlements: 4_000,
	/** The impact of a publication on all subscriptions of the package. */
	impact: 50_000,
} as const;

/** The remaining budget of a request. */
export class Budget {
	#spent = 0;

	constructor(readonly max: number = costMax) {}

	get left(): number {
		return Math.max(0, this.max - this.#spent);
	}

	get spent(): number {
		return this.#spent;
	}

	/** Resets the costs of work that is repeated after other requests. */
	resetTo(spent: number): void {
		this.#spent = spent;
	}

	/** Call it before the work: refused work costs nothing. */
	spend(cost: number, remedy: string): void {
		if (cost > this.left) throw tooMuch(remedy);
		this.#spent += cost;
	}

	/** Counts small costs that are not refused one by one. Returns whether the budget covers them. */
	count(cost: number): boolean {
		this.#spent += cost;
		return this.#spent <= this.max;
	}
}

/** Throws BadUserInput. `remedy` is a sentence with the solution. */
export const tooMuch = (remedy: string): DomainError =>
	fail("BadUserInput", `The request needs more work than one request may take. ${remedy}`);

export const smallerPages = "Request smaller pages, fewer fields and fewer nested lists, or send several requests.";
