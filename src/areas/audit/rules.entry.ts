import { hash } from "node:crypto";
import type { ActorType } from "../outbox/event-types";

/** The value before and after; a null is omitted. */
export interface FieldChange {
	readonly before?: unknown;
	readonly after?: unknown;
	/** The full length of a value that is shown in part. */
	readonly cut?: number;
}

export type Fields = Readonly<Record<string, FieldChange>>;
export type Action = "created" | "updated" | "deleted";

/** Replaces a secret value. */
export const masked = "[secret]";

/** A longer value is truncated. */
const valueCharactersMax = 2_000;

/** An entry shows up to this many changes and characters. It also has the total number of changes. */
export const changesMax = 500;
export const changesCharactersMax = 256 * 1024;

/** Merges two changes of a row. Returns undefined if they cancel each other out. */
export function merged(
	[former, then]: readonly [Action, Action],
	[before, after]: readonly [Fields, Fields],
): { readonly action: Action; readonly fields: Fields } | undefined {
	if (former === "created" && then === "deleted") return undefined;
	const action = actionOf(former, then);
	const fields: Record<string, FieldChange> = {};
	for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
		const first = before[name];
		const last = after[name] ?? (then === "updated" ? first : undefined);
		const change = {
			...part("before", (first ?? last)?.before),
			...(action !== "deleted" && part("after", last?.after)),
		};
		if (change.before !== change.after || change.after === masked) fields[name] = change;
	}
	if (action === "updated" && Object.keys(fields).length === 0) return undefined;
	return { action, fields };
}

function actionOf(former: Action, then: Action): Action {
	if (then === "updated") return former;
	return former === "deleted" ? "updated" : then;
}

const part = (name: "before" | "after", value: unknown): FieldChange => (value === undefined ? {} : { [name]: value });

/** Truncates long texts. */
export function cut(fields: Fields): Fields {
	return Object.fromEntries(
		Object.entries(fields).map(([name, { before, after }]) => {
			const lengths = [before, after].map((value) => (typeof value === "string" ? value.length : 0));
			const length = Math.max(...lengths);
			if (length <= valueCharactersMax) return [name, { ...part("before", before), ...part("after", after) }];
			return [name, { ...part("before", start(before)), ...part("after", start(after)), cut: length }];
		}),
	);
}

const start = (value: unknown): unknown => (typeof value === "string" ? value.slice(0, valueCharactersMax) : value);

/** Whether a value may be too long. If not, no single value needs a check. */
export const mayNeedCut = (fields: string): boolean => fields.length > valueCharactersMax;

/** Values without content. */
const empty = /^\{("\w+":\{"after":"(\{\}|\[\])"\},?)*\}$/;

export const tellsNothing = (personal: string): boolean => empty.test(personal);

/** The fields that the hash covers, in order. */
export interface EntryText {
	readonly sequence: number;
	readonly id: string;
	readonly environmentId: string | null;
	readonly accountId: string | null;
	readonly at: string;
	readonly recordedAt: string;
	readonly actor: { readonly type: ActorType; readonly id: string; readonly name: string | null };
	readonly requestId: string | null;
	readonly address: string | null;
	readonly operation: string;
	readonly entityType: string;
	readonly entityId: string;
	readonly entityRef: string | null;
	readonly changesCount: number;
}

/** Returns the entry as one line of JSON; `changes` already is JSON. */
export const textOf = (entry: EntryText, changes: string): string =>
	`${JSON.stringify(entry).slice(0, -1)},"changes":${changes}}`;

/** Returns an entry's hash, which covers the former entry's hash. */
export const hashOf = (previousHash: string, text: string): string => hash("sha256", previousHash + text, "hex");

/** Returns the hash of personal values. After an erasure the entry still shows that it contained them. */
export const personalHashOf = (salt: string, fields: string): string => hash("sha256", salt + fields, "hex");

/** A change in the text of an entry. */
export interface ChangeText {
	readonly entityType: string;
	readonly entityId: string;
	readonly entityRef?: string;
	readonly action: Action;
	readonly fields: Fields;
	/** The salted hash of personal values, which are stored separately. */
	readonly personal?: string;
}
