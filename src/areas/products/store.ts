import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { createdWithin, type Page, readTablePage } from "../../kernel/page";
import { queryValues } from "../../kernel/query";
import { beginsWith, foundIds } from "../../kernel/search";
import { amongIds, archivedAs, changeRow, idsIn, insertRow, newRow } from "../../kernel/storage/rows";
import type { Transaction, Work } from "../../kernel/work";
import { emitProductEvent } from "./events";
import type { ProductListQuery } from "./schema";
import { type ProductRow, products } from "./table";

const inEnvironment = ({ actor }: Work): SQL => eq(products.environmentId, actor.environmentId);

export const findProduct = (work: Work, refId: string): ProductRow | undefined =>
	work.tx
		.select()
		.from(products)
		.where(and(inEnvironment(work), eq(products.refId, refId)))
		.get();

const productsAmong = (tx: Transaction) =>
	tx.select().from(products).where(amongIds(products.environmentId, products.id)).prepare();

export const selectProducts = (work: Work, ids: readonly string[]): ProductRow[] =>
	ids.length === 0 ? [] : work.remembered(productsAmong).all(idsIn(work, ids));

/** Those that are sold and start a new customer on a plan of theirs, oldest first. */
export const selectStarting = (work: Work): ProductRow[] =>
	work.remembered(starting).all({ environmentId: work.actor.environmentId });

const starting = (tx: Transaction) =>
	tx
		.select()
		.from(products)
		.where(
			and(
				eq(products.environmentId, sql.placeholder("environmentId")),
				isNull(products.archivedAt),
				sql`json_extract(${products.settings}, '$.subscriptionStartSetup') <> 'PLAN_SELECTION'`,
				sql`json_extract(${products.settings}, '$.subscriptionStartPlanId') is not null`,
			),
		)
		.orderBy(products.id)
		.prepare();

const foundBy = (work: Work, text: string): SQL =>
	foundIds(
		products.id,
		products,
		[beginsWith(products.refId, text), beginsWith(sql`${products.displayName} collate nocase`, text)].map((condition) =>
			and(inEnvironment(work), condition),
		),
	);

export const pageProducts = (work: Work, query: ProductListQuery): Page<ProductRow> =>
	readTablePage(work, query, products, inEnvironment(work), [
		query.id === undefined ? undefined : eq(products.refId, query.id),
		query.search === undefined ? undefined : foundBy(work, query.search),
		archivedAs(products.archivedAt, queryValues(query.status)),
		...createdWithin(query, products.createdAt),
	]);

export function insertProduct(
	work: Work,
	product: Omit<ProductRow, "id" | "environmentId" | "archivedAt" | "createdAt" | "updatedAt">,
): ProductRow {
	const row = insertRow(work, products, {
		...product,
		...newRow(work),
	});
	emitProductEvent(work, "product.created", row);
	return row;
}

export type ProductChanges = Partial<
	Pick<
		ProductRow,
		"displayName" | "description" | "metadata" | "multipleSubscriptions" | "settings" | "usageReset" | "archivedAt"
	>
>;

export function saveProduct(work: Work, { id }: ProductRow, changes: ProductChanges): ProductRow {
	const row = changeRow(work, products, id, { ...changes, updatedAt: work.now });
	emitProductEvent(work, "product.updated", row);
	return row;
}
