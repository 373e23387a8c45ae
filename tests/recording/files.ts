import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Recording } from "./entry";
import type { Plan, PlannedEnvironment, Step } from "./plan";
import type { Queries } from "./queries";

/** A recording on disk: what was sent, and what was answered. */
export interface Recorded {
	readonly plan: Plan;
	readonly queries: Queries;
	readonly recording: Recording;
}

// Recordings repeat themselves over long distances, so the highest level is worth its time.
const level = 19;
const ending = ".jsonl.zst";

const writeLines = (folder: string, name: string, lines: readonly string[]): void =>
	writeFileSync(join(folder, `${name}${ending}`), Bun.zstdCompressSync(lines.join("\n"), { level }));

function readLines(folder: string, name: string): string[] {
	const text = new TextDecoder().decode(Bun.zstdDecompressSync(readFileSync(join(folder, `${name}${ending}`))));
	return text === "" ? [] : text.split("\n");
}

const planFiles = { environments: "plan.environments", steps: "plan.steps", queries: "plan.queries" };

/** Writes one file for each kind of entries, with one JSON array `[key, value]` a line, sorted by key. */
export function saveRecorded(folder: string, { plan, queries, recording }: Recorded): void {
	if (existsSync(folder) && readdirSync(folder).length > 0) throw new Error(`${folder} is not empty.`);
	mkdirSync(folder, { recursive: true });
	const json = (value: unknown) => JSON.stringify(value);
	writeLines(folder, planFiles.environments, plan.environments.map(json));
	writeLines(folder, planFiles.steps, plan.steps.map(json));
	writeLines(folder, planFiles.queries, [json(queries)]);
	for (const [kind, entries] of recording)
		writeLines(
			folder,
			kind,
			[...entries].map(([key, value]) => `[${json(key)},${value}]`),
		);
}

export function loadRecorded(folder: string): Recorded {
	const environments: PlannedEnvironment[] = readLines(folder, planFiles.environments).map((line) => JSON.parse(line));
	const steps: Step[] = readLines(folder, planFiles.steps).map((line) => JSON.parse(line));
	const queries: Queries = JSON.parse(readLines(folder, planFiles.queries)[0] ?? "{}");
	const kinds = readdirSync(folder)
		.filter((file) => file.endsWith(ending) && !file.startsWith("plan."))
		.map((file) => file.slice(0, -ending.length));
	const recording = new Map(kinds.map((kind) => [kind, entriesOf(readLines(folder, kind))]));
	return { plan: { environments, steps }, queries, recording };
}

function entriesOf(lines: readonly string[]): Map<string, string> {
	return new Map(
		lines.map((line) => {
			const [key, value]: [string, unknown] = JSON.parse(line);
			return [key, JSON.stringify(value)];
		}),
	);
}
