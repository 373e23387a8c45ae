/** Runs the calls of a contract by Tollgate's own operations. */

import { discardAmendment, openAmendment } from "../../../src/areas/contracts/billing/amendments/operations";
import { publishContract } from "../../../src/areas/contracts/billing/operations.publish";
import { cancelBilling } from "../../../src/areas/contracts/billing/operations.state";
import { EditActive } from "../../../src/areas/contracts/billing/schema";
import { createContract } from "../../../src/areas/contracts/operations";
import {
	addItems,
	deleteItem,
	deleteItemRow,
	getBillingSummary,
	replaceItemRows,
} from "../../../src/areas/contracts/operations.billing";
import { archiveContract, updateContract } from "../../../src/areas/contracts/operations.changes";
import { changeTerms } from "../../../src/areas/contracts/operations.terms";
import {
	BillingTerms,
	ContractCreate,
	ContractUpdate,
	ItemsAdd,
	ItemUpdate,
} from "../../../src/areas/contracts/schema";
import { InvoiceCredit } from "../../../src/areas/invoices/credit-notes/schema";
import { creditManually } from "../../../src/areas/subscriptions/lifecycle/operations.credit";
import { payOneInvoice } from "../../../src/areas/subscriptions/lifecycle/operations.payment";
import { toDecimal } from "../../../src/kernel/decimal";
import type { Work } from "../../../src/kernel/work";
import { assertSchema } from "../assert-schema";
import { contractRef } from "./oracle";
import type { ContractAct } from "./requests";

export interface Signer {
	readonly customerId: string;
	/** Returns the environment's id for an id of the history. */
	readonly own: (ref: string) => string;
	/** The row of the nth issued invoice. */
	readonly invoiceId: (nth: number) => string;
}

export function runContractAct(work: Work, { customerId, own, invoiceId }: Signer, act: ContractAct): void {
	const contract = own(contractRef);
	switch (act.do) {
		case "draft": {
			const { planId, billingPeriod, isUnpaid, ...body } = act.body;
			const newSubscription = {
				id: own("on-deal"),
				customerId,
				planId,
				...(billingPeriod && { billingPeriod }),
				...(isUnpaid && { paymentCollectionMethod: "NONE" as const }),
			};
			const subscriptions = [{ newSubscription }];
			createContract(work, assertSchema(ContractCreate, { ...body, customerId, contractId: contract, subscriptions }));
			return;
		}
		case "add items":
			addItems(work, contract, assertSchema(ItemsAdd, act.body));
			return;
		case "replace rows":
			replaceItemRows(work, contract, act.item, assertSchema(ItemUpdate, { rows: act.rows }).rows);
			return;
		case "remove row":
			deleteItemRow(work, contract, act.item, act.row);
			return;
		case "remove item":
			deleteItem(work, contract, act.item);
			return;
		case "change terms":
			changeTerms(work, contract, assertSchema(BillingTerms, act.body));
			return;
		case "set renewal":
			updateContract(work, contract, assertSchema(ContractUpdate, { renewal: act.body }));
			return;
		case "publish contract":
			publishContract(work, contract);
			return;
		case "amend":
			openAmendment(work, contract, assertSchema(EditActive, { includeCurrentInvoice: act.includeCurrentInvoice }));
			return;
		case "discard":
			discardAmendment(work, contract);
			return;
		case "cancel billing":
			cancelBilling(work, contract);
			return;
		case "archive":
			archiveContract(work, contract);
			return;
		case "pay part":
		case "refund":
			payOneInvoice(work, invoiceId(act.invoice), {
				kind: act.do === "refund" ? "REFUND" : "PAYMENT",
				amount: toDecimal(act.amount),
				method: "OTHER",
				reference: null,
				note: null,
				paidAt: work.now,
			});
			return;
		case "credit part":
			creditManually(work, customerId, invoiceId(act.invoice), assertSchema(InvoiceCredit, act.body));
	}
}

export function agreedOf(work: Work, own: Signer["own"]): { phase: string | null; total: string; currency: string } {
	const { contract, totals } = getBillingSummary(work, own(contractRef));
	return { phase: contract.billingState, total: totals.total, currency: totals.currency };
}
