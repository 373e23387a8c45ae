import type { Segmentation } from "../../pricing/models/segment";
import { erasedKeyOf, isErasedKey } from "../archive/identity-check";
import type { OldRow } from "../archive/messages";
import { type LogRow, ranksOf, type StoredFacts, wordsOf } from "../blocks/event-block";
import { identityStart } from "../blocks/event-identity";
import type { DimensionValue } from "../rules";
import type { Replacement } from "./rules";

/** An erased customer by its names in the log, and the replacements of its values. */
export interface Erased {
	readonly environmentId: string;
	readonly customerRef: string;
	/** `event_customers.id`; two if its first events came before it existed. */
	readonly numbers: ReadonlySet<number>;
	readonly replacement: Replacement;
	/** The ways in which the environment's prices divide usage. */
	readonly segmentations: readonly Segmentation[];
}

export interface ErasedBlock {
	readonly row: LogRow;
	/** The number of changed events. */
	readonly changed: number;
}

/** Returns a block without personal values of the customer; undefined if nothing changes. Fingerprints stay. */
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

/** Does the same for a row of the first release's log. */
export function eraseOldRow(row: OldRow, erased: Erased): OldRow | undefined {
	if (!erased.numbers.has(row.customer)) return undefined;
	const held: Record<string, DimensionValue> = row.dimensions === null ? {} : JSON.parse(row.dimensions);
	const tokens = Object.entries(held).map(([dimension, value]) => [dimension, erased.replacement.of(dimension, value)]);
	const dimensions = row.dimensions === null ? null : JSON.stringify(Object.fromEntries(tokens));
	const idempotencyKey = erasedKey(erased, row.resourceRef, row.eventName, row.idempotencyKey);
	if (dimensions === row.dimensions && idempotencyKey === row.idempotencyKey) return undefined;
	return { ...row, dimensions, idempotencyKey };
}

/**
 * Returns the key by which an erased event stays known: a repeated event is found by its fingerprint and confirmed by
 * this.
 */
const erasedKey = (
	{ environmentId, customerRef }: Erased,
	resourceRef: string | null,
	eventName: string,
	key: string,
): string =>
	isErasedKey(key) ? key : erasedKeyOf(identityStart(environmentId, customerRef, resourceRef, eventName) + key);
