import type { CreditEntryRow } from "../table";

/** What stands in the place of a hash before the first entry. */
export const noHash = "";

/**
 * SHA-256, in hex, of the hash before and of all that an entry says: who changes, removes, adds or moves one breaks the chain
 * from there on.
 */
export function hashOf(before: string, entry: Omit<CreditEntryRow, "hash">): string {
	const said = [
		before,
		entry.sequence,
		entry.id,
		entry.environmentId,
		entry.walletId,
		entry.customerId,
		entry.grantId,
		entry.eventType,
		entry.amount,
		entry.fromAccount,
		entry.toAccount,
		entry.featureId,
		entry.eventId,
		entry.dimensions,
		entry.at,
		// What was written before there were such entries has the hash that it had.
		...(entry.events === null ? [] : [entry.events]),
	];
	return Bun.CryptoHasher.hash("sha256", JSON.stringify(said), "hex");
}
