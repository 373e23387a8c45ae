/**
 * Sorts entries so that dependencies come first, and otherwise keeps their order. Entries on a circle have any order, because the
 * operations reject circles.
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
		// Uses an explicit stack, because a long chain of base plans could exhaust the call stack.
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
