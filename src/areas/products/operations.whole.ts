import type { Work } from "../../kernel/work";
import { archivePackagesOf, copyPackages } from "../packages/operations.product";
import { assertJourneyPlans } from "../plans/operations";
import { hasSubscriptions } from "../subscriptions/versions/operations.in-use";
import { archiveProduct, duplicateProduct, getProduct, updateProduct } from "./operations";
import { assertMultiplicityFits } from "./rules";
import type { ProductDuplicate, ProductUpdate } from "./schema";
import type { ProductRow } from "./table";

// Products come before plans and subscriptions. What concerns a product with all that belongs to it stands above the three,
// here, and every way in (REST, GraphQL, a catalogue file) goes through it.

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
