import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { type Page, readTablePage } from "../../kernel/page";
import { amongIds, changeRow, idsIn, insertRow, isOneOf, newRow } from "../../kernel/storage/rows";
import type { Transaction, Work } from "../../kernel/work";
import { environments } from "../access/table";
import type { EntityListQuery } from "./schema";
import { type EntityRow, type EntityTypeRow, entities, entityTypes } from "./table";

const { placeholder } = sql;

const typesIn = (work: Work): SQL => eq(entityTypes.environmentId, work.actor.environmentId);

/** Returns all entity types of the environment; there are at most a hundred. */
export const selectTypes = (work: Work): EntityTypeRow[] =>
	work.tx.select().from(entityTypes).where(typesIn(work)).all();

export const pageTypes = (work: Work, query: Parameters<typeof readTablePage>[1]): Page<EntityTypeRow> =>
	readTablePage(work, query, entityTypes, typesIn(work));

type TypeTerms = "displayName" | "description" | "attributionKeys" | "createsEntities" | "defaultAssignments";

export const insertType = (work: Work, type: Pick<EntityTypeRow, "refId" | TypeTerms>): EntityTypeRow =>
	insertRow(work, entityTypes, { ...type, ...newRow(work) });

export const saveType = (
	work: Work,
	id: string,
	changes: Partial<Pick<EntityTypeRow, TypeTerms | "parentTypeId">>,
): EntityTypeRow => changeRow(work, entityTypes, id, { ...changes, updatedAt: work.now });

/**
 * The entity types by which usage is attributed; none while the environment has turned governance off. Cached, because each use with
 * dimensions reads it.
 */
const attributing = (tx: Transaction) =>
	tx
		.select({
			...{ id: entityTypes.id, attributionKeys: entityTypes.attributionKeys },
			...{ createsEntities: entityTypes.createsEntities, parentTypeId: entityTypes.parentTypeId },
			defaultAssignments: entityTypes.defaultAssignments,
		})
		.from(entityTypes)
		.innerJoin(environments, eq(environments.id, entityTypes.environmentId))
		.where(and(eq(entityTypes.environmentId, placeholder("environmentId")), eq(environments.governance, true)))
		.orderBy(entityTypes.id)
		.prepare();

export const selectAttributing = (work: Work) =>
	work.remembered(attributing).all({ environmentId: work.actor.environmentId });

const entityByRef = (tx: Transaction) =>
	tx
		.select()
		.from(entities)
		.where(and(eq(entities.customerId, placeholder("customerId")), eq(entities.refId, placeholder("refId"))))
		.prepare();

/** Cached, because each use with dimensions reads it. A customer belongs to one environment. */
export const selectEntity = (work: Work, customerId: string, refId: string): EntityRow | undefined =>
	work.remembered(entityByRef).get({ customerId, refId });

const createdAfter = (tx: Transaction) =>
	tx
		.select({ id: entities.customerId })
		.from(entities)
		.where(
			and(
				eq(entities.customerId, placeholder("customerId")),
				// The text of the index.
				sql`is_created = 1 AND archived_at IS NULL`,
			),
		)
		.limit(1)
		.offset(placeholder("count"))
		.prepare();

/** Whether usage has created more than a number of the customer's entities. Archived ones do not count. Cached until an entity changes. */
export const hasCreatedMore = (work: Work, customerId: string, count: number): boolean =>
	work.remembered(createdAfter).get({ customerId, count }) !== undefined;

export const selectEntitiesByRefs = (work: Work, customerId: string, refIds: readonly string[]): EntityRow[] =>
	work.tx
		.select()
		.from(entities)
		.where(and(eq(entities.customerId, customerId), isOneOf(entities.refId, refIds)))
		.all();

const entitiesAmong = (tx: Transaction) =>
	tx.select().from(entities).where(amongIds(entities.environmentId, entities.id)).prepare();

export const selectEntities = (work: Work, ids: readonly string[]): EntityRow[] =>
	ids.length === 0 ? [] : work.prepared(entitiesAmong).all(idsIn(work, ids));

export const pageEntities = (
	work: Work,
	customerId: string,
	{ entityTypeId, includeArchived, ...page }: EntityListQuery,
	typeId: string | undefined,
): Page<EntityRow> =>
	readTablePage(work, page, entities, eq(entities.customerId, customerId), [
		...entitiesShown({ entityTypeId, includeArchived }, typeId),
	]);

/** The caller's filter of a list of entities. */
export interface EntityFilter {
	readonly entityTypeId?: string | undefined;
	readonly includeArchived?: EntityListQuery["includeArchived"] | undefined;
}

/** The conditions of a list of entities. `typeId` is the row id of the type, if it exists. */
export const entitiesShown = (
	{ entityTypeId, includeArchived }: EntityFilter,
	typeId: string | undefined,
): Array<SQL | undefined> => [
	entityTypeId === undefined ? undefined : eq(entities.typeId, typeId ?? ""),
	includeArchived === "true" ? undefined : isNull(entities.archivedAt),
];

export const insertEntity = (
	work: Work,
	entity: Pick<EntityRow, "customerId" | "refId" | "typeId" | "displayName" | "metadata" | "expiresAt" | "nextDueAt"> &
		Partial<Pick<EntityRow, "isCreated" | "approver">>,
): EntityRow => insertRow(work, entities, { ...entity, ...newRow(work) });

export const saveEntity = (
	work: Work,
	id: string,
	changes: Partial<Pick<EntityRow, "displayName" | "metadata" | "archivedAt" | "expiresAt" | "nextDueAt" | "approver">>,
): EntityRow => changeRow(work, entities, id, { ...changes, updatedAt: work.now });
