import { FolderError } from "../kernel/errors";
import { collectorOfGrowth } from "../kernel/garbage";

export interface CheckResult<Source extends string> {
	/** A line for each fault. */
	readonly findings: readonly string[];
	/** A line for each part that was not checked. */
	readonly notes: readonly string[];
	readonly damaged: readonly Source[];
}

/** The parts of a check: each runs, unless a source that it reads is damaged, and none ends the others. */
export class CheckParts<Source extends string> {
	readonly findings: string[] = [];
	readonly notes: string[] = [];
	readonly #damaged: Set<Source>;
	readonly #collect = collectorOfGrowth();

	constructor(damaged: readonly Source[] = []) {
		this.#damaged = new Set(damaged);
	}

	get result(): CheckResult<Source> {
		return { findings: this.findings, notes: this.notes, damaged: [...this.#damaged] };
	}

	/** Adds the result of parts that ran apart from these. */
	add({ findings, notes, damaged }: CheckResult<Source>): void {
		this.findings.push(...findings);
		this.notes.push(...notes);
		for (const source of damaged) this.#damaged.add(source);
	}

	isDamaged(source: Source): boolean {
		return this.#damaged.has(source);
	}

	/**
	 * Runs one part and collects its findings. An error becomes a finding: it says which part could not read its data. A part
	 * that reads a damaged source is skipped, and a note says so. `source` counts as damaged once the part has a finding.
	 */
	async run(
		{
			name,
			reads = [],
			source,
		}: { readonly name: string; readonly reads?: readonly Source[]; readonly source?: Source },
		body: () => readonly string[] | Promise<readonly string[]>,
	): Promise<void> {
		const damaged = reads.filter((one) => this.#damaged.has(one));
		if (damaged.length > 0) {
			this.notes.push(`Not checked: ${name}. It needs ${damaged.join(" and ")}, where there are findings.`);
			return;
		}
		const found = await collected(name, body);
		// The next part begins without the garbage of this one.
		this.#collect();
		this.findings.push(...found);
		if (source !== undefined && found.length > 0) this.#damaged.add(source);
	}
}

async function collected(
	name: string,
	body: () => readonly string[] | Promise<readonly string[]>,
): Promise<readonly string[]> {
	try {
		return await body();
	} catch (error) {
		// The operator must act before a check: another check runs, or a setting is missing.
		if (error instanceof FolderError) throw error;
		const message = error instanceof Error ? error.message : String(error);
		return [`${name}: the check cannot read its data (${message}). Restore a backup into a new folder.`];
	}
}
