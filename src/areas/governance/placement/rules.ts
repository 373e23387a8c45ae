import { fail } from "../../../kernel/errors";

/** The levels of a tree (docs/interface/governance.md). */
export const levelsMax = 4;

/** A node that a request places, and where it was before. */
export interface PlacedNode {
	readonly id: string;
	/** The caller's id of its entity, for messages. */
	readonly entityRef: string;
	/** The place in the request, for messages. */
	readonly where: string;
	readonly parentId: string | null;
}

/** Returns the ancestors of each placed node, by its id. `known` are the ancestors of the nodes that the request does not place. */
export function ancestorsOf(
	placed: readonly PlacedNode[],
	known: (nodeId: string) => readonly string[],
): Map<string, readonly string[]> {
	const byId = new Map(placed.map((node) => [node.id, node]));
	const found = new Map<string, readonly string[]>();
	const resolve = (node: PlacedNode, below: readonly PlacedNode[]): readonly string[] => {
		const before = found.get(node.id);
		if (before) return before;
		if (below.includes(node))
			throw fail(
				"BadUserInput",
				`${node.where}/parentId: '${node.entityRef}' would be its own ancestor (${[...below, node].map(({ entityRef }) => entityRef).join(" → ")}); choose another parent.`,
			);
		const parent = node.parentId === null ? undefined : byId.get(node.parentId);
		const above = parent
			? [parent.id, ...resolve(parent, [...below, node])]
			: node.parentId === null
				? []
				: [node.parentId, ...known(node.parentId)];
		if (above.includes(node.id))
			throw fail(
				"BadUserInput",
				`${node.where}/parentId: '${node.entityRef}' would be its own ancestor; choose another parent.`,
			);
		if (above.length >= levelsMax)
			throw fail(
				"BadUserInput",
				`${node.where}/parentId: '${node.entityRef}' would be on level ${above.length + 1}; a tree has at most ${levelsMax} levels. Choose a parent further up.`,
			);
		found.set(node.id, above);
		return above;
	};
	for (const node of placed) resolve(node, []);
	return found;
}
