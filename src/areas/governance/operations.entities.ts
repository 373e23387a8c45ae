import { and, eq, type SQL } from "drizzle-orm";
import { HttpRefusal } from "../../http/refusal";
import { type Instant, instantOf, toIso } from "../../kernel/clock";
import { fail } from "../../kernel/errors";
import type { Page } from "../../kernel/page";
import type { Work } from "../../kernel/work";
import { getCustomer } from "../customers/operations";
import { assertNotArchived } from "../customers/rules";
import { assertGovernance } from "./operations.entity-types";
import { assertNamedOnce, mergedMetadata } from "./rules";
import type { EntitiesBody, EntityIds, EntityItem, EntityListQuery } from "./schema";
import {
	type EntityFilter,
	entitiesShown,
	insertEntity,
	pageEntities,
	saveEntity,
	selectEntities,
	selectEntitiesByRefs,
	selectEntity,
	selectTypes,
} from "./store";
import { type EntityRow, type EntityTypeRow, entities } from "./table";

/** An entity, with the caller's id of its type. */
export interface TypedEntity extends EntityRow {
	readonly typeRef: string;
}

export function listEntities(work: Work, customerRef: string, query: EntityListQuery): Page<TypedEntity> {
	assertGovernance(work);
	const { id } = getCustomer(work, customerRef);
	const types = selectTypes(work);
	const typeId = types.find(({ refId }) => refId === query.entityTypeId)?.id;
	const page = pageEntities(work, id, query, typeId);
	return { ...page, rows: page.rows.map((entity) => typed(entity, types)) };
}

/** 404 for an unknown entity. The interface has no code for it. */
export function getEntity(work: Work, customerRef: string, refId: string): TypedEntity {
	assertGovernance(work);
	const { id } = getCustomer(work, customerRef);
	const entity = selectEntity(work, id, refId);
	if (!entity) throw noEntity(customerRef, refId);
	return typed(entity, selectTypes(work));
}

/** Throws BadUserInput for an unknown entity that a body names, and EntityIsArchivedError. `customerId` is a row id. */
export function getNamedEntity(work: Work, customerId: string, refId: string, where: string): EntityRow {
	const entity = selectEntity(work, customerId, refId);
	if (!entity)
		throw fail("BadUserInput", `${where}: the customer has no entity '${refId}'; create it with PUT …/entities.`);
	assertActive(entity, where);
	return entity;
}

const noEntity = (customerRef: string, refId: string) =>
	new HttpRefusal(404, `Customer '${customerRef}' has no entity '${refId}'; create it with PUT …/entities.`);

const typed = (entity: EntityRow, types: readonly EntityTypeRow[]): TypedEntity => ({
	...entity,
	typeRef: types.find(({ id }) => id === entity.typeId)?.refId ?? "",
});

/** Creates or changes entities, all or none. Returns them in the order of the request. */
export function putEntities(work: Work, customerRef: string, { entities: items }: EntitiesBody): TypedEntity[] {
	assertGovernance(work);
	const customer = getCustomer(work, customerRef);
	assertNotArchived(customer);
	assertNamedOnce(items, "body/entities");
	const types = selectTypes(work);
	const known = byRef(
		selectEntitiesByRefs(
			work,
			customer.id,
			items.map(({ id }) => id),
		),
	);
	return items.map((item, at) => {
		const before = known.get(item.id);
		const where = `body/entities/${at}`;
		const type = typeOf(types, item, before, where);
		const saved = before
			? changeEntity(work, before, item, where)
			: insertEntity(work, {
					customerId: customer.id,
					refId: item.id,
					typeId: type.id,
					displayName: item.displayName || null,
					metadata: mergedMetadata({}, item.metadata ?? {}, where),
					...expiryOf(work, item.expiresAt ?? null, where),
					approver: item.approver ?? null,
				});
		return { ...saved, typeRef: type.refId };
	});
}

const byRef = (rows: readonly EntityRow[]): Map<string, EntityRow> => new Map(rows.map((row) => [row.refId, row]));

/** The type is needed for a new entity, and never changes: scopes and attribution depend on it. */
function typeOf(
	types: readonly EntityTypeRow[],
	{ id, entityTypeId }: EntityItem,
	before: EntityRow | undefined,
	where: string,
): EntityTypeRow {
	const type = types.find((one) =>
		entityTypeId === undefined ? one.id === before?.typeId : one.refId === entityTypeId,
	);
	if (type && (!before || before.typeId === type.id)) return type;
	if (type)
		throw fail(
			"BadUserInput",
			`${where}/entityTypeId: the type of entity '${id}' cannot change; create an entity with another id.`,
		);
	throw fail(
		"BadUserInput",
		entityTypeId === undefined
			? `${where}: entity '${id}' is new and needs 'entityTypeId'.`
			: `${where}/entityTypeId: there is no entity type '${entityTypeId}' in this environment; create it with PUT /api/v1-beta/entity-types.`,
	);
}

