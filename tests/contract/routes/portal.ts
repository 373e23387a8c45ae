import { catalogueRead, none, ofCustomer, type Template } from "./template";

const order = {
	...{ customerId: "acme", planId: "pro", billingPeriod: "MONTHLY" },
	...{ successUrl: "https://app.example/yes", cancelUrl: "https://app.example/no" },
};

const signed = { publishable: "with the customer's id signed" } as const;

/** The routes that sellers call; the routes that customers call are in tests/areas/portal. */
export const portal: Record<string, Template> = {
	"GET /paywall": {
		path: "/paywall",
		...catalogueRead,
		unknown: [[`/paywall?productId=${none}`, "ProductNotFoundError"]],
		foreign: "its own",
	},
	"GET /customers/:id/portal": {
		...ofCustomer("/portal"),
		...{ scope: "CUSTOMER:READ", also: "SUBSCRIPTION:READ", ...signed },
	},
	"GET /customers/:id/portal/invoices": {
		...ofCustomer("/portal/invoices"),
		...{ scope: "INVOICE:READ", also: "CUSTOMER:READ", ...signed },
	},
	"GET /customers/:id/portal/receipts": {
		...ofCustomer("/portal/receipts"),
		...{ scope: "INVOICE:READ", also: "CUSTOMER:READ", ...signed },
	},
	"GET /customers/:id/portal/invoices/:invoiceId/pdf": {
		...ofCustomer("/portal/invoices/{invoice}/pdf"),
		...{ scope: "INVOICE:READ", also: "CUSTOMER:READ", ...signed },
	},
	"GET /customers/:id/portal/receipts/:receiptId/pdf": {
		path: "/customers/parent/portal/receipts/{receipt}/pdf",
		unknown: [
			[`/customers/${none}/portal/receipts/{receipt}/pdf`, "CustomerNotFound"],
			[`/customers/parent/portal/receipts/${none}/pdf`, null],
		],
		...{ scope: "INVOICE:READ", also: "CUSTOMER:READ", ...signed },
	},
	"POST /customers/:id/portal-sessions": {
		...ofCustomer("/portal-sessions"),
		...{ scope: "CUSTOMER:WRITE", also: "SUBSCRIPTION:WRITE" },
		body: { returnUrl: "https://app.example/" },
		// It shows invoices, too: a third scope (tests/areas/portal).
		answers: [403, "AccessDeniedError"],
	},
	"GET /products/:id/portal-settings": {
		path: "/products/app/portal-settings",
		scope: "CATALOG:READ",
		unknown: [[`/products/${none}/portal-settings`, "ProductNotFoundError"]],
	},
	"PATCH /products/:id/portal-settings": {
		path: "/products/app/portal-settings",
		scope: "CATALOG:WRITE",
		body: { cancel: true },
		unknown: [[`/products/${none}/portal-settings`, "ProductNotFoundError"]],
	},
	"POST /checkout-sessions": {
		path: "/checkout-sessions",
		...{ scope: "SUBSCRIPTION:WRITE", also: "CUSTOMER:WRITE" },
		body: order,
		unknown: [["/checkout-sessions", "CustomerNotFound", { ...order, customerId: none }]],
	},
	"GET /checkout-sessions/:id": {
		path: "/checkout-sessions/{checkout}",
		scope: "SUBSCRIPTION:READ",
		// The catalogue has no code for it.
		unknown: [[`/checkout-sessions/${none}`, null]],
	},
};
