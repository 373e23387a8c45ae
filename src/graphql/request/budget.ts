import { type DomainError, fail } from "../../kernel/errors";

/**
 * What one request may cost, all operations of its batch together: our choice, so that nobody else waits for it longer than
 * 50 ms. One unit is a quarter of a microsecond, where it was measured (100,000 customers, two cores); the figures below are
 * what each kind of work came to.
 */
export const costMax = 200_000;

export const costs = {
	/** One more statement, with its way through the query builder. */
	statement: 400,
	/** A comparison as a part of a statement: it has to be built and compiled. */
	term: 20,
	/** A step along an index, nothing else being looked at. */
	step: 0.25,
	/** Looking for the rows of another list that belong to one of this. */
	seek: 10,
	/** A row that is looked at, before anything is compared. */
	row: 1.5,
	comparison: 0.2,
	/** Each `%` makes a pattern start again, and so does each character that fits at first. */
	wildcard: 0.2,
	patternCharacter: 1 / 64,
	/** A value that is calculated from others. */
	reckoning: 2,
	/** A row that takes its place among the first ones of an order, and each key of that order. */
	sort: 1.5,
	sortKey: 0.2,
	/** A value that is kept, to be looked up by others. */
	kept: 0.5,
	/** A row that is read whole, and made into an object. */
	loadedRow: 50,
	/** A value that is answered, down to its JSON. */
	value: 12,
	/** A kilobyte of text or metadata that is answered: nearly two pages of four megabytes. */
	kilobyte: 25,
	/** What a customer has, from all that it holds. */
	entitlements: 4_000,
	/** What a publication would change, for all who hold the package. */
	impact: 50_000,
} as const;

/** What one request has left to spend. */
export class Budget {
	#spent = 0;

	constructor(readonly max: number = costMax) {}

	get left(): number {
		return Math.max(0, this.max - this.#spent);
	}

	get spent(): number {
		return this.#spent;
	}

	/** What was spent since then was for nothing: it is done again, after others have had their turns. */
	goBackTo(spent: number): void {
		this.#spent = spent;
	}

	/** Asked before the work is done: what is refused has cost nothing. */
	spend(cost: number, remedy: string): void {
		if (cost > this.left) throw tooMuch(remedy);
		this.#spent += cost;
	}

	/** For what is too small to be refused one by one. Answers whether there was anything left for it. */
	count(cost: number): boolean {
		this.#spent += cost;
		return this.#spent <= this.max;
	}
}

/** BadUserInput. `remedy` says what to do about it, as a sentence. */
export const tooMuch = (remedy: string): DomainError =>
	fail("BadUserInput", `The request asks for more work than one request may take. ${remedy}`);

export const smallerPages = "Ask for smaller pages, fewer fields and lists inside lists, or in several requests.";
