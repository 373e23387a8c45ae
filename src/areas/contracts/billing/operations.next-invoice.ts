import { fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { getContract } from "../operations";
import { assertBilled } from "../rules";
import { nextInvoicesOf } from "./next-invoice";
import type { PlannedInvoice } from "./rules.schedule";

/**
 * The invoice that comes next of a live contract, with the usage so far; undefined where none is to come, or while it is
 * amended. ContractNotFound, BILLING_NOT_SET_UP; InvoicePreviewNotAvailableForDraftContract.
 */
export function previewNextInvoice(work: Work, refId: string): PlannedInvoice | undefined {
	const contract = getContract(work, refId);
	assertBilled(contract);
	if (contract.billingState === "DRAFT")
		throw fail(
			"InvoicePreviewNotAvailableForDraftContract",
			`The billing of contract '${refId}' is a draft, so no invoice is to come; see GET /api/v1/contracts/${refId}/billing/invoice-schedule for what it would bring, or publish it.`,
		);
	return nextInvoicesOf(work, [contract]).get(contract.id);
}
