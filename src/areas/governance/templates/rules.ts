import { fail } from "../../../kernel/errors";
import { levelsMax } from "../placement/rules";
import type { EntityTypeRow } from "../table";

type Template = Pick<EntityTypeRow, "id" | "refId" | "attributionKeys" | "createsEntities" | "parentTypeId">;

/**
 * Throws BadUserInput if usage could not create the entities of a type: without attribution keys of the type and of its parents, in a cycle
 * of parents, or below the last level. `where` returns the place of the request that named a type.
 */
export function assertTemplates(types: readonly Template[], where: (type: Template) => string): void {
	const byId = new Map(types.map((type) => [type.id, type]));
	for (const type of types) {
		if (type.createsEntities && type.attributionKeys.length === 0)
			throw fail(
				"BadUserInput",
				`${where(type)}/createsEntities: entity type '${type.refId}' has no attribution keys, so no usage names its entities; give it one.`,
			);
		const above = [type];
		for (let parent = byId.get(type.parentTypeId ?? ""); parent; parent = byId.get(parent.parentTypeId ?? "")) {
			if (above.includes(parent))
				throw fail(
					"BadUserInput",
					`${where(type)}/parentEntityTypeId: '${type.refId}' would be below itself (${[...above, parent].map(({ refId }) => refId).join(" → ")}); choose another parent.`,
				);
			if (parent.attributionKeys.length === 0)
				throw fail(
					"BadUserInput",
					`${where(type)}/parentEntityTypeId: entity type '${parent.refId}' has no attribution keys, so no usage names a parent; give it one.`,
				);
			above.push(parent);
		}
		if (above.length > levelsMax)
			throw fail(
				"BadUserInput",
				`${where(type)}/parentEntityTypeId: '${type.refId}' would be on level ${above.length}; a tree has at most ${levelsMax} levels. Choose a parent further up.`,
			);
	}
}
