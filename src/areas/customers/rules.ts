import { fail } from "../../kernel/errors";
import type { DefaultPaymentMethod, Grouping } from "./schema";
import type { CustomerInvoicingUpdate } from "./schema.invoicing";
import type { CustomerRow } from "./table";

/** Throws if the customer is archived. An archived customer can be read but not changed. `where` names the item of a batch. */
export function assertNotArchived(customer: { refId: string; archivedAt: unknown }, where = ""): void {
	if (customer.archivedAt !== null)
		throw fail("EntityIsArchivedError", `${where}The customer '${customer.refId}' is archived; unarchive it first.`);
}

/** Returns the customer's id at the built-in billing provider, derived from a new row id. */
export const builtInBillingId = (id: string): string => `cus_${id.replaceAll("-", "")}`;

/** Returns the column of a requested grouping of invoices; undefined: it stays. */
export const groupingOf = ({ invoiceGrouping }: Grouping): CustomerRow["invoiceGrouping"] | undefined =>
	invoiceGrouping === "SEPARATE" ? null : invoiceGrouping;

/** Throws for every integration, because none can be connected yet (docs/interface/invoices.md). */
export function assertKnownIntegration(integrationId: string | null | undefined): void {
	if (integrationId)
		throw fail("IntegrationNotFound", `There is no integration '${integrationId}' in this environment; leave it out.`);
}

/** Returns the default payment method after a request that states its id at the provider. Other details stay if the id is the same. */
export const statedPaymentMethod = (billingId: string | undefined, before: DefaultPaymentMethod | null) =>
	billingId === undefined || billingId === before?.billingId
		? {}
		: { defaultPaymentMethod: cardOf(billingId), paymentMethodSource: null };

/** Returns a payment method of which only the provider's id is known. */
export const cardOf = (billingId: string): DefaultPaymentMethod => ({
	billingId,
	type: "CARD",
	cardExpiryMonth: null,
	cardExpiryYear: null,
	cardLast4Digits: null,
});

type Exemption = Pick<CustomerRow, "taxExemption" | "taxExemptionProvision">;

/**
 * Returns a customer's tax exemption after a change. A provision belongs to one exemption, so another exemption removes it. Throws
 * InvalidArgumentError for a provision without an exemption.
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
