import type { Work } from "../../kernel/work";
import type { CustomerRow } from "../customers/table";
import { listPackages } from "../packages/operations";
import type { VersionRow } from "../packages/table";
import { readPaywall } from "../paywall/operations";
import type { ShownSubscription } from "../subscriptions/operations.shown";
import type { PortalSettings } from "./schema";

/** The plans and addons that a customer may choose for one of its subscriptions. */
export interface Offered {
	readonly plans: readonly VersionRow[];
	readonly addons: readonly VersionRow[];
}

/**
 * Lists the plans and addons that a customer may choose for a subscription by itself. They are published, belong to the
 * subscription's product and have a price list. Plans and addons of pricing type CUSTOM are negotiated, so they are not listed.
 * The plan of the subscription itself is always listed; others only where the product's portal settings permit the change.
 * Options, previews and changes all use this list.
 */
export function offeredFor(
	work: Work,
	customer: CustomerRow,
	{ shown, allowed }: { readonly shown: ShownSubscription; readonly allowed: PortalSettings },
): Offered {
	const productId = shown.product.refId;
	const isPriced = ({ pricingType }: VersionRow) => pricingType !== "CUSTOM";
	const { plans } = readPaywall(work, { productId, customerId: customer.refId });
	const addons = allowed.changeAddons
		? listPackages(work, "ADDON", { productId, status: "PUBLISHED", limit: "100" }).rows.map(({ version }) => version)
		: [];
	return {
		plans: plans.filter((plan) => plan.refId === shown.plan.refId || (allowed.changePlan && isPriced(plan))),
		addons: addons.filter(isPriced),
	};
}
