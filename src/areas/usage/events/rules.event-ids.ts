import { createCipheriv, createDecipheriv } from "node:crypto";

/** A valid id contains this mark, so nobody can invent one. */
const mark = Buffer.from("tollgate");

/**
 * The ids by which callers name events and pages of them. A plain position in the log would reveal how much all other
 * environments send, so it is encrypted with a key of the environment. The key derives from the folder's secret:
 * another secret gives the same events other ids.
 */
export class EventIds {
	readonly #folderSecret: string;
	readonly #keys = new Map<string, Buffer>();

	constructor(folderSecret: string) {
		this.#folderSecret = folderSecret;
	}

	/** Returns an id in the form of a UUID. */
	idOf(environmentId: string, position: number): string {
		const plain = Buffer.alloc(16);
		plain.writeBigUInt64BE(BigInt(position));
		mark.copy(plain, 8);
		// One block, different for every position, needs no chaining and no randomization.
		const cipher = createCipheriv("aes-256-ecb", this.#keyOf(environmentId), null).setAutoPadding(false);
		const hex = Buffer.concat([cipher.update(plain), cipher.final()]).toString("hex");
		return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
	}

	/** Returns undefined if the text is no id of this environment. */
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
