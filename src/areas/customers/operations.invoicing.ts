import type { Work } from "../../kernel/work";
import { namedLegalEntity } from "../legal-entities/operations";
import { getCustomer } from "./operations";
import { assertNotArchived, exemptionAfter } from "./rules";
import type { CustomerInvoicingUpdate } from "./schema.invoicing";
import { changeCustomer } from "./store";
import type { CustomerRow } from "./table";

/**
 * Changes the legal entity that invoices a customer, its tax exemption and its cash discount. Issued invoices do not change. Throws
 * CustomerNotFound or EntityIsArchivedError. Throws InvalidArgumentError for an unknown legal entity, or for a provision without an
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
