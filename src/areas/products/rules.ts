import { fail } from "../../kernel/errors";
import type { ProductSettings, ProductStatus, UsageResetBehavior } from "./schema";

/** Source: semantics-extra 10, "Defaults": the customer picks a plan, a cancellation acts at once and ends the access. */
export const defaultSettings: ProductSettings = {
	subscriptionStartSetup: "PLAN_SELECTION",
	subscriptionStartPlanId: null,
	subscriptionEndSetup: "CANCEL_SUBSCRIPTION",
	downgradePlanId: null,
	subscriptionCancellationTime: "IMMEDIATE",
	prorateAtEndOfBillingPeriod: null,
};

/** Source: semantics-extra 10: usage starts again on every change of plan. */
export const defaultUsageReset: UsageResetBehavior = "ALWAYS_RESET";

export const productStatus = ({ archivedAt }: { readonly archivedAt: number | null }): ProductStatus =>
	archivedAt === null ? "PUBLISHED" : "ARCHIVED";

/** An archived product takes no new plans, addons or subscriptions. */
export function assertProductActive(product: { readonly refId: string; readonly archivedAt: number | null }): void {
	if (productStatus(product) === "ARCHIVED")
		throw fail(
			"EntityIsArchivedError",
			`Product '${product.refId}' is archived; unarchive it or choose another product.`,
		);
}
