import { and, eq, inArray, type SQL } from "drizzle-orm";
import { createdWithin, type Page, readPage } from "../../kernel/page";
import { queryValues } from "../../kernel/query";
import { archivedAs, newRow } from "../../kernel/rows";
import type { Work } from "../../kernel/work";
import type { ProductListQuery } from "./schema";
import { type ProductRow, products } from "./table";

const inEnvironment = ({ actor }: Work): SQL => eq(products.environmentId, actor.environmentId);

export const findProduct = (work: Work, refId: string): ProductRow | undefined =>
	work.tx
		.select()
		.from(products)
		.where(and(inEnvironment(work), eq(products.refId, refId)))
		.get();

export const selectProducts = (work: Work, ids: readonly string[]): ProductRow[] =>
	work.tx
		.select()
		.from(products)
		.where(and(inEnvironment(work), inArray(products.id, [...ids])))
		.all();

export const pageProducts = (work: Work, query: ProductListQuery): Page<ProductRow> =>
	readPage(
		query,
		products.id,
		(cursor) => selectProducts(work, [cursor]).length === 1,
		(beyondCursor, order, rowsMax) =>
			work.tx
				.select()
				.from(products)
				.where(
					and(
						inEnvironment(work),
						beyondCursor,
						query.id === undefined ? undefined : eq(products.refId, query.id),
						archivedAs(products.archivedAt, queryValues(query.status)),
						...createdWithin(query, products.createdAt),
					),
				)
				.orderBy(order)
				.limit(rowsMax)
				.all(),
	);

export const insertProduct = (
	work: Work,
	product: Omit<ProductRow, "id" | "environmentId" | "archivedAt" | "createdAt" | "updatedAt">,
): ProductRow =>
	work.tx
		.insert(products)
		.values({
			...product,
			...newRow(work),
		})
		.returning()
		.get();

export type ProductChanges = Partial<
	Pick<
		ProductRow,
		"displayName" | "description" | "metadata" | "multipleSubscriptions" | "settings" | "usageReset" | "archivedAt"
	>
>;

export const saveProduct = (work: Work, { id }: ProductRow, changes: ProductChanges): ProductRow =>
	work.tx
		.update(products)
		.set({ ...changes, updatedAt: work.now })
		.where(and(inEnvironment(work), eq(products.id, id)))
		.returning()
		.get();
