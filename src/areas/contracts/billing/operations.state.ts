import { rejectBilling } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { invoicesOfContract } from "../../invoices/operations";
import { getContract } from "../operations";
import { nextPhase } from "../rules.states";
import { type StatedContract, setBillingPhase } from "../store";
import { issueWhatIsDue, restoreInForce } from "./amendments/operations";
import { planNext } from "./operations.due";

/**
 * Nothing more is invoiced than what is due by now, neither what has begun nor what is used. What was issued stays as it is; the subscriptions go on,
 * and so does the contract. ContractNotFound, and what the table of states refuses.
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
 * Back to draft, as long as nothing was invoiced: what a customer has in hand is amended or credited, never drafted again.
 * ContractNotFound, INVOICES_ISSUED, and what the table of states refuses.
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
