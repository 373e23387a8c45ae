import { toIso, toIsoOrNull } from "../../kernel/clock";
import type { Customer, CustomerResource } from "./schema";
import type { CustomerRow, ResourceRow } from "./table";

/** `couponRef` is the caller's id of the coupon that the row names. */
export const viewCustomer = (row: CustomerRow, couponRef: string | null): Customer => ({
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
	timezone: row.timezone,
	archivedAt: toIsoOrNull(row.archivedAt),
	createdAt: toIso(row.createdAt),
	updatedAt: toIso(row.updatedAt),
});

export const viewResource = (row: ResourceRow): CustomerResource => ({
	id: row.refId,
	createdAt: toIso(row.createdAt),
	updatedAt: toIso(row.updatedAt),
});
