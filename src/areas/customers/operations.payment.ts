import type { Work } from "../../kernel/work";
import { getCustomer } from "./operations";
import { assertNotArchived, cardOf } from "./rules";
import { assertKeepsPaymentMethods } from "./rules.integrations";
import type { PaymentMethodAttach } from "./schema.integrations";
import { changeCustomer } from "./store";
import type { CustomerRow } from "./table";

/**
 * Replaces the customer's default payment method. Tollgate records it as the caller states it, because no provider is connected
 * that could verify it (docs/interface/invoices.md). Throws CustomerNotFound, EntityIsArchivedError, UnsupportedVendorIdentifier.
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

/** Replaces the default payment method by one that a provider has described. */
export const storeSavedMethod = (
	work: Work,
	customer: CustomerRow,
	defaultPaymentMethod: NonNullable<CustomerRow["defaultPaymentMethod"]>,
	paymentMethodSource: NonNullable<CustomerRow["paymentMethodSource"]>,
): CustomerRow => changeCustomer(work, customer, { defaultPaymentMethod, paymentMethodSource });

/** Clears the payment method without checks. `detachPaymentMethod` checks the customer's subscriptions first. */
export const clearPaymentMethod = (work: Work, customer: CustomerRow): CustomerRow =>
	changeCustomer(work, customer, { defaultPaymentMethod: null, paymentMethodSource: null });
