import { fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { openAttemptOfMethod } from "../../collection/attempts/operations.of-method";
import { getOwnMethod, markRemoved, type OwnMethod } from "../../collection/methods/operations.choose";
import { isDefaultMethod } from "../../collection/methods/rules";
import { detachPaymentMethod } from "./operations";

/**
 * Removes a saved method of a customer; the collector deletes it at the provider. Throws CustomerNotFound, EntityIsArchivedError,
 * PaymentMethodNotFoundError; CannotRemovePaymentMethodFromCustomerError for the default method while a subscription is charged to it, and
 * for a method that an attempt is charging.
 */
export function removeMethod(work: Work, customerRef: string, methodId: string): OwnMethod {
	const { customer, method } = getOwnMethod(work, customerRef, methodId);
	const charging = openAttemptOfMethod(work, method);
	if (charging !== undefined)
		throw fail(
			"CannotRemovePaymentMethodFromCustomerError",
			`The payment attempt '${charging}' is charging the payment method '${methodId}'; wait for its end, or cancel it.`,
		);
	const changed = isDefaultMethod(method, customer) ? detachPaymentMethod(work, customerRef) : customer;
	return { customer: changed, method: markRemoved(work, method) };
}
