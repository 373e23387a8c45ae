import { type LogRow, readBlock } from "../blocks/event-block";
import { identityStart } from "../blocks/event-identity";
import type { BlockIdentities } from "./messages";

/**
 * 32 bits of another hash than the fingerprint is, of the same text: where both are the same it is the same event, without
 * looking at the key that is in the storage. Of a million million events one is so taken for another with odds of one to
 * ten thousand million; and who makes events that collide loses only their own.
 */
export const checkOf = (identity: string, idempotencyKey: string): number =>
	isErasedKey(idempotencyKey)
		? Buffer.from(idempotencyKey.slice(erasedKeyStart.length), "hex").readUInt32LE(0)
		: Bun.CryptoHasher.hash("sha256", identity).readUInt32LE(0);

const erasedKeyStart = "erased-";
const erasedKeyPattern = /^erased-[0-9a-f]{32}$/;

/** What stands for the idempotency key of an event whose customer was erased: 128 bits of its identity's hash, by which it stays known. */
export const erasedKeyOf = (identity: string): string =>
	`${erasedKeyStart}${Bun.CryptoHasher.hash("sha256", identity, "hex").slice(0, 32)}`;

export const isErasedKey = (idempotencyKey: string): boolean => erasedKeyPattern.test(idempotencyKey);

/** Whether an event that is sent is the one that is kept, as far as their keys say; `identity` is that of the one sent. */
export const isSameKey = (kept: string, sent: string, identity: string): boolean =>
	kept === sent || (isErasedKey(kept) && kept === erasedKeyOf(identity));

/** A customer as the log names it. */
interface Named {
	readonly environment_id: string;
	readonly customer_ref: string;
}

/** By what the events of a block are known without it. */
export function identitiesOf(row: LogRow, nameOf: (customer: number) => Named): BlockIdentities {
	const block = readBlock(row);
	const keys: readonly string[] = JSON.parse(row.keys);
	const checks = Buffer.alloc(4 * block.events);
	for (let index = 0; index < block.events; index += 1) {
		const { environment_id: environmentId, customer_ref: customerRef } = nameOf(block.customer(index));
		const { eventName } = block.event(index);
		const start = identityStart(environmentId, customerRef, block.resource(index), eventName);
		const key = keys[index] ?? "";
		checks.writeUInt32LE(checkOf(start + key, key), 4 * index);
	}
	// A copy: else all of the frame would go along to another thread.
	return { firstEvent: row.firstEvent, fingerprints: Uint8Array.from(row.fingerprints), checks };
}
