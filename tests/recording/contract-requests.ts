import type { ContractAct } from "../simulated-subscriptions/contracts/requests";
import type { Request } from "./plan";

/** Returns the requests of a contract's act. A dry run precedes each publication. */
export function contractRequests(customerId: string, contract: string, act: ContractAct): Request[] {
	const request = requestOf(customerId, contract, act);
	return act.do === "publish contract" ? [{ ...request, path: `${request.path}?dryRun=true` }, request] : [request];
}

function requestOf(customerId: string, contract: string, act: ContractAct): Request {
	const billing = `/contracts/${contract}/billing`;
	const invoiceOf = (nth: number) => `/customers/${customerId}/invoices/{invoice:${customerId}:${nth}}`;
	switch (act.do) {
		case "draft": {
			const { planId, billingPeriod, isUnpaid, ...terms } = act.body;
			const newSubscription = {
				id: `${customerId}-on-deal`,
				customerId,
				planId,
				...(billingPeriod && { billingPeriod }),
				...(isUnpaid && { paymentCollectionMethod: "NONE" }),
			};
			const subscriptions = [{ newSubscription }];
			return {
				method: "POST",
				path: "/contracts",
				body: { ...terms, customerId, contractId: contract, subscriptions },
			};
		}
		case "add items":
			return { method: "POST", path: `${billing}/items`, body: act.body };
		case "replace rows":
			return { method: "PATCH", path: `${billing}/items/${act.item}`, body: { rows: act.rows } };
		case "remove row":
			return { method: "DELETE", path: `${billing}/items/${act.item}/rows/${act.row}` };
		case "remove item":
			return { method: "DELETE", path: `${billing}/items/${act.item}` };
		case "change terms":
			return { method: "PATCH", path: `${billing}/terms`, body: act.body };
		case "set renewal":
			return { method: "PATCH", path: `/contracts/${contract}`, body: { renewal: act.body } };
		case "publish contract":
			return { method: "POST", path: `${billing}/publish` };
		case "amend":
			return {
				method: "POST",
				path: `${billing}/edit-active`,
				body: { includeCurrentInvoice: act.includeCurrentInvoice },
			};
		case "discard":
			return { method: "DELETE", path: `${billing}/edit-active` };
		case "cancel billing":
			return { method: "POST", path: `${billing}/cancel` };
		case "archive":
			return { method: "POST", path: `/contracts/${contract}/archive` };
		case "pay part":
		case "refund":
			return {
				method: "POST",
				path: `${invoiceOf(act.invoice)}/payments`,
				body: { amount: act.amount, kind: act.do === "refund" ? "REFUND" : "PAYMENT" },
			};
		case "credit part":
			return { method: "POST", path: `${invoiceOf(act.invoice)}/credit-note`, body: act.body };
	}
}
