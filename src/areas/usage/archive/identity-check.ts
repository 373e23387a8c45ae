import { type LogRow, readBlock } from "../log/event-block";
import { identityStart } from "../log/event-customers";
import type { BlockIdentities } from "./messages";

/**
 * 32 bits of another hash than the fingerprint is, of the same text: where both are the same it is the same event, without
 * looking at the key that is in the storage. Of a million million events one is so taken for another with odds of one to
 * ten thousand million; and who makes events that collide loses only their own.
 */
export const checkOf = (identity: string): number => Bun.CryptoHasher.hash("sha256", identity).readUInt32LE(0);

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
		checks.writeUInt32LE(checkOf(start + keys[index]), 4 * index);
	}
	// A copy: else all of the frame would go along to another thread.
	return { firstEvent: row.firstEvent, fingerprints: Uint8Array.from(row.fingerprints), checks };
}
