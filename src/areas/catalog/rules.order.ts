/**
 * The entries in an order in which what is needed comes before what needs it; otherwise as they stand. What lies on a circle
 * comes in any order: the operations refuse circles in their own words.
 */
export function neededFirst<Entry extends { readonly id: string }>(
	entries: readonly Entry[],
	needs: (entry: Entry) => readonly string[],
): Entry[] {
	const byId = new Map(entries.map((entry) => [entry.id, entry]));
	const entered = new Set<string>();
	const ordered: Entry[] = [];
	const enter = (entry: Entry) => {
		entered.add(entry.id);
		return { entry, left: needs(entry).toReversed() };
	};
	for (const root of entries) {
		if (entered.has(root.id)) continue;
		// A stack of our own: a long chain of base plans must not exhaust the machine's.
		const path = [enter(root)];
		for (let step = path.at(-1); step; step = path.at(-1)) {
			const ref = step.left.pop();
			const next = ref === undefined ? undefined : byId.get(ref);
			if (next && !entered.has(next.id)) path.push(enter(next));
			else if (ref === undefined) {
				ordered.push(step.entry);
				path.pop();
			}
		}
	}
	return ordered;
}
