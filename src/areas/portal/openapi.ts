import { operation } from "../../openapi/operation";

const customer = { id: ["The customer's id", "customer-acme"] } as const;
const product = { id: ["The product's id", "product-atlas"] } as const;
const subscription = { id: "The subscription's id, which the overview answers" } as const;

const signed =
	"A publishable key must send the signed customer id (`X-CUSTOMER-TOKEN`), with or without client hardening. Ours.";

const receiptPdfUncoded = {
	404: "The customer has no such receipt.",
	503: "The PDF is not rendered yet. Retry after `Retry-After`.",
};

/** Errors of sales and changes that a customer can cause. */
const ofSale = [
	"PlanNotFound",
	"AddonNotFound",
	"InvalidQuantity",
	"BillingPeriodMissingError",
	"IncompatibleSubscriptionAddon",
	"AddonDependencyMissingError",
	"AddonQuantityExceedsLimitError",
	"InvalidArgumentError",
] as const;
const ofChange = ["SubscriptionNotFound", "AccessDeniedError", "SubscriptionAlreadyCanceledOrExpired"] as const;

export const portalOperations = {
	startSession: operation({
		operationId: "customers.createPortalSession",
		summary: "Create a link to a customer's portal",
		description:
			"Anybody who has the link can use the portal as this customer, for one hour by default. Create a link when the customer asks for it. Ours.",
		path: customer,
		example: { returnUrl: "https://app.example.com/settings" },
		refusals: ["CustomerNotFound", "EntityIsArchivedError"],
	}),
	shown: operation({
		operationId: "customers.retrievePortal",
		summary: "Retrieve the portal of a customer",
		description: `Returns the content of the portal page, for a widget in your own page. ${signed}`,
		path: customer,
		refusals: ["CustomerNotFound", "EntityIsArchivedError"],
	}),
	shownInvoices: operation({
		operationId: "customers.listPortalInvoices",
		summary: "List the invoices of a customer",
		description: `Newest first, without drafts. ${signed}`,
		path: customer,
		refusals: ["CustomerNotFound", "EntityIsArchivedError"],
	}),
	shownReceipts: operation({
		operationId: "customers.listPortalReceipts",
		summary: "List the payments of a customer",
		description: `Payments, refunds and returns, newest first. ${signed}`,
		path: customer,
		refusals: ["CustomerNotFound", "EntityIsArchivedError"],
	}),
	shownInvoicePdf: operation({
		operationId: "customers.retrievePortalInvoicePdf",
		summary: "Download an invoice of a customer",
		description: `Tollgate renders the PDF on the first request. ${signed}`,
		path: { ...customer, invoiceId: "The invoice's id, from the list" },
		answer: { description: "The document.", contentType: "application/pdf" },
		refusals: ["CustomerNotFound", "EntityIsArchivedError", "InvoiceNotFound"],
		uncoded: { 503: "The PDF is not rendered yet. Retry after `Retry-After`." },
	}),
	shownReceiptPdf: operation({
		operationId: "customers.retrievePortalReceiptPdf",
		summary: "Download a receipt of a customer",
		description: `Tollgate renders the PDF on the first request. ${signed}`,
		path: { ...customer, receiptId: "The receipt's id, from the list" },
		answer: { description: "The document.", contentType: "application/pdf" },
		refusals: ["CustomerNotFound", "EntityIsArchivedError"],
		uncoded: receiptPdfUncoded,
	}),
	settings: operation({
		operationId: "products.retrievePortalSettings",
		summary: "Retrieve the portal settings of a product",
		description:
			"The settings say which changes customers may make to subscriptions of this product. All are allowed by default. Ours.",
		path: product,
		refusals: ["ProductNotFoundError"],
	}),
	updateSettings: operation({
		operationId: "products.updatePortalSettings",
		summary: "Update the portal settings of a product",
		description: "Omitted settings stay unchanged. Customers can never change contracts and custom plans. Ours.",
		path: product,
		example: { cancel: false },
		refusals: ["ProductNotFoundError"],
	}),
	overview: operation({
		operationId: "portal.retrieve",
		summary: "Retrieve the customer's page",
		description:
			"Returns subscriptions with the changes that the customer may make, usage against limits, and billing details. Ours.",
	}),
	branding: operation({
		operationId: "portal.retrieveBranding",
		summary: "Retrieve the branding of the page",
		description: "Returns name, color and logo of the legal entity that invoices the customer. Ours.",
	}),
	options: operation({
		operationId: "portal.listOptions",
		summary: "List the plans and addons for a change",
		description:
			"Lists the published plans and addons of its product, except those of pricing type CUSTOM, in the prices that this customer pays. A change may choose from this list only. Ours.",
		path: subscription,
		refusals: ["SubscriptionNotFound"],
	}),
	preview: operation({
		operationId: "portal.previewChange",
		summary: "Preview the cost of a change",
		description:
			"Changes nothing. Send the returned `offer` with the change, so that Tollgate rejects it if the price has changed. Ours.",
		path: subscription,
		example: { quantities: [{ featureId: "feature-seats", quantity: 12 }] },
		refusals: [...ofChange, ...ofSale],
	}),
	change: operation({
		operationId: "portal.changeSubscription",
		summary: "Change a subscription",
		description:
			"Changes plan, billing period, quantities or addons. Omitted values stay unchanged. Upgrades take effect at once, downgrades at the time that the product sets. Ours.",
		path: subscription,
		example: { quantities: [{ featureId: "feature-seats", quantity: 12 }] },
		refusals: [...ofChange, ...ofSale],
	}),
	cancel: operation({
		operationId: "portal.cancelSubscription",
		summary: "Cancel a subscription",
		description:
			"Takes effect at the end of the paid period, or at once if nothing is paid or the product says so. Ours.",
		path: subscription,
		refusals: ofChange,
	}),
	keep: operation({
		operationId: "portal.keepSubscription",
		summary: "Undo the customer's own cancellation",
		description:
			"Works until the cancellation takes effect. A cancellation by the seller answers `AccessDeniedError`: only the seller undoes it. Ours.",
		path: subscription,
		refusals: ofChange,
	}),
	updateBilling: operation({
		operationId: "portal.updateBilling",
		summary: "Change name, email, address and tax numbers",
		description: "Omitted values stay unchanged, null removes a value. Future invoices show the new details. Ours.",
		example: { address: { line1: "1 Main Street", city: "Springfield", postalCode: "12345", country: "US" } },
		refusals: ["InvalidAddressError", "InvalidTaxId"],
	}),
	invoices: operation({
		operationId: "portal.listInvoices",
		summary: "List the customer's invoices",
		description: "Newest first, without drafts. Ours.",
	}),
	receipts: operation({
		operationId: "portal.listReceipts",
		summary: "List the customer's payments",
		description: "Payments, refunds and returns, newest first. Ours.",
	}),
	invoicePdf: operation({
		operationId: "portal.retrieveInvoicePdf",
		summary: "Download an invoice",
		description: "Tollgate renders the PDF on the first request. Ours.",
		path: { invoiceId: "The invoice's id, from the list" },
		answer: { description: "The document.", contentType: "application/pdf" },
		refusals: ["InvoiceNotFound"],
		uncoded: { 503: "The PDF is not rendered yet. Retry after `Retry-After`." },
	}),
	receiptPdf: operation({
		operationId: "portal.retrieveReceiptPdf",
		summary: "Download a receipt",
		description: "Tollgate renders the PDF on the first request. Ours.",
		path: { receiptId: "The receipt's id, from the list" },
		answer: { description: "The document.", contentType: "application/pdf" },
		uncoded: receiptPdfUncoded,
	}),
	endSession: operation({
		operationId: "portal.signOut",
		summary: "End the link",
		description: "The link stops working. Ours.",
	}),
};

