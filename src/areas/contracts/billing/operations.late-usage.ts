import { periodsOfInvoice } from "../../billing/operations";
import { isConsolidated } from "../../invoices/consolidated/operations";
import type { LateUsageOf } from "../../invoices/drafts/operations";
import { lateUsageOfSubscription } from "../../subscriptions/billing/operations.late-usage";
import { billingPhase } from "../rules.states";
import { selectItems } from "../store.billing";
import { lateLines } from "./issue";
import { selectContract } from "./store";

/** Returns the late usage for a draft of a subscription or a contract, and records it as billed. */
export const lateUsageOf: LateUsageOf = (work, draft) => {
	if (draft.subscriptionId !== null || isConsolidated(work, draft)) return lateUsageOfSubscription(work, draft);
	const contract = draft.contractId === null ? undefined : selectContract(work, draft.contractId);
	// The next invoice bills a contract under amendment, by the terms before or after it.
	if (!contract || billingPhase(contract) === "AMENDING") return [];
	const billed = new Set(periodsOfInvoice(work, draft.id).map(({ charge }) => charge.key));
	const items = selectItems(work, contract).filter(({ id, currency }) => billed.has(id) && currency === draft.currency);
	return lateLines(work, contract, items, draft);
};
