import type { Work } from "../../kernel/work";
import { archivePackagesOf, assertStartAndFallbackPlans, copyPackages } from "../packages/operations.product";
import { readSettings, replaceSettings } from "../portal/operations.settings";
import {
	archiveProduct,
	duplicateProduct,
	getProduct,
	type ProductsInUse,
	updateProduct,
} from "../products/operations";
import { assertMultiplicityFits } from "../products/rules";
import type { ProductDuplicate, ProductUpdate } from "../products/schema";
import type { ProductRow } from "../products/table";
import { hasSubscriptions } from "../subscriptions/versions/operations.in-use";

// Operations on products that depend on their plans and subscriptions. Those areas depend on `products`, so the operations are
// here. Catalogue files call them; routes/catalogue.ts and graphql/schema.ts pass them to REST and GraphQL.

/** Changes a product, if its plans and subscriptions allow it. Throws ProductNotFoundError, PlanNotFound, InvalidArgumentError. */
export function changeProduct(work: Work, refId: string, input: ProductUpdate): ProductRow {
	const product = getProduct(work, refId);
	assertStartAndFallbackPlans(work, product, input.productSettings);
	assertMultiplicityFits(product, input, () => hasSubscriptions(work, product.id));
	return updateProduct(work, refId, input);
}

/** Archives a product with its plans and addons. */
export const archiveWholeProduct = (work: Work, refId: string): ProductRow =>
	archiveProduct(work, refId, archivePackagesOf);

/** Copies a product with its plans, addons, charges, entitlements and portal settings. */
export function duplicateWholeProduct(work: Work, refId: string, input: ProductDuplicate): ProductRow {
	const copy = duplicateProduct(work, refId, input, copyPackages);
	replaceSettings(work, copy.refId, readSettings(work, refId));
	return copy;
}

export const productsInUse: ProductsInUse = {
	change: changeProduct,
	archive: archiveWholeProduct,
	duplicate: duplicateWholeProduct,
};
