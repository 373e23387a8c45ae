import type { LateUsageOf } from "../../invoices/drafts/operations";
import { lateUsageOfSubscription } from "../../subscriptions/billing/operations.late-usage";
import { billingPhase } from "../rules.states";
import { selectItems } from "../store.billing";
import { lateLines } from "./issue";
import { isPayAsYouGo } from "./rules.schedule";
import { cyclesOfInvoice, selectContract } from "./store";

/** Returns the late usage for a draft of a subscription or a contract, and records it as billed. */
export const lateUsageOf: LateUsageOf = (work, draft) => {
	if (draft.subscriptionId !== null) return lateUsageOfSubscription(work, draft);
	const contract = draft.contractId === null ? undefined : selectContract(work, draft.contractId);
	// The next invoice bills a contract under amendment, by the terms before or after it.
	if (!contract || billingPhase(contract) === "AMENDING") return [];
	const billed = new Set(cyclesOfInvoice(work, draft.id).map(({ itemId }) => itemId));
	const items = selectItems(work, contract).filter(
		(item) => isPayAsYouGo(item) && billed.has(item.id) && item.currency === draft.currency,
	);
	return lateLines(work, contract, items);
};
