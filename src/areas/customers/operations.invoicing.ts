import type { Work } from "../../kernel/work";
import { namedLegalEntity } from "../legal-entities/operations";
import { getCustomer } from "./operations";
import { assertNotArchived } from "./rules";
import type { CustomerInvoicingUpdate } from "./schema.invoicing";
import { changeCustomer } from "./store";
import type { CustomerRow } from "./table";

/**
 * Who invoices a customer, and why it is charged no tax. What was issued stays. CustomerNotFound, EntityIsArchivedError,
 * InvalidArgumentError when there is no such legal entity.
 */
export function updateInvoicing(
	work: Work,
	refId: string,
	{ legalEntityId, taxExemption }: CustomerInvoicingUpdate,
): CustomerRow {
	const customer = getCustomer(work, refId);
	assertNotArchived(customer);
	return changeCustomer(work, customer, {
		...(legalEntityId !== undefined && { legalEntityId: legalEntityId && namedLegalEntity(work, legalEntityId) }),
		...(taxExemption !== undefined && { taxExemption }),
	});
}
