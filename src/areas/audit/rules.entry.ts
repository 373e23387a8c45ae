import { hash } from "node:crypto";
import type { ActorType } from "../outbox/event-types";

/** What is before and after; what is null is left out. */
export interface FieldChange {
	readonly before?: unknown;
	readonly after?: unknown;
	/** How many characters a value had that is shown in part. */
	readonly cut?: number;
}

export type Fields = Readonly<Record<string, FieldChange>>;
export type Action = "created" | "updated" | "deleted";

/** In place of a value that nobody is shown. */
export const masked = "[secret]";

/** Our choice: a value longer than this is shown up to here. */
const valueCharactersMax = 2_000;

/** Our choice: an entry shows so many changes, of so many characters together; of others it says how many there were. */
export const changesMax = 500;
export const changesCharactersMax = 256 * 1024;

/** What changed in two steps, as one; undefined where nothing is left of it: made and removed again, or put back. */
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

/** Long texts are shown in part. */
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

/** Whether any value may be too long: most are not looked at one by one. */
export const mayNeedCut = (fields: string): boolean => fields.length > valueCharactersMax;

/** Values that tell nothing of anybody. */
const empty = /^\{("\w+":\{"after":"(\{\}|\[\])"\},?)*\}$/;

export const tellsNothing = (personal: string): boolean => empty.test(personal);

/** What the hash covers of an entry, in this order. */
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

/** The entry as one line of JSON; `changes` is JSON already. */
export const textOf = (entry: EntryText, changes: string): string =>
	`${JSON.stringify(entry).slice(0, -1)},"changes":${changes}}`;

/** Each entry's hash covers the one before it. */
export const hashOf = (previousHash: string, text: string): string => hash("sha256", previousHash + text, "hex");

/** Of personal values: they can be dropped, and the entry still says that it held them. */
export const personalHashOf = (salt: string, fields: string): string => hash("sha256", salt + fields, "hex");

/** A change as an entry's text holds it. */
export interface ChangeText {
	readonly entityType: string;
	readonly entityId: string;
	readonly entityRef?: string;
	readonly action: Action;
	readonly fields: Fields;
	/** The salted hash of personal values, which are kept apart. */
	readonly personal?: string;
}
