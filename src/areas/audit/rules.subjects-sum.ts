import { subjectsOfEntry } from "./rules.subjects";
import type { AuditEntryRow } from "./table";

/**
 * A checksum of the subjects of a chain, in any order. Equal sums mean that the entries and the index contain the same
 * subjects.
 */
export class SubjectsSum {
	#count = 0;
	#one = 0;
	#other = 0;

	/** `entry` is the entry's serial. */
	add(key: string, entry: number, entityType: string): void {
		const text = `${entry} ${entityType} ${key}`;
		this.#count += 1;
		this.#one ^= Bun.hash.xxHash32(text);
		this.#other ^= Bun.hash.cityHash32(text);
	}

	addEntry(entry: Pick<AuditEntryRow, "serial" | "subjects" | "changes">): void {
		for (const [key, entityType] of subjectsOfEntry(entry)) this.add(key, entry.serial, entityType);
	}

	equals(sum: SubjectsSum): boolean {
		return this.#count === sum.#count && this.#one === sum.#one && this.#other === sum.#other;
	}
}
