import type { Work } from "../../kernel/work";
import { archivePackagesOf, assertJourneyPlans, copyPackages } from "../packages/operations.product";
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

// Products come before plans and subscriptions. What concerns a product with all that belongs to it stands above the three,
// here, and every way in goes through it: a catalogue file calls it, REST and GraphQL are handed it (app.ts, graphql/schema.ts).

/** Changes a product, as far as its plans and subscriptions allow. ProductNotFoundError; PlanNotFound; InvalidArgumentError. */
export function changeProduct(work: Work, refId: string, input: ProductUpdate): ProductRow {
	const product = getProduct(work, refId);
	assertJourneyPlans(work, product, input.productSettings);
	assertMultiplicityFits(product, input, () => hasSubscriptions(work, product.id));
	return updateProduct(work, refId, input);
}

/** Archives a product with its plans and addons. */
export const archiveWholeProduct = (work: Work, refId: string): ProductRow =>
	archiveProduct(work, refId, archivePackagesOf);

/** Copies a product with its plans, addons, charges and entitlements. */
export const duplicateWholeProduct = (work: Work, refId: string, input: ProductDuplicate): ProductRow =>
	duplicateProduct(work, refId, input, copyPackages);

export const productsInUse: ProductsInUse = {
	change: changeProduct,
	archive: archiveWholeProduct,
	duplicate: duplicateWholeProduct,
};
