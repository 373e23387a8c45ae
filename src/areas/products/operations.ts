import { fail } from "../../kernel/errors";
import type { Page } from "../../kernel/page";
import type { Work } from "../../kernel/work";
import { defaultSettings, defaultUsageReset, nextProductStatus } from "./rules";
import type { ProductCreate, ProductDuplicate, ProductListQuery, ProductSettings, ProductUpdate } from "./schema";
import {
	findProduct,
	insertProduct,
	type ProductChanges,
	pageProducts,
	saveProduct,
	selectProducts,
	selectStarting,
} from "./store";
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

/** Those whose start plan gives every new customer a subscription, oldest first. */
export const productsStarting = (work: Work): ProductRow[] => selectStarting(work);

export const listProducts = (work: Work, query: ProductListQuery): Page<ProductRow> => pageProducts(work, query);

function assertIdFree(work: Work, refId: string): void {
	if (findProduct(work, refId))
		throw fail("DuplicatedEntityNotAllowed", `There is a product '${refId}' already; choose another id.`);
}

/** Throws DuplicatedEntityNotAllowed. */
export function createProduct(work: Work, input: ProductCreate): ProductRow {
	assertIdFree(work, input.id);
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

/**
 * Changes what is sent; null clears (docs/interface/http.md). Settings are replaced as a whole. They act on new
 * subscriptions only.
 */
export function updateProduct(work: Work, refId: string, input: ProductUpdate): ProductRow {
	const product = getProduct(work, refId);
	nextProductStatus(product, "update");
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

/**
 * Ends the sale of a product and, by `archivePackages`, of its plans and addons; running subscriptions go on. Products
 * come before packages, so who calls hands that half in. Throws ProductNotFoundError, CannotArchiveProductError.
 */
export function archiveProduct(
	work: Work,
	refId: string,
	archivePackages: (work: Work, product: ProductRow) => void,
): ProductRow {
	const product = getProduct(work, refId);
	nextProductStatus(product, "archive");
	archivePackages(work, product);
	return saveProduct(work, product, { archivedAt: work.now });
}

/**
 * Opens the product again; its plans and addons stay archived (docs/interface/catalogue.md, our reading). Throws
 * ProductNotFoundError, CannotUnarchiveProductError.
 */
export function unarchiveProduct(work: Work, refId: string): ProductRow {
	const product = getProduct(work, refId);
	nextProductStatus(product, "unarchive");
	return saveProduct(work, product, { archivedAt: null });
}

/** Copies what belongs to one product into another; answers what each plan's id has become. */
export type CopyPackages = (work: Work, from: ProductRow, to: ProductRow) => ReadonlyMap<string, string>;

/**
 * A product like another one, with its plans and addons (copied by `copyPackages`, which is handed in since packages come
 * later), in the caller's transaction. Its settings name the copied plans. Throws ProductNotFoundError,
 * DuplicateProductValidationError (the source is archived), DuplicatedEntityNotAllowed.
 */
export function duplicateProduct(
	work: Work,
	refId: string,
	{ targetId, displayName, description }: ProductDuplicate,
	copyPackages: CopyPackages,
): ProductRow {
	const source = getProduct(work, refId);
	nextProductStatus(source, "duplicate");
	assertIdFree(work, targetId);
	const copy = insertProduct(work, {
		refId: targetId,
		displayName: displayName ?? source.displayName,
		description: description === undefined ? source.description : description,
		metadata: source.metadata,
		multipleSubscriptions: source.multipleSubscriptions,
		settings: source.settings,
		usageReset: source.usageReset,
	});
	const planRefs = copyPackages(work, source, copy);
	return saveProduct(work, copy, { settings: settingsOfCopy(source.settings, planRefs) });
}

/** A plan that was not copied, since it is archived, is named no more. */
function settingsOfCopy(settings: ProductSettings, planRefs: ReadonlyMap<string, string>): ProductSettings {
	const copied = (ref: string | null | undefined): string | null => (ref == null ? null : (planRefs.get(ref) ?? null));
	return {
		...settings,
		subscriptionStartPlanId: copied(settings.subscriptionStartPlanId),
		downgradePlanId: copied(settings.downgradePlanId),
	};
}

/** Operations on a product with its plans and subscriptions. Later areas implement them, so the composition passes them in (catalog/operations.products.ts). */
export interface ProductsInUse {
	change(work: Work, refId: string, input: ProductUpdate): ProductRow;
	archive(work: Work, refId: string): ProductRow;
	duplicate(work: Work, refId: string, input: ProductDuplicate): ProductRow;
}
