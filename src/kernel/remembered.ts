/**
 * What is made once for each epoch (`transactions.epoch`) and used until the next one: a value that was read, or an empty map that
 * fills up with what is found. So what is remembered is never stale: a cache changes cost, never meaning.
 */
export function underEpoch<T>(epoch: () => number, make: () => T): () => T {
	let made: { readonly at: number; readonly value: T } | undefined;
	return () => {
		const at = epoch();
		if (made?.at !== at) made = { at, value: make() };
		return made.value;
	};
}
