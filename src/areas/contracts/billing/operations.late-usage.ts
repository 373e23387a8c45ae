import type { LateUsageOf } from "../../invoices/drafts/operations";
import { lateUsageOfSubscription } from "../../subscriptions/billing/operations.late-usage";
import { billingPhase } from "../rules.states";
import { selectItems } from "../store.billing";
import { lateLines } from "./issue";
import { isPayAsYouGo } from "./rules.schedule";
import { cyclesOfInvoice, selectContract } from "./store";

/** What has come late of the usage that a draft bills, a subscription's or a contract's; recorded as billed. */
export const lateUsageOf: LateUsageOf = (work, draft) => {
	if (draft.subscriptionId !== null) return lateUsageOfSubscription(work, draft);
	const contract = draft.contractId === null ? undefined : selectContract(work, draft.contractId);
	// What is amended is billed as it was agreed before, or will be: by the next invoice.
	if (!contract || billingPhase(contract) === "AMENDING") return [];
	const billed = new Set(cyclesOfInvoice(work, draft.id).map(({ itemId }) => itemId));
	const items = selectItems(work, contract).filter(
		(item) => isPayAsYouGo(item) && billed.has(item.id) && item.currency === draft.currency,
	);
	return lateLines(work, contract, items);
};
