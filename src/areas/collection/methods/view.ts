import { toIso } from "../../../kernel/clock";
import type { CustomerRow } from "../../customers/table";
import { isDefaultMethod } from "./rules";
import type { PaymentMethod } from "./schema";
import type { PaymentMethodRow } from "./table";

export const viewMethod = (row: PaymentMethodRow, customer: CustomerRow): PaymentMethod => ({
	id: row.id,
	connectionId: row.connectionId,
	paymentMethodId: row.ref,
	kind: row.kind,
	brand: row.brand,
	last4: row.last4,
	expiryMonth: row.expiresMonth,
	expiryYear: row.expiresYear,
	country: row.country,
	isDefault: isDefaultMethod(row, customer),
	createdAt: toIso(row.createdAt),
});
