import { type LogRow, readBlock } from "../blocks/event-block";
import { identityStart } from "../blocks/event-identity";
import type { BlockIdentities } from "./messages";

/**
 * Returns 32 bits of a hash of the same text that is independent of the fingerprint. If both are equal, the events are
 * the same, without a look at the key in the storage. Of 10^12 events, one is mistaken for another with odds of one to
 * 10^10; senders who construct collisions lose only their own events.
 */
export const checkOf = (identity: string, idempotencyKey: string): number =>
	isErasedKey(idempotencyKey)
		? Buffer.from(idempotencyKey.slice(erasedKeyStart.length), "hex").readUInt32LE(0)
		: Bun.CryptoHasher.hash("sha256", identity).readUInt32LE(0);

const erasedKeyStart = "erased-";
const erasedKeyPattern = /^erased-[0-9a-f]{32}$/;

/**
 * Returns the replacement for the idempotency key of an erased customer's event: 128 bits of the hash of its identity,
 * so that it stays known.
 */
export const erasedKeyOf = (identity: string): string =>
	`${erasedKeyStart}${Bun.CryptoHasher.hash("sha256", identity, "hex").slice(0, 32)}`;

export const isErasedKey = (idempotencyKey: string): boolean => erasedKeyPattern.test(idempotencyKey);

/** Whether a sent event is a stored one, as far as their keys tell; `identity` is that of the sent event. */
export const isSameKey = (stored: string, sent: string, identity: string): boolean =>
	stored === sent || (isErasedKey(stored) && stored === erasedKeyOf(identity));

/** A customer by its names in the log. */
interface Named {
	readonly environment_id: string;
	readonly customer_ref: string;
}

/** Returns the data that identifies the events of a block without the block. */
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
	// A copy: otherwise the whole frame would be sent to another thread.
	return { firstEvent: row.firstEvent, fingerprints: Uint8Array.from(row.fingerprints), checks };
}
