import { createCipheriv, createDecipheriv } from "node:crypto";

/** What a text must hold to be an id of ours: nobody makes one up. */
const mark = Buffer.from("tollgate");

/**
 * The ids by which callers name events and pages of them. An event's position in the log would tell how much all the other
 * environments send; so it is encrypted, with a key of the environment. The folder's secret makes them: with another one the
 * ids of the same events are others.
 */
export class EventIds {
	readonly #folderSecret: string;
	readonly #keys = new Map<string, Buffer>();

	constructor(folderSecret: string) {
		this.#folderSecret = folderSecret;
	}

	/** In the form of a UUID. */
	idOf(environmentId: string, position: number): string {
		const plain = Buffer.alloc(16);
		plain.writeBigUInt64BE(BigInt(position));
		mark.copy(plain, 8);
		// One block, different for every position: there is nothing to chain or to randomize.
		const cipher = createCipheriv("aes-256-ecb", this.#keyOf(environmentId), null).setAutoPadding(false);
		const hex = Buffer.concat([cipher.update(plain), cipher.final()]).toString("hex");
		return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
	}

	/** Undefined where it is no id of this environment. */
	positionOf(environmentId: string, id: string): number | undefined {
		const bytes = Buffer.from(id.replaceAll("-", ""), "hex");
		if (bytes.length !== 16) return undefined;
		const decipher = createDecipheriv("aes-256-ecb", this.#keyOf(environmentId), null).setAutoPadding(false);
		const plain = Buffer.concat([decipher.update(bytes), decipher.final()]);
		return plain.subarray(8).equals(mark) ? Number(plain.readBigUInt64BE()) : undefined;
	}

	#keyOf(environmentId: string): Buffer {
		const known = this.#keys.get(environmentId);
		if (known) return known;
		const key = new Bun.CryptoHasher("sha256", this.#folderSecret).update(`event ids ${environmentId}`).digest();
		this.#keys.set(environmentId, key);
		return key;
	}
}
