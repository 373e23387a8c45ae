import type { Entry, Recording } from "./entry";

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** The recording's own clocks begin years later (plan.ts). */
const machineTime = /\b20[0-2]\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;
/** The id of a subscription that the server has created by itself. */
const subscription = /\bsub_[0-9a-f]{32}\b/g;
const hash = /[0-9a-f]{32,128}/g;
const secret = /\b(server|client|whsec|portal|checkout)[-_](k[-_])?[A-Za-z0-9_-]{16,}/g;
/** The same in milliseconds, as the audit log records it. */
const machineMs = /(?<![\d.])1\d{12}(?=[,}\]])/g;
/** Only these keys have values that differ between two runs in another way. */
const volatileKeys = /"(durationMs|requestId|etag|address|sequence)":("[^"]*"|\d+)/g;

/** Replaces the parts of a text that differ between two runs: the machine's time, ids, secrets and hashes. */
export const normalizeText = (text: string, names: ReadonlyMap<string, string> = new Map()): string =>
	text
		.replace(machineTime, "<machine time>")
		.replace(uuid, (id) => names.get(id) ?? "<id>")
		.replace(subscription, (id) => names.get(id) ?? "sub_<hash>")
		.replace(secret, "<secret>")
		.replace(hash, "<hash>");

/** Returns JSON of a value in which nothing differs between two runs. */
const normalize = (value: unknown, names: ReadonlyMap<string, string>): string =>
	normalizeText(JSON.stringify(value), names)
		.replace(machineMs, '"<machine time>"')
		.replace(volatileKeys, '"$1":"<volatile>"');

/** Returns the entries as a recording, normalized and sorted by their keys. */
export function recordingOf(entries: readonly Entry[], names: ReadonlyMap<string, string>): Recording {
	const kinds = new Map<string, Map<string, string>>();
	for (const { kind, key, value } of entries) {
		const ofKind = kinds.get(kind) ?? new Map<string, string>();
		kinds.set(kind, ofKind);
		const named = normalizeText(key, names);
		// Keys that two entries share are numbered in the order of reading.
		let unique = named;
		for (let nth = 2; ofKind.has(unique); nth += 1) unique = `${named} (${nth})`;
		ofKind.set(unique, normalize(value, names));
	}
	const sorted = <T>(map: ReadonlyMap<string, T>) =>
		new Map([...map].toSorted(([one], [other]) => (one < other ? -1 : 1)));
	return new Map([...sorted(kinds)].map(([kind, ofKind]) => [kind, sorted(ofKind)]));
}
