import type { Database as SqliteFile } from "bun:sqlite";

/** Segments in memory, about 40 MB; beyond this, all are evicted and read again. */
const rememberedMax = 200_000;

/** Segments of one subject that are read at once. A subject with more is read name by name. */
const readAtOnceMax = 1_000;

interface OfSubject {
	readonly ids: Map<string, number>;
	/** Whether these are all segments of the subject, so that another name is new. */
	readonly isComplete: boolean;
}

/** The ids of segments by subject and name. New segments are known before they have rows. */
export class KnownSegments {
	readonly #select;
	readonly #selectAll;
	readonly #subjects = new Map<number, OfSubject>();
	#count = 0;

	constructor(usage: SqliteFile) {
		this.#select = usage.prepare<{ id: number }, [number, string]>(
			"SELECT id FROM usage_segments WHERE subject_id = ? AND name = ?",
		);
		this.#selectAll = usage.prepare<{ id: number; name: string }, [number, number]>(
			"SELECT id, name FROM usage_segments WHERE subject_id = ? LIMIT ?",
		);
	}

	/** Returns undefined for a segment that is new. */
	idOf(subjectId: number, name: string): number | undefined {
		const { ids, isComplete } = this.#of(subjectId);
		const known = ids.get(name);
		if (known !== undefined || isComplete) return known;
		const id = this.#select.get(subjectId, name)?.id;
		if (id !== undefined) this.add(subjectId, name, id);
		return id;
	}

	add(subjectId: number, name: string, id: number): void {
		this.#of(subjectId).ids.set(name, id);
		this.#count += 1;
	}

	/** Evicts all if they are too many. Call it when all segments have rows. */
	tidy(): void {
		if (this.#count > rememberedMax) this.clear();
	}

	clear(): void {
		this.#subjects.clear();
		this.#count = 0;
	}

	#of(subjectId: number): OfSubject {
		const known = this.#subjects.get(subjectId);
		if (known) return known;
		const rows = this.#selectAll.all(subjectId, readAtOnceMax);
		const read = { ids: new Map(rows.map(({ id, name }) => [name, id])), isComplete: rows.length < readAtOnceMax };
		this.#subjects.set(subjectId, read);
		this.#count += 1 + rows.length;
		return read;
	}
}
