import type { Page } from "../../../kernel/page";
import type { Work } from "../../../kernel/work";
import { getCustomerById } from "../../customers/operations";
import { listCreditNotes, viewCreditNotes } from "../../invoices/credit-notes/operations";
import type { CreditNote, CreditNoteListQuery } from "../../invoices/credit-notes/schema";
import { getContract } from "../operations";
import { assertBilled } from "../rules";
import type { StatedContract } from "../store";

/** ContractNotFound, BILLING_NOT_SET_UP. */
export function getBilledContract(work: Work, refId: string): StatedContract {
	const contract = getContract(work, refId);
	assertBilled(contract);
	return contract;
}

/** Returns the credit notes of a contract's invoices, newest first. ContractNotFound, BILLING_NOT_SET_UP. */
export function listContractCreditNotes(work: Work, refId: string, query: CreditNoteListQuery): Page<CreditNote> {
	const contract = getBilledContract(work, refId);
	const page = listCreditNotes(work, { contractId: contract.id }, query);
	const customer = getCustomerById(work, contract.customerId);
	return { ...page, rows: viewCreditNotes(work, page.rows, customer.refId) };
}
