import { packId } from "../../kernel/storage/packed-id";
import { subjectsOfEntry } from "./rules.subjects";
import type { AuditEntryRow } from "./table";

/**
 * A checksum of the subjects of a chain, in any order. Equal sums mean that the entries and the index contain the same
 * subjects. It hashes keys in the form of the file, because a log has millions of them.
 */
export class SubjectsSum {
	#count = 0;
	#one = 0;
	#other = 0;
	readonly #typeSeeds = new Map<string, number>();

	/** `key` is a packed id; `entry` is the entry's serial. */
	add(key: string | Uint8Array, entry: number, entityType: string): void {
		const seed = (Math.imul(entry, 0x9e3779b9) ^ this.#seedOf(entityType)) >>> 0;
		this.#count += 1;
		this.#one ^= Bun.hash.xxHash32(key, seed);
		this.#other ^= Bun.hash.murmur32v3(key, seed);
	}

	addEntry(entry: Pick<AuditEntryRow, "serial" | "subjects" | "changes">): void {
		for (const [key, entityType] of subjectsOfEntry(entry)) this.add(packId(key), entry.serial, entityType);
	}

	equals(sum: SubjectsSum): boolean {
		return this.#count === sum.#count && this.#one === sum.#one && this.#other === sum.#other;
	}

	#seedOf(entityType: string): number {
		const known = this.#typeSeeds.get(entityType);
		if (known !== undefined) return known;
		const seed = Bun.hash.xxHash32(entityType);
		this.#typeSeeds.set(entityType, seed);
		return seed;
	}
}
