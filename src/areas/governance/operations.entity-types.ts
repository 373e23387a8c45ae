import { fail } from "../../kernel/errors";
import type { Page, PageQuery } from "../../kernel/page";
import type { Work } from "../../kernel/work";
import { getOwnEnvironment } from "../access/operations";
import { assertNamedOnce } from "./rules";
import type { EntityTypeItem, EntityTypesBody } from "./schema";
import { insertType, pageTypes, saveType, selectTypes } from "./store";
import type { EntityTypeRow } from "./table";
import { defaultAssignmentsOf, placeTypes, type ShownEntityType, shownTypes } from "./templates/operations.types";

/** Our choice (docs/interface/governance.md#entity-types): each use with dimensions is compared with all types. */
const typesMax = 100;

/** Throws GovernanceNotEnabled if the environment has turned governance off. It comes before anything else, also for unknown customers. */
export function assertGovernance(work: Work): void {
	if (!getOwnEnvironment(work).governance)
		throw fail(
			"GovernanceNotEnabled",
			"Governance is off in this environment; set 'governance' to true with PATCH /api/v1/environments/current.",
		);
}

export function listEntityTypes(work: Work, query: PageQuery): Page<ShownEntityType> {
	assertGovernance(work);
	const page = pageTypes(work, query);
	return { ...page, rows: shownTypes(work, page.rows, () => selectTypes(work)) };
}

/** Returns entity types by row id. */
export function entityTypesByIds(work: Work, ids: readonly string[]): Map<string, ShownEntityType> {
	const types = selectTypes(work);
	const found = types.filter(({ id }) => ids.includes(id));
	return new Map(shownTypes(work, found, () => types).map((type) => [type.id, type]));
}

/** Creates or changes entity types, all or none. Returns them in the order of the request. */
export function putEntityTypes(work: Work, { types: items }: EntityTypesBody): ShownEntityType[] {
	assertGovernance(work);
	assertNamedOnce(items, "body/types");
	const types = new Map(selectTypes(work).map((type) => [type.refId, type]));
	for (const [at, item] of items.entries())
		types.set(item.id, putEntityType(work, item, types.get(item.id), `body/types/${at}`));
	if (types.size > typesMax)
		throw fail("BadUserInput", `body/types: an environment has at most ${typesMax} entity types; reuse existing ones.`);
	assertKeysNotShared([...types.values()], items);
	return shownTypes(work, placeTypes(work, items, types), () => selectTypes(work));
}

function putEntityType(
	work: Work,
	{ id, displayName, description, attributionKeys, createsEntities, defaultAssignments: defaults }: EntityTypeItem,
	before: EntityTypeRow | undefined,
	where: string,
): EntityTypeRow {
	const defaultAssignments = defaults && defaultAssignmentsOf(work, defaults, where);
	if (before)
		return saveType(work, before.id, {
			...(displayName !== undefined && { displayName }),
			...(description !== undefined && { description: description || null }),
			...(attributionKeys !== undefined && { attributionKeys }),
			...(createsEntities !== undefined && { createsEntities }),
			...(defaultAssignments !== undefined && { defaultAssignments }),
		});
	if (displayName === undefined || attributionKeys === undefined)
		throw fail(
			"BadUserInput",
			`${where}: entity type '${id}' is new and needs 'displayName' and 'attributionKeys' ([] attributes no usage).`,
		);
	return insertType(work, {
		...{ refId: id, displayName, description: description || null, attributionKeys },
		...{ createsEntities: createsEntities ?? false, defaultAssignments: defaultAssignments ?? [] },
	});
}

/** A key identifies entities of one type. */
function assertKeysNotShared(types: readonly EntityTypeRow[], items: readonly EntityTypeItem[]): void {
	const owners = new Map<string, string>();
	for (const { refId, attributionKeys } of types)
		for (const key of attributionKeys) {
			const other = owners.get(key);
			owners.set(key, refId);
			if (other === undefined) continue;
			const at = items.findLastIndex(({ id }) => id === refId || id === other);
			throw fail(
				"BadUserInput",
				`body/types/${at}/attributionKeys: '${key}' belongs to the entity types '${other}' and '${refId}'; each key identifies one type.`,
			);
		}
}
