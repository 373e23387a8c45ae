import { hashText } from "../../http/hash";
import { fail } from "../../kernel/errors";

/** Many times the texts of one company's clients. */
const learntCharactersMax = 8 * 1024 * 1024;

/** A text without the word, literally or in escapes of JSON, has no mutation. */
const mutates = (text: string): boolean => text.includes("mutation") || text.includes("\\u");

const hashes = /[0-9a-f]{64}/g;

/**
 * Operations that clients identify by the SHA-256 of their texts (`extensions.persistedQuery`, the usual protocol). Each thread
 * stores those that come with their text. With a list of allowed operations, all others are refused.
 */
export class PersistedOperations {
	readonly #learnt = new Map<string, string>();
	#characters = 0;

	/** The allowed operations by the SHA-256 of their texts. Undefined allows all. */
	constructor(readonly allowed: Readonly<Record<string, string>> | undefined) {}

	/**
	 * The text of an operation that was sent as its text, its hash or both. Throws BadUserInput when it is unknown, not allowed or
	 * missing. Clients of the protocol expect the message for an unknown one.
	 */
	textOf(query: string | undefined, hash: string | undefined): string {
		if (query === undefined) {
			if (hash === undefined) throw fail("BadUserInput", "Send the GraphQL text as a string in 'query'.");
			const known = this.#known(hash);
			if (known === undefined) throw fail("BadUserInput", "PersistedQueryNotFound");
			return known;
		}
		if (hash === undefined && this.allowed === undefined) return query;
		const own = hashText(query);
		if (hash !== undefined && hash !== own)
			throw fail("BadUserInput", "The 'sha256Hash' of 'extensions.persistedQuery' is not that of 'query'.");
		if (this.allowed && !Object.hasOwn(this.allowed, own))
			throw fail(
				"BadUserInput",
				"This server executes only listed operations, and this one is not listed; add it to the list (TOLLGATE_GRAPHQL_OPERATIONS).",
			);
		if (hash !== undefined && !this.allowed) this.#learn(own, query);
		return query;
	}

	/** Whether a body can have a mutation. The writer's thread may know a hash that is unknown here. */
	mayMutate(body: string): boolean {
		if (mutates(body)) return true;
		if (!body.includes("persistedQuery")) return false;
		return [...body.matchAll(hashes)].some(([hash]) => {
			const known = this.#known(hash);
			return known === undefined ? !body.includes('"query"') : mutates(known);
		});
	}

	#known(hash: string): string | undefined {
		if (this.allowed) return Object.hasOwn(this.allowed, hash) ? this.allowed[hash] : undefined;
		return this.#learnt.get(hash);
	}

	/** Evicts the oldest texts. */
	#learn(hash: string, text: string): void {
		if (this.#learnt.has(hash)) return;
		this.#learnt.set(hash, text);
		this.#characters += text.length;
		for (const [oldest, { length }] of this.#learnt) {
			if (this.#characters <= learntCharactersMax) return;
			this.#learnt.delete(oldest);
			this.#characters -= length;
		}
	}
}
