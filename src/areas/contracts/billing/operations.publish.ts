import type { Work } from "../../../kernel/work";
import { getContract } from "../operations";
import { assertPublishable, assertSchedulable } from "../rules";
import { nextPhase } from "../rules.states";
import { type StatedContract, setBillingPhase } from "../store";
import { selectItems } from "../store.billing";
import { planNext, runContractSteps } from "./operations.due";
import { markPublished } from "./store";
import { netTermsOf } from "./terms";

/** Our choice: so many due dates are invoiced within the call; what has gathered beyond, the sweep issues right after it. */
const stepsPerCallMax = 100;

/**
 * Draft to live. The lines are fixed from here on; what is due is issued now, dated now, each for its own period, and the rest
 * when its time comes. Source: docs/interface/contracts.md.
 */
export function publishContract(work: Work, refId: string): StatedContract {
	const contract = getContract(work, refId);
	const items = selectItems(work, contract);
	assertPublishable(contract, items, netTermsOf(work));
	assertSchedulable(refId, items);
	setBillingPhase(work, contract, nextPhase(contract, "publish"));
	markPublished(work, contract);
	planNext(work, contract);
	runContractSteps(work, contract.id, stepsPerCallMax);
	return getContract(work, refId);
}
