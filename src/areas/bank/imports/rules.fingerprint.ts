import type { StatementEntry } from "../statements/rules.statement";

/** Identifies the entries of one file: a repeated entry is the second of its kind, not the first again. */
export class Fingerprints {
	readonly #seen = new Map<string, number>();

	/**
	 * Returns the same text for the same entry in each file, 64 hexadecimal digits and its place among equal ones. An entry without a
	 * reference of the bank belongs to its statement, if that has a number: two such transfers on one day are two.
	 */
	of(account: string, statement: string | null, entry: StatementEntry): string {
		const { bankReference, amount, currency, bookedOn, endToEndId, partyIban, partyName, text, isReversal } = entry;
		const own = bankReference === null ? [null, statement, partyName] : [bankReference];
		const parts = [account, bookedOn, amount, currency, isReversal, endToEndId, partyIban, text, ...own];
		const hash = new Bun.CryptoHasher("sha256").update(JSON.stringify(parts)).digest("hex");
		const place = this.#seen.get(hash) ?? 0;
		this.#seen.set(hash, place + 1);
		return `${hash}-${place}`;
	}
}
