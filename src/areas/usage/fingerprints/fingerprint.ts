/** 64 bits in two halves: numbers cost no allocation, a bigint does. */
export interface Fingerprint {
	readonly high: number;
	readonly low: number;
}

/** Any 64-bit hash of a text. Tests inject a poor one to force collisions. */
export type Hash = (text: string) => bigint;

/**
 * Two concatenated 32-bit hashes gave false hits in a run of ten million events; this one gave none
 * (docs/interface/running.md).
 */
export const wyhash: Hash = (text) => Bun.hash.wyhash(text);

const scratch = new BigUint64Array(1);
const halves = new Uint32Array(scratch.buffer);

/** The machine decides which half comes first in memory. It does not matter as long as both are used. */
export function fingerprintOf(hash: Hash, text: string): Fingerprint {
	scratch[0] = hash(text);
	return { low: halves[0] ?? 0, high: halves[1] ?? 0 };
}
