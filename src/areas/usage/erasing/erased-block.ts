import { erasedKeyOf, isErasedKey } from "../archive/identity-check";
import type { OldRow } from "../archive/messages";
import { type LogRow, ranksOf, type StoredFacts, wordsOf } from "../blocks/event-block";
import { identityStart } from "../blocks/event-identity";
import type { DimensionValue } from "../rules";
import type { Replacement } from "./rules";

/** Whose events are erased: as the log names it, and what takes the place of their values. */
export interface Erased {
	readonly environmentId: string;
	readonly customerRef: string;
	/** `event_customers.id`: two where its first events came before it existed. */
	readonly numbers: ReadonlySet<number>;
	readonly replacement: Replacement;
}

export interface ErasedBlock {
	readonly row: LogRow;
	/** How many events have changed. */
	readonly changed: number;
}

/** A block whose events of the customer hold nothing personal; undefined where there is nothing to change. Fingerprints stay. */
export function eraseBlock(row: LogRow, erased: Erased): ErasedBlock | undefined {
	const { numbers, replacement } = erased;
	const customers = wordsOf(row.customers);
	if (!customers.some((number) => numbers.has(number))) return undefined;
	const facts: StoredFacts = JSON.parse(row.facts);
	const [shapes, shapeOf, resources] = facts;
	const keys: string[] = JSON.parse(row.keys);
	const ranks = shapeOf ? ranksOf(shapeOf, shapes.length) : undefined;
	let changed = 0;
	for (const [index, number] of customers.entries()) {
		if (!numbers.has(number)) continue;
		const [eventName = "", columns = {}] = shapes[shapeOf?.[index] ?? 0] ?? [];
		const rank = ranks ? (ranks[index] ?? 0) : index;
		let hasChanged = false;
		for (const [dimension, values] of Object.entries(columns)) {
			const value = values[rank] ?? "";
			const token = replacement.of(dimension, value);
			if (token === value) continue;
			(values as DimensionValue[])[rank] = token;
			hasChanged = true;
		}
		const key = erasedKey(erased, resources?.[index] ?? null, eventName, keys[index] ?? "");
		hasChanged ||= key !== keys[index];
		keys[index] = key;
		if (hasChanged) changed += 1;
	}
	if (changed === 0) return undefined;
	return { row: { ...row, facts: JSON.stringify(facts), keys: JSON.stringify(keys) }, changed };
}

/** The same of a row of the log of the first release. */
export function eraseOldRow(row: OldRow, erased: Erased): OldRow | undefined {
	if (!erased.numbers.has(row.customer)) return undefined;
	const held: Record<string, DimensionValue> = row.dimensions === null ? {} : JSON.parse(row.dimensions);
	const tokens = Object.entries(held).map(([dimension, value]) => [dimension, erased.replacement.of(dimension, value)]);
	const dimensions = row.dimensions === null ? null : JSON.stringify(Object.fromEntries(tokens));
	const idempotencyKey = erasedKey(erased, row.resourceRef, row.eventName, row.idempotencyKey);
	if (dimensions === row.dimensions && idempotencyKey === row.idempotencyKey) return undefined;
	return { ...row, dimensions, idempotencyKey };
}

/** It stays known by it: what is sent again is found by its fingerprint, and confirmed by this. */
const erasedKey = (
	{ environmentId, customerRef }: Erased,
	resourceRef: string | null,
	eventName: string,
	key: string,
): string =>
	isErasedKey(key) ? key : erasedKeyOf(identityStart(environmentId, customerRef, resourceRef, eventName) + key);
