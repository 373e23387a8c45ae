import { toDecimal, toWireOrNull } from "../../../kernel/decimal";
import { fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { capabilityRefs, getCapability } from "../operations.capabilities";
import { assertCadence, assertLimitPlaces } from "../rules.assignments";
import type { DefaultAssignmentItem, EntityTypeItem, GovernanceEntityType } from "../schema";
import { saveType } from "../store";
import type { DefaultAssignment, EntityTypeRow } from "../table";
import { viewCapability } from "../view.capability";
import { assertTemplates } from "./rules";

/** An entity type with the callers' ids that its template names. */
export interface ShownEntityType extends EntityTypeRow {
	readonly parentRef: string | null;
	readonly defaults: NonNullable<GovernanceEntityType["defaultAssignments"]>;
}

/** Returns the stored form of default budgets. Throws the errors of assignments, with their place. */
export function defaultAssignmentsOf(
	work: Work,
	items: readonly DefaultAssignmentItem[],
	where: string,
): DefaultAssignment[] {
	const found = items.map(({ usageLimit, cadence, ...named }, at): DefaultAssignment => {
		const place = `${where}/defaultAssignments/${at}`;
		assertCadence(cadence, place);
		const limit = usageLimit === null ? null : toDecimal(usageLimit);
		if (limit !== null) assertLimitPlaces(limit, `${place}/usageLimit`);
		return { ...getCapability(work, named, place), usageLimit: limit, cadence };
	});
	for (const [at, { capabilityId }] of found.entries())
		if (found.findIndex((one) => one.capabilityId === capabilityId) < at)
			throw fail(
				"BadUserInput",
				`${where}/defaultAssignments/${at}: has the feature or currency of another default assignment; send each once.`,
			);
	return found;
}

/**
 * Sets the parent types that the items of a request name, in any order, and checks all types of the environment. Returns the saved types of
 * the items.
 */
export function placeTypes(
	work: Work,
	items: readonly EntityTypeItem[],
	types: ReadonlyMap<string, EntityTypeRow>,
): EntityTypeRow[] {
	const placed = new Map(types);
	for (const [at, { id, parentEntityTypeId }] of items.entries()) {
		const type = types.get(id);
		if (!type || parentEntityTypeId === undefined) continue;
		const parent = parentEntityTypeId === null ? null : types.get(parentEntityTypeId);
		if (parent === undefined)
			throw fail(
				"BadUserInput",
				`body/types/${at}/parentEntityTypeId: there is no entity type '${parentEntityTypeId}' in this environment; send it in the same request.`,
			);
		placed.set(id, saveType(work, type.id, { parentTypeId: parent?.id ?? null }));
	}
	assertTemplates([...placed.values()], ({ refId }) => {
		const at = items.findIndex(({ id }) => id === refId);
		return at < 0 ? "body/types" : `body/types/${at}`;
	});
	return items.flatMap(({ id }) => placed.get(id) ?? []);
}

/** Adds the callers' ids that templates name. `all` are the types of the environment. */
export function shownTypes(
	work: Work,
	rows: readonly EntityTypeRow[],
	all: () => readonly EntityTypeRow[],
): ShownEntityType[] {
	const refs = capabilityRefs(
		work,
		rows.flatMap(({ defaultAssignments }) => defaultAssignments),
	);
	const types = rows.some(({ parentTypeId }) => parentTypeId !== null) ? all() : [];
	return rows.map((row) => ({
		...row,
		parentRef: types.find(({ id }) => id === row.parentTypeId)?.refId ?? null,
		defaults: row.defaultAssignments.map(({ capability, capabilityId, usageLimit, cadence }) => ({
			...viewCapability(capability, refs.get(capabilityId) ?? ""),
			...{ usageLimit: toWireOrNull(usageLimit), cadence },
		})),
	}));
}