/** Throws BadUserInput for a time that has passed. */
function expiryOf(work: Work, text: string | null, where: string): Pick<EntityRow, "expiresAt" | "nextDueAt"> {
	const expiresAt = text === null ? null : instantOf(text);
	if (expiresAt !== null && expiresAt <= work.now)
		throw fail(
			"BadUserInput",
			`${where}/expiresAt: '${text}' has passed (it is ${toIso(work.now)}); send a later time, or archive the entity.`,
		);
	return { expiresAt, nextDueAt: expiresAt };
}

function changeEntity(
	work: Work,
	before: EntityRow,
	{ displayName, metadata, expiresAt, approver }: EntityItem,
	where: string,
): EntityRow {
	assertActive(before, where);
	return saveEntity(work, before.id, {
		...(displayName !== undefined && { displayName: displayName || null }),
		...(metadata !== undefined && { metadata: mergedMetadata(before.metadata, metadata, where) }),
		...(expiresAt !== undefined && expiryOf(work, expiresAt, where)),
		...(approver !== undefined && { approver }),
	});
}

/** Throws EntityIsArchivedError. */
export function assertActive({ refId, archivedAt }: EntityRow, where: string): void {
	if (archivedAt !== null)
		throw fail("EntityIsArchivedError", `${where}: entity '${refId}' is archived; unarchive it first.`);
}

/** Archives entities: they leave the lists, and their budgets are suspended. A repeated call changes nothing. */
export const archiveEntities = (work: Work, customerRef: string, body: EntityIds): { ids: string[] } =>
	setArchived(work, customerRef, body, true);

/** Their budgets limit and count again. Usage in between was not counted. */
export const unarchiveEntities = (work: Work, customerRef: string, body: EntityIds): { ids: string[] } =>
	setArchived(work, customerRef, body, false);

function setArchived(work: Work, customerRef: string, { ids }: EntityIds, isArchived: boolean): { ids: string[] } {
	assertGovernance(work);
	const { id } = getCustomer(work, customerRef);
	const known = byRef(selectEntitiesByRefs(work, id, ids));
	for (const refId of new Set(ids)) {
		const entity = known.get(refId);
		if (!entity) throw noEntity(customerRef, refId);
		if ((entity.archivedAt !== null) !== isArchived)
			saveEntity(work, entity.id, isArchived ? archivedAt(work.now) : unarchived(work, entity));
	}
	return { ids: [...ids] };
}

const archivedAt = (at: Instant) => ({ archivedAt: at, nextDueAt: null });

/** An expiry that has passed is cleared, so that the entity does not expire again. */
function unarchived({ now }: Work, { expiresAt: before }: EntityRow) {
	const expiresAt = before !== null && before <= now ? null : before;
	return { archivedAt: null, expiresAt, nextDueAt: expiresAt };
}

/** Archives an entity that expires now. */
export function archiveExpired(work: Work, { id }: EntityRow): void {
	saveEntity(work, id, archivedAt(work.now));
}

/** Returns entities by row id. */
export const entitiesByIds = (work: Work, ids: Iterable<string>): Map<string, EntityRow> =>
	new Map(selectEntities(work, [...new Set(ids)]).map((entity) => [entity.id, entity]));

/** Returns entities with the callers' ids of their types, by row id. */
export function typedEntitiesByIds(work: Work, ids: readonly string[]): Map<string, TypedEntity> {
	const types = selectTypes(work);
	return new Map(selectEntities(work, ids).map((entity) => [entity.id, typed(entity, types)]));
}

/** Returns the condition of the entities that `listEntities` lists. */
export function entitiesWhere(
	work: Work,
	customerRef: string,
	{ entityTypeId, includeArchived }: EntityFilter,
): SQL | undefined {
	assertGovernance(work);
	const { id } = getCustomer(work, customerRef);
	const typeId = selectTypes(work).find(({ refId }) => refId === entityTypeId)?.id;
	return and(eq(entities.customerId, id), ...entitiesShown({ entityTypeId, includeArchived }, typeId));
}
