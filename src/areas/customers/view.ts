import { toIso, toIsoOrNull } from "../../kernel/clock";
import type { Customer, CustomerIntegrationRef, CustomerResource } from "./schema";
import type { CustomerIntegration } from "./schema.integrations";
import type { CustomerInvoicing } from "./schema.invoicing";
import type { CustomerRow, ResourceRow } from "./table";

/** The caller's ids of the rows that a customer names. */
export interface CustomerRefs {
	readonly couponRef: string | null;
	readonly parentRef: string | null;
}

/** Returns a customer as the API shows it. */
export const viewCustomer = (row: CustomerRow, { couponRef, parentRef }: CustomerRefs): Customer => ({
	id: row.refId,
	billingCurrency: row.billingCurrency,
	billingId: row.billingId,
	couponId: couponRef,
	defaultPaymentMethod: row.defaultPaymentMethod,
	email: row.email,
	integrations: row.integrations,
	language: row.language,
	metadata: row.metadata,
	name: row.name,
	...(row.passthrough && { passthrough: row.passthrough }),
	...(row.taxes && { taxes: row.taxes }),
	timezone: row.timezone,
	...(row.billingAnchor && { billingAnchor: row.billingAnchor }),
	...(parentRef !== null && { parentCustomerId: parentRef, billsTo: row.billsTo ?? "SELF" }),
	...(row.invoiceGrouping && { invoiceGrouping: row.invoiceGrouping }),
	archivedAt: toIsoOrNull(row.archivedAt),
	createdAt: toIso(row.createdAt),
	updatedAt: toIso(row.updatedAt),
});

export const viewInvoicing = ({
	refId,
	legalEntityId,
	taxExemption,
	taxExemptionProvision,
	cashDiscount,
}: CustomerRow): CustomerInvoicing => ({
	customerId: refId,
	legalEntityId,
	taxExemption,
	taxExemptionProvision,
	cashDiscount,
});

export const viewResource = (row: ResourceRow): CustomerResource => ({
	id: row.refId,
	createdAt: toIso(row.createdAt),
	updatedAt: toIso(row.updatedAt),
});

/** No connector has synchronized anything yet. */
export const viewIntegration = ({
	id,
	syncedEntityId,
	vendorIdentifier,
}: CustomerIntegrationRef): CustomerIntegration => ({
	id,
	syncedEntityId,
	vendorIdentifier,
	syncData: null,
});
