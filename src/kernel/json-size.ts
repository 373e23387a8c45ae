/** Estimates the bytes of a value as JSON, without writing it: escapes and characters beyond ASCII are counted once. */
export function jsonBytes(value: unknown): number {
	if (typeof value === "string") return value.length + 2;
	if (typeof value !== "object" || value === null) return 8;
	if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + jsonBytes(item) + 1, 2);
	let sum = 2;
	for (const [name, inner] of Object.entries(value)) if (inner !== undefined) sum += name.length + 4 + jsonBytes(inner);
	return sum;
}

/** Returns the first items whose total size is within the limit; at least one, if there is one. */
export function firstWithin<T>(items: readonly T[], bytesMax: number, bytesOf: (item: T) => number = jsonBytes): T[] {
	let bytes = 0;
	const end = items.findIndex((item, at) => {
		bytes += bytesOf(item);
		return at > 0 && bytes > bytesMax;
	});
	return end === -1 ? [...items] : items.slice(0, end);
}
