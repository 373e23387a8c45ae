import type { Work } from "../../kernel/work";
import { getCustomer } from "./operations";
import { assertNotArchived, cardOf } from "./rules";
import { assertKeepsPaymentMethods } from "./rules.integrations";
import type { PaymentMethodAttach } from "./schema.integrations";
import { changeCustomer } from "./store";
import type { CustomerRow } from "./table";

/**
 * Stores a provider's payment method as the customer's default one, instead of what was there. It is recorded as the
 * caller states it: no integration is connected that could be asked (docs/interface/invoices.md).
 * CustomerNotFound, EntityIsArchivedError, UnsupportedVendorIdentifier.
 */
export function attachPaymentMethod(
	work: Work,
	refId: string,
	{ integrationId, vendorIdentifier, paymentMethodId, billingCurrency }: PaymentMethodAttach,
): CustomerRow {
	assertKeepsPaymentMethods({ vendorIdentifier });
	const customer = getCustomer(work, refId);
	assertNotArchived(customer);
	return changeCustomer(work, customer, {
		defaultPaymentMethod: cardOf(paymentMethodId),
		paymentMethodSource: { integrationId, vendorIdentifier },
		...(billingCurrency !== undefined && { billingCurrency }),
	});
}

/** See `detachPaymentMethod`, which asks the customer's subscriptions before. */
export const clearPaymentMethod = (work: Work, customer: CustomerRow): CustomerRow =>
	changeCustomer(work, customer, { defaultPaymentMethod: null, paymentMethodSource: null });
