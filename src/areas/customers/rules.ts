import { fail } from "../../kernel/errors";
import type { DefaultPaymentMethod } from "./schema";
import type { CustomerInvoicingUpdate } from "./schema.invoicing";
import type { CustomerRow } from "./table";

/** An archived customer gets nothing new; it keeps what it had, for reading. `where` names the place in a batch. */
export function assertNotArchived(customer: { refId: string; archivedAt: unknown }, where = ""): void {
	if (customer.archivedAt !== null)
		throw fail("EntityIsArchivedError", `${where}The customer '${customer.refId}' is archived; unarchive it first.`);
}

/** The built-in billing provider's id of a customer, made of a fresh row id. */
export const builtInBillingId = (id: string): string => `cus_${id.replaceAll("-", "")}`;

/** None can be connected yet, so none is known (docs/interface/invoices.md). */
export function assertKnownIntegration(integrationId: string | null | undefined): void {
	if (integrationId)
		throw fail("IntegrationNotFound", `There is no integration '${integrationId}' in this environment; leave it out.`);
}

/**
 * What a payment method's id at the provider says, where one is given: it is the default one. What is known of the card
 * beyond its id stays as long as it is the same one.
 */
export const statedPaymentMethod = (billingId: string | undefined, before: DefaultPaymentMethod | null) =>
	billingId === undefined || billingId === before?.billingId
		? {}
		: { defaultPaymentMethod: cardOf(billingId), paymentMethodSource: null };

/** A payment method of which only the id at the provider is known. */
export const cardOf = (billingId: string): DefaultPaymentMethod => ({
	billingId,
	type: "CARD",
	cardExpiryMonth: null,
	cardExpiryYear: null,
	cardLast4Digits: null,
});

type Exemption = Pick<CustomerRow, "taxExemption" | "taxExemptionProvision">;

/**
 * Returns a customer's tax exemption after a change. A provision belongs to the exemption that it was given for: another
 * exemption drops it. InvalidArgumentError for a provision without an exemption.
 */
export function exemptionAfter(
	before: Exemption,
	change: Pick<CustomerInvoicingUpdate, "taxExemption" | "taxExemptionProvision">,
): Exemption {
	const { taxExemption = before.taxExemption } = change;
	const kept = taxExemption === before.taxExemption ? before.taxExemptionProvision : null;
	const { taxExemptionProvision = kept } = change;
	if (taxExemption === null && taxExemptionProvision !== null)
		throw fail(
			"InvalidArgumentError",
			"'taxExemptionProvision' names the law behind a tax exemption, and the customer has none; give 'taxExemption' too.",
		);
	return { taxExemption, taxExemptionProvision };
}
