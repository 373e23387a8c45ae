import { none, ofCustomer, type Template } from "./template";

const ofConnection = (tail: string) => ({
	path: `/provider-connections/{connection}${tail}`,
	unknown: [[`/provider-connections/${none}${tail}`, "IntegrationNotFound"]] as const,
});

const path = "/provider-connections";
const body = { kind: "STRIPE", name: "Cards", mode: "TEST", secretKey: "sk_test_1" };

const ofAttempt = (tail: string) => ({
	path: `/attempts/{attempt}${tail}`,
	unknown: [[`/attempts/${none}${tail}`, null]] as const,
});

const ofMethod = (list: string) => ({
	...ofCustomer(`/${list}/{method}`, `/customers/parent/${list}/{method}`),
});

const urls = { successUrl: "https://example.com/saved", cancelUrl: "https://example.com/back" };
/** The route above has connected further accounts. */
const several = [400, "InvalidArgumentError"] as const;
/** The attempt of the scenario has FAILED. */
const ended = [404, "BillingInvoiceStatusError"] as const;

export const collection: Record<string, Template> = {
	"GET /provider-connections": { path, scope: "ENVIRONMENT:READ", foreign: "an empty list" },
	"POST /provider-connections": { path, scope: "ENVIRONMENT:WRITE", body, foreign: "its own" },
	"GET /provider-connections/:id": { ...ofConnection(""), scope: "ENVIRONMENT:READ" },
	"PATCH /provider-connections/:id": { ...ofConnection(""), scope: "ENVIRONMENT:WRITE", body: { name: "Wallets" } },
	"GET /customers/:id/payment-methods": { ...ofCustomer("/payment-methods"), scope: "CUSTOMER:READ" },
	"POST /customers/:id/payment-methods": {
		...ofCustomer("/payment-methods"),
		...{ scope: "CUSTOMER:WRITE", body: { paymentMethodId: "pm_acme" }, answers: several },
	},
	"POST /customers/:id/payment-methods/setup": {
		...ofCustomer("/payment-methods/setup"),
		...{ scope: "CUSTOMER:WRITE", body: urls, answers: several },
	},
	"GET /customers/:id/payment-methods/setup/:pageId": {
		...ofCustomer("/payment-methods/setup/{methodPage}", "/customers/parent/payment-methods/setup/{methodPage}"),
		scope: "CUSTOMER:READ",
	},
	"POST /customers/:id/default-payment-method/:methodId": {
		...ofMethod("default-payment-method"),
		scope: "CUSTOMER:WRITE",
	},
	// The attempts of the scenario have charged it; it can be removed all the same.
	"DELETE /customers/:id/payment-methods/:methodId": { ...ofMethod("payment-methods"), scope: "CUSTOMER:WRITE" },
	"GET /attempts": { path: "/attempts", scope: "INVOICE:READ", foreign: "an empty list" },
	"POST /attempts": {
		...{ path: "/attempts", scope: "INVOICE:WRITE", body: { invoiceId: none } },
		answers: [404, "InvoiceNotFound"],
		unknown: [["/attempts", "InvoiceNotFound", { invoiceId: none }]],
	},
	"GET /attempts/:id": { ...ofAttempt(""), scope: "INVOICE:READ" },
	"POST /attempts/:id/cancel": { ...ofAttempt("/cancel"), scope: "INVOICE:WRITE", answers: ended },
	"POST /attempts/:id/resolve": {
		...ofAttempt("/resolve"),
		...{ scope: "INVOICE:WRITE", body: { outcome: "FAILED" }, answers: ended },
	},
	"GET /refunds": { path: "/refunds", scope: "INVOICE:READ", foreign: "an empty list" },
	// No receipt of the scenario is that of a charge.
	"POST /refunds": {
		...{ path: "/refunds", scope: "INVOICE:WRITE", body: { receiptId: none } },
		answers: [404, null],
		unknown: [["/refunds", null, { receiptId: none }]],
	},
	"GET /refunds/:id": {
		...{ path: "/refunds/{refund}", scope: "INVOICE:READ" },
		unknown: [[`/refunds/${none}`, null]] as const,
	},
	// The last one: an archived connection cannot be changed.
	"POST /provider-connections/:id/archive": { ...ofConnection("/archive"), scope: "ENVIRONMENT:WRITE" },
};
