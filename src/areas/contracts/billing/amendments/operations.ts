import type { Work } from "../../../../kernel/work";
import { getContract } from "../../operations";
import { nextPhase } from "../../rules.states";
import { changeContract, type StatedContract, setBillingPhase } from "../../store";
import { removeItem, selectItems } from "../../store.billing";
import type { ContractRow } from "../../table";
import { planNext, runContractSteps } from "../operations.due";
import { markPublished } from "../store";
import { deleteAmendment, findAmendment, insertAmendment, restoreItem } from "./store";

/**
 * Opens the items, rows, terms and settings of a live contract for change, while nothing is issued; `publishContract` puts
 * the amendment into force. Source: docs/interface/contracts.md. With `includeCurrentInvoice` the invoices of the cycles that
 * run are then credited and issued anew. ContractNotFound, and what the table of states refuses.
 */
export function openAmendment(
	work: Work,
	refId: string,
	{ includeCurrentInvoice = false }: { readonly includeCurrentInvoice?: boolean },
): StatedContract {
	issueWhatIsDue(work, getContract(work, refId));
	const contract = getContract(work, refId);
	const phase = nextPhase(contract, "amend");
	insertAmendment(work, {
		contractId: contract.id,
		items: selectItems(work, contract),
		note: contract.note,
		activationStartAt: contract.activationStartAt,
		activationEndAt: contract.activationEndAt,
		includesCurrentInvoice: includeCurrentInvoice,
	});
	setBillingPhase(work, contract, phase);
	planNext(work, contract);
	return getContract(work, refId);
}

/** Our choice: as many due dates as publishing issues within the call. */
const stepsPerCallMax = 100;

/** What fell due before is invoiced as it was agreed; what could not be does not keep the call from mending it. */
export function issueWhatIsDue(work: Work, { id, problem }: ContractRow): void {
	if (problem === null) runContractSteps(work, id, stepsPerCallMax);
}

/**
 * Throws an amendment away: what was in force is, and what fell due meanwhile is issued and dated now, since nothing was
 * issued while it was open. ContractNotFound, and what the table of states refuses.
 */
export function discardAmendment(work: Work, refId: string): StatedContract {
	const contract = getContract(work, refId);
	const phase = nextPhase(contract, "discardAmendment");
	restoreInForce(work, contract);
	setBillingPhase(work, contract, phase);
	markPublished(work, contract);
	planNext(work, contract);
	return getContract(work, refId);
}

/** What was in force before an amendment was opened is as it was then; without one nothing changes. */
export function restoreInForce(work: Work, contract: ContractRow): void {
	const amendment = findAmendment(work, contract);
	if (!amendment) return;
	const { items, note, activationStartAt, activationEndAt } = amendment;
	const kept = new Set(items.map(({ id }) => id));
	for (const item of selectItems(work, contract)) if (!kept.has(item.id)) removeItem(work, contract, item);
	for (const item of items) restoreItem(work, item);
	changeContract(work, contract, { note, activationStartAt, activationEndAt });
	deleteAmendment(work, contract);
}