export const checkoutOperations = {
	start: operation({
		operationId: "checkoutSessions.create",
		summary: "Create a link to an order",
		description:
			"The customer sees the order and its price, enters billing details and confirms. Tollgate then provisions the subscription once. Orders that cannot be sold are rejected here. Ours.",
		example: {
			customerId: "customer-acme",
			planId: "plan-pro",
			billingPeriod: "MONTHLY",
			successUrl: "https://app.example.com/welcome",
			cancelUrl: "https://app.example.com/pricing",
			allowPromoCodes: true,
			collectBillingAddress: true,
			allowTaxIdCollection: true,
		},
		refusals: ["CustomerNotFound", "EntityIsArchivedError", "CouponNotFound", "ArchivedCouponCantBeApplied", ...ofSale],
	}),
	retrieve: operation({
		operationId: "checkoutSessions.retrieve",
		summary: "Retrieve a checkout session",
		description: "A confirmed order is `COMPLETED` and has its subscription. Ours.",
		path: { id: "The checkout's id, from its creation" },
		uncoded: { 404: "There is no such checkout." },
	}),
	read: operation({
		operationId: "checkout.retrieve",
		summary: "Retrieve the order",
		description: "Returns the order and the details that the page asks for. Ours.",
		refusals: ["PlanNotFound", "AddonNotFound", "EntityIsArchivedError"],
	}),
	branding: operation({
		operationId: "checkout.retrieveBranding",
		summary: "Retrieve the branding of the checkout",
		description: "Returns name, color and logo of the legal entity that invoices the customer. Ours.",
	}),
	preview: operation({
		operationId: "checkout.preview",
		summary: "Preview the cost of the order",
		description: "Uses the address and code that the customer has entered so far. Saves nothing. Ours.",
		example: { address: { country: "DE" } },
		refusals: ["CouponNotFound", "ArchivedCouponCantBeApplied", "InvalidAddressError", "InvalidTaxId", ...ofSale],
	}),
	confirm: operation({
		operationId: "checkout.confirm",
		summary: "Confirm the order",
		description:
			"Provisions the subscription and saves the billing details in one transaction. A repeated confirmation returns the same result. Ours.",
		example: { offer: "5b1f…", address: { line1: "1 Main Street", city: "Berlin", country: "DE" } },
		refusals: ["CouponNotFound", "ArchivedCouponCantBeApplied", "InvalidAddressError", "InvalidTaxId", ...ofSale],
	}),
};
