import type { AuditEntryRow } from "./table";

/**
 * A checksum of the subjects of a chain, in any order. Equal sums mean that the entries and the index contain the same
 * subjects.
 */
export class SubjectsSum {
	#count = 0;
	#one = 0;
	#other = 0;

	add(key: string, entryId: string, entityType: string): void {
		const text = `${entryId} ${entityType} ${key}`;
		this.#count += 1;
		this.#one ^= Bun.hash.xxHash32(text);
		this.#other ^= Bun.hash.cityHash32(text);
	}

	addEntry({ id, subjects }: Pick<AuditEntryRow, "id" | "subjects">): void {
		for (const [key, entityType] of JSON.parse(subjects) as ReadonlyArray<readonly [string, string]>)
			this.add(key, id, entityType);
	}

	equals(sum: SubjectsSum): boolean {
		return this.#count === sum.#count && this.#one === sum.#one && this.#other === sum.#other;
	}
}
