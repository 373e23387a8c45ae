import { hashText } from "../../http/hash";
import { fail } from "../../kernel/errors";

/** Our choice: what the clients of one company send, many times over. */
const learntCharactersMax = 8 * 1024 * 1024;

/** A mutation says so, in letters or in escapes of JSON: whatever holds neither only reads. */
const mutates = (text: string): boolean => text.includes("mutation") || text.includes("\\u");

const hashes = /[0-9a-f]{64}/g;

/**
 * Operations that clients name by the SHA-256 of their texts (`extensions.persistedQuery`, the usual protocol). Each thread
 * learns those that come with their text. With a list of what may be asked for, nothing else is answered.
 */
export class PersistedOperations {
	readonly #learnt = new Map<string, string>();
	#characters = 0;

	/** By the SHA-256 of their texts; undefined: anything may be asked for. */
	constructor(readonly allowed: Readonly<Record<string, string>> | undefined) {}

	/**
	 * The text of an operation that came with its text, its hash or both. BadUserInput where it is not known, not allowed, or
	 * neither came; the message of the first is what clients of the protocol wait for.
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
				"This server answers only the operations that it was told of, and this is none of them; add it to the list (TOLLGATE_GRAPHQL_OPERATIONS).",
			);
		if (hash !== undefined && !this.allowed) this.#learn(own, query);
		return query;
	}

	/** Of the text of a body. What is named by a hash that nobody knows here may be known to the thread that writes. */
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

	/** The oldest go first. */
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
