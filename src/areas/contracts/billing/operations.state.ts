import { rejectBilling } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { invoicesOfContract } from "../../invoices/operations";
import { getContract } from "../operations";
import { nextPhase } from "../rules.states";
import { type StatedContract, setBillingPhase } from "../store";
import { issueWhatIsDue, restoreInForce } from "./amendments/operations";
import { planNext } from "./operations.due";

/**
 * Cancels billing: only amounts due by now are invoiced, neither running cycles nor further usage. Issued invoices
 * stay; the contract and its subscriptions continue. ContractNotFound, and the codes of the table of states.
 */
export function cancelBilling(work: Work, refId: string): StatedContract {
	issueWhatIsDue(work, getContract(work, refId));
	const contract = getContract(work, refId);
	const phase = nextPhase(contract, "cancelBilling");
	restoreInForce(work, contract);
	setBillingPhase(work, contract, phase);
	planNext(work, contract);
	return getContract(work, refId);
}

/**
 * Returns a contract to draft, unless something was invoiced: an invoice is amended or credited, never drafted again.
 * ContractNotFound, INVOICES_ISSUED, and the codes of the table of states.
 */
export function reopenBilling(work: Work, refId: string): StatedContract {
	const contract = getContract(work, refId);
	const phase = nextPhase(contract, "reopen");
	const [issued] = invoicesOfContract(work, contract.id);
	if (issued)
		throw rejectBilling(
			"INVOICES_ISSUED",
			`The contract '${refId}' was invoiced already (${issued.number}), so its billing cannot be a draft again; ${
				contract.billingState === "ACTIVE"
					? `amend it by POST /api/v1/contracts/${refId}/billing/edit-active`
					: "create a contract for what follows"
			}.`,
		);
	setBillingPhase(work, contract, phase);
	planNext(work, contract);
	return getContract(work, refId);
}
