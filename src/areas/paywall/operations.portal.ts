import { fail } from "../../kernel/errors";
import type { Work } from "../../kernel/work";
import { findResource, getCustomer } from "../customers/operations";
import type { CustomerRow } from "../customers/table";
import { grantedFeaturesOf, type ShownFeature } from "../entitlements/operations.state";
import { getProduct } from "../products/operations";
import { activePromotionalEntitlements } from "../promotional-entitlements/operations";
import { liveSubscriptions } from "../subscriptions/operations.reading";
import type { SubscriptionRow } from "../subscriptions/table";

export interface PortalQuery {
	/** The caller's ids. */
	readonly customerId: string;
	readonly resourceId?: string | undefined;
	readonly productId?: string | undefined;
}

export interface CustomerPortal {
	readonly customer: CustomerRow;
	/** The caller's id. */
	readonly resourceId: string | null;
	readonly subscriptions: readonly SubscriptionRow[];
	readonly entitlements: readonly ShownFeature[];
	readonly promotionalEntitlements: readonly object[];
}

/**
 * Returns the subscriptions and entitlements of a customer or of one of its resources, for one product or for all.
 * Throws CustomerNotFound, CustomerResourceNotFound, ProductNotFoundError.
 */
export function readPortal(work: Work, { customerId, resourceId, productId }: PortalQuery): CustomerPortal {
	const customer = getCustomer(work, customerId);
	const product = productId === undefined ? undefined : getProduct(work, productId);
	const resource = resourceId === undefined ? undefined : findResource(work, customer.id, resourceId);
	if (resourceId !== undefined && !resource)
		throw fail("CustomerResourceNotFound", `Customer '${customerId}' has no resource '${resourceId}'.`);
	return {
		customer,
		resourceId: resource?.refId ?? null,
		subscriptions: liveSubscriptions(work, customer.id).filter(
			(row) => (!resource || row.resourceId === resource.id) && (!product || row.productId === product.id),
		),
		entitlements: grantedFeaturesOf(work, { customerId, resourceId: resource?.refId ?? null }),
		promotionalEntitlements: activePromotionalEntitlements(work, customer.id),
	};
}
