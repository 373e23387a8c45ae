import type { Work } from "../../kernel/work";
import { namedLegalEntity } from "../legal-entities/operations";
import { getCustomer } from "./operations";
import { assertNotArchived, exemptionAfter } from "./rules";
import type { CustomerInvoicingUpdate } from "./schema.invoicing";
import { changeCustomer } from "./store";
import type { CustomerRow } from "./table";

/**
 * Changes who invoices a customer, why Tollgate charges it no tax, and its cash discount. Issued invoices stay as they are.
 * CustomerNotFound, EntityIsArchivedError; InvalidArgumentError for an unknown legal entity, and for a provision without an
 * exemption.
 */
export function updateInvoicing(
	work: Work,
	refId: string,
	{ legalEntityId, cashDiscount, ...exemption }: CustomerInvoicingUpdate,
): CustomerRow {
	const customer = getCustomer(work, refId);
	assertNotArchived(customer);
	return changeCustomer(work, customer, {
		...(legalEntityId !== undefined && { legalEntityId: legalEntityId && namedLegalEntity(work, legalEntityId) }),
		...exemptionAfter(customer, exemption),
		...(cashDiscount !== undefined && { cashDiscount }),
	});
}
