import type { ErrorCode } from "../../kernel/error-codes";
import { fail } from "../../kernel/errors";
import type { ProductSettings, ProductStatus, ProductUpdate, UsageResetBehavior } from "./schema";

/**
 * By default the customer picks a plan, and a cancellation acts at once and ends the access. Source:
 * docs/interface/catalogue.md#products.
 */
export const defaultSettings: ProductSettings = {
	subscriptionStartSetup: "PLAN_SELECTION",
	subscriptionStartPlanId: null,
	subscriptionEndSetup: "CANCEL_SUBSCRIPTION",
	downgradePlanId: null,
	subscriptionCancellationTime: "IMMEDIATE",
	prorateAtEndOfBillingPeriod: null,
};

/** By default usage starts again on every change of plan. Source: docs/interface/catalogue.md#products. */
export const defaultUsageReset: UsageResetBehavior = "ALWAYS_RESET";

export const productStatus = ({ archivedAt }: { readonly archivedAt: number | null }): ProductStatus =>
	archivedAt === null ? "PUBLISHED" : "ARCHIVED";

/** `extend`: a new plan or addon, a publication, a sale. */
export type ProductAction = "update" | "extend" | "duplicate" | "archive" | "unarchive";

interface Refusal {
	readonly code: ErrorCode;
	readonly because: string;
}

/**
 * The status after each action, or the reason of its rejection. Our choice (docs/interface/catalogue.md#products): a
 * second archive is rejected.
 */
export const productTransitions: Readonly<
	Record<ProductStatus, Readonly<Record<ProductAction, ProductStatus | Refusal>>>
> = {
	PUBLISHED: {
		update: "PUBLISHED",
		extend: "PUBLISHED",
		duplicate: "PUBLISHED",
		archive: "ARCHIVED",
		unarchive: { code: "CannotUnarchiveProductError", because: "is not archived; it needs no unarchiving" },
	},
	ARCHIVED: {
		// Like an archived coupon, it may still be renamed: it shows wherever it was sold.
		update: "ARCHIVED",
		extend: { code: "EntityIsArchivedError", because: "is archived; unarchive it or choose another product" },
		duplicate: {
			code: "DuplicateProductValidationError",
			because: "is archived, and so are its plans and addons; duplicate a product that is sold",
		},
		archive: { code: "CannotArchiveProductError", because: "is archived already; unarchive it to sell it again" },
		unarchive: "PUBLISHED",
	},
};

interface Archivable {
	readonly refId: string;
	readonly archivedAt: number | null;
}

/** The status that follows; throws where the table refuses. */
export function nextProductStatus(product: Archivable, action: ProductAction): ProductStatus {
	const next = productTransitions[productStatus(product)][action];
	if (typeof next === "string") return next;
	throw fail(next.code, `Product '${product.refId}' ${next.because}.`);
}

/** An archived product takes no new plans, addons or subscriptions. */
export function assertProductActive(product: Archivable): void {
	nextProductStatus(product, "extend");
}

/**
 * Whether one customer may hold several subscriptions is settled with the first subscription
 * (docs/interface/catalogue.md): those that run would break the other rule. Sending the value that it has is no change.
 * `hasSubscriptions` is asked only then.
 */
export function assertMultiplicityFits(
	product: { readonly refId: string; readonly multipleSubscriptions: boolean },
	{ multipleSubscriptions }: Pick<ProductUpdate, "multipleSubscriptions">,
	hasSubscriptions: () => boolean,
): void {
	if (multipleSubscriptions === undefined || multipleSubscriptions === product.multipleSubscriptions) return;
	if (hasSubscriptions())
		throw fail(
			"InvalidArgumentError",
			`'multipleSubscriptions' of product '${product.refId}' is ${product.multipleSubscriptions} for good, since it has been subscribed to; leave it out, or duplicate the product.`,
		);
}
