import { fail } from "../../kernel/errors";
import type { Page } from "../../kernel/page";
import type { Work } from "../../kernel/work";
import { defaultSettings, defaultUsageReset } from "./rules";
import type { ProductCreate, ProductListQuery, ProductUpdate } from "./schema";
import { findProduct, insertProduct, type ProductChanges, pageProducts, saveProduct, selectProducts } from "./store";
import type { ProductRow } from "./table";

export { findProduct };

/** Throws ProductNotFoundError. */
export function getProduct(work: Work, refId: string): ProductRow {
	const product = findProduct(work, refId);
	if (!product) throw fail("ProductNotFoundError", `There is no product '${refId}' in this environment.`);
	return product;
}

export const productsByIds = (work: Work, ids: readonly string[]): Map<string, ProductRow> =>
	new Map(selectProducts(work, ids).map((product) => [product.id, product]));

export const listProducts = (work: Work, query: ProductListQuery): Page<ProductRow> => pageProducts(work, query);

export function createProduct(work: Work, input: ProductCreate): ProductRow {
	if (findProduct(work, input.id))
		throw fail("DuplicatedEntityNotAllowed", `There is a product '${input.id}' already; choose another id.`);
	return insertProduct(work, {
		refId: input.id,
		displayName: input.displayName,
		description: input.description ?? null,
		metadata: input.metadata ?? {},
		multipleSubscriptions: input.multipleSubscriptions ?? false,
		settings: defaultSettings,
		usageReset: defaultUsageReset,
	});
}

/** Changes what is sent; null clears (semantics 1.6). Settings are replaced as a whole. They act on new subscriptions only. */
export function updateProduct(work: Work, refId: string, input: ProductUpdate): ProductRow {
	const product = getProduct(work, refId);
	const changes: ProductChanges = {
		...(input.displayName !== undefined && { displayName: input.displayName }),
		...(input.description !== undefined && { description: input.description }),
		...(input.metadata !== undefined && { metadata: input.metadata ?? {} }),
		...(input.multipleSubscriptions !== undefined && { multipleSubscriptions: input.multipleSubscriptions }),
		...(input.productSettings && { settings: input.productSettings }),
		...(input.usageResetCutoffRule && { usageReset: input.usageResetCutoffRule.behavior }),
	};
	return saveProduct(work, product, changes);
}
