import { fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { getContract } from "../operations";
import { assertBilled } from "../rules";
import { nextInvoicesOf } from "./next-invoice";
import type { PlannedInvoice } from "./rules.schedule";

/**
 * Returns the next invoice of a live contract with the usage so far; undefined if none follows, or while it is amended.
 * ContractNotFound, BILLING_NOT_SET_UP, InvoicePreviewNotAvailableForDraftContract.
 */
export function previewNextInvoice(work: Work, refId: string): PlannedInvoice | undefined {
	const contract = getContract(work, refId);
	assertBilled(contract);
	if (contract.billingState === "DRAFT")
		throw fail(
			"InvoicePreviewNotAvailableForDraftContract",
			`The billing of contract '${refId}' is a draft, so it has no next invoice; see GET /api/v1/contracts/${refId}/billing/invoice-schedule for its future invoices, or publish it.`,
		);
	return nextInvoicesOf(work, [contract]).get(contract.id);
}
