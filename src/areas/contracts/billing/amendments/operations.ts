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
 * Opens items, rows, terms and settings of a live contract for change; no invoice is issued until `publishContract`
 * puts the amendment into force (docs/interface/contracts.md). With `includeCurrentInvoice` the invoices of running
 * cycles are then credited and issued again. ContractNotFound, and the codes of the table of states.
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

/** The most due dates that the call invoices, as in publishing. */
const stepsPerCallMax = 100;

/** Invoices due cycles by the former terms. A step that fails does not reject the call, which may remove the cause. */
export function issueWhatIsDue(work: Work, { id, problem }: ContractRow): void {
	if (problem === null) runContractSteps(work, id, stepsPerCallMax);
}

/**
 * Discards an amendment: the former items are in force again, and invoices that became due meanwhile are issued and
 * dated now. ContractNotFound, and the codes of the table of states.
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

/** Restores the state before an amendment; without one nothing changes. */
export function restoreInForce(work: Work, contract: ContractRow): void {
	const amendment = findAmendment(work, contract);
	if (!amendment) return;
	const { items, note, activationStartAt, activationEndAt } = amendment;
	const kept = new Set(items.map(({ id }) => id));
	for (const item of selectItems(work, contract)) if (!kept.has(item.id)) removeItem(work, item);
	for (const item of items) restoreItem(work, item);
	changeContract(work, contract, { note, activationStartAt, activationEndAt });
	deleteAmendment(work, contract);
}
