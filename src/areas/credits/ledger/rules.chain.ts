import type { CreditEntryRow } from "../table";

/** The hash before the first entry. */
export const emptyHash = "";

/**
 * Returns the SHA-256 in hex of the previous hash and all fields of an entry. A changed, removed, added or moved entry breaks
 * the chain from there.
 */
export function hashOf(before: string, entry: Omit<CreditEntryRow, "hash">): string {
	const fields = [
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
		// Entries from before the column existed keep their hash.
		...(entry.events === null ? [] : [entry.events]),
	];
	return Bun.CryptoHasher.hash("sha256", JSON.stringify(fields), "hex");
}
