import type { Recording } from "./entry";

export interface Difference {
	readonly kind: string;
	readonly key: string;
	/** The path of the value, for example `body.data.lineItems.0.amount`. */
	readonly path: string;
	readonly before: string;
	readonly after: string;
}

export interface Comparison {
	/** Old values that are missing or different. */
	readonly changed: Difference[];
	/** Sentences with other words, but with the same figures. */
	readonly reworded: Difference[];
	/** Values that only the new recording has. */
	readonly added: Difference[];
}

const nothing = "(nothing)";

/** Compares every old value with the new one. Values that were added are no change. */
export function compareRecordings(before: Recording, after: Recording): Comparison {
	const comparison: Comparison = { changed: [], reworded: [], added: [] };
	for (const kind of new Set([...before.keys(), ...after.keys()])) {
		const [old, current] = [before.get(kind), after.get(kind)];
		for (const key of new Set([...(old?.keys() ?? []), ...(current?.keys() ?? [])])) {
			const [was, is] = [old?.get(key), current?.get(key)];
			const at = { kind, key, path: "" };
			if (was === is) continue;
			if (was === undefined) comparison.added.push({ ...at, before: nothing, after: is ?? nothing });
			else if (is === undefined) comparison.changed.push({ ...at, before: was, after: nothing });
			else compareValues(JSON.parse(was), JSON.parse(is), at, comparison);
		}
	}
	return comparison;
}

function compareValues(
	was: unknown,
	is: unknown,
	at: Pick<Difference, "kind" | "key" | "path">,
	comparison: Comparison,
): void {
	if (isObject(was) && isObject(is) && Array.isArray(was) === Array.isArray(is)) {
		for (const [name, value] of Object.entries(was)) {
			const inner = { ...at, path: at.path === "" ? name : `${at.path}.${name}` };
			if (name in is) compareValues(value, is[name], inner, comparison);
			else comparison.changed.push({ ...inner, before: JSON.stringify(value), after: nothing });
		}
		for (const [name, value] of Object.entries(is)) {
			if (name in was) continue;
			const added = { ...at, path: `${at.path}.${name}`, before: nothing, after: JSON.stringify(value) };
			// An entry of a list is a value of the list, no new key.
			(Array.isArray(was) ? comparison.changed : comparison.added).push(added);
		}
		return;
	}
	if (was === is) return;
	const difference = { ...at, before: JSON.stringify(was), after: JSON.stringify(is) };
	const isDescription = at.kind === "openapi" && /(^|\.)(description|summary)$/.test(at.path);
	(isDescription || isReworded(was, is) ? comparison.reworded : comparison.changed).push(difference);
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
	typeof value === "object" && value !== null;

/** A text with several words whose figures and quoted names stayed. */
function isReworded(was: unknown, is: unknown): boolean {
	if (typeof was !== "string" || typeof is !== "string" || !/\w \w/.test(was)) return false;
	const figures = (text: string) => (text.match(/\d+(\.\d+)?/g) ?? []).toSorted().join(" ");
	return figures(was) === figures(is);
}

/** Returns the differences as text, grouped by the kind and path, the most frequent first. */
export function describe(title: string, differences: readonly Difference[], shownMax: number): string[] {
	if (differences.length === 0) return [];
	const groups = Map.groupBy(differences, ({ kind, path }) => `${kind} ${path.replace(/\b\d+\b/g, "*")}`);
	const lines = [...groups]
		.toSorted(([, one], [, other]) => other.length - one.length)
		.slice(0, shownMax)
		.flatMap(([group, [first, ...others]]) =>
			first === undefined
				? []
				: [
						`  ${others.length + 1} × ${group}`,
						`    ${first.key}`,
						`    - ${first.before.slice(0, 400)}`,
						`    + ${first.after.slice(0, 400)}`,
					],
		);
	return [`${title}: ${differences.length}`, ...lines];
}
