import { and, count, eq, isNull, type SQL, sql } from "drizzle-orm";
import { type Page, readTablePage } from "../../../kernel/page";
import { queryValues } from "../../../kernel/query";
import { amongIds, archivedAs, changeRow, idsIn, insertRow } from "../../../kernel/storage/rows";
import type { Transaction, Work } from "../../../kernel/work";
import type { ConnectionListQuery } from "./schema";
import { type ProviderConnectionRow, providerConnections } from "./table";

const inEnvironment = ({ actor }: Work): SQL => eq(providerConnections.environmentId, actor.environmentId);

const byIds = (tx: Transaction) =>
	tx
		.select()
		.from(providerConnections)
		.where(amongIds(providerConnections.environmentId, providerConnections.id))
		.prepare();

export const selectConnections = (work: Work, ids: readonly string[]): ProviderConnectionRow[] =>
	work.prepared(byIds).all(idsIn(work, ids));

const receiver = (tx: Transaction) =>
	tx
		.select()
		.from(providerConnections)
		.where(eq(providerConnections.id, sql.placeholder("id")))
		.prepare();

/** Returns a connection of any environment: its provider sends events without a key. */
export const findReceiver = (work: Work, id: string): ProviderConnectionRow | undefined =>
	work.prepared(receiver).get({ id });

const active = (tx: Transaction) =>
	tx
		.select()
		.from(providerConnections)
		.where(
			and(
				eq(providerConnections.environmentId, sql.placeholder("environmentId")),
				isNull(providerConnections.archivedAt),
			),
		)
		.orderBy(providerConnections.id)
		.prepare();

/** Returns the connections that are not archived, the oldest first; there are few. */
export const activeConnections = (work: Work): ProviderConnectionRow[] =>
	work.prepared(active).all({ environmentId: work.actor.environmentId });

export const countConnections = (work: Work): number =>
	work.tx
		.select({ rows: count() })
		.from(providerConnections)
		.where(and(inEnvironment(work), isNull(providerConnections.archivedAt)))
		.get()?.rows ?? 0;

export const pageConnections = (work: Work, query: ConnectionListQuery): Page<ProviderConnectionRow> =>
	readTablePage(work, query, providerConnections, inEnvironment(work), [
		archivedAs(providerConnections.archivedAt, queryValues(query.status)),
	]);

export const insertConnection = (
	work: Work,
	row: Omit<ProviderConnectionRow, "environmentId" | "archivedAt" | "createdAt" | "updatedAt">,
): ProviderConnectionRow =>
	insertRow(work, providerConnections, {
		...row,
		environmentId: work.actor.environmentId,
		archivedAt: null,
		createdAt: work.now,
		updatedAt: work.now,
	});

export const saveConnection = (
	work: Work,
	{ id }: ProviderConnectionRow,
	changes: Partial<ProviderConnectionRow>,
): ProviderConnectionRow => changeRow(work, providerConnections, id, { ...changes, updatedAt: work.now });
