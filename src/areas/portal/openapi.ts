import { operation } from "../../openapi/operation";

const customer = { id: ["The customer's id", "customer-acme"] } as const;
const product = { id: ["The product's id", "product-atlas"] } as const;
const subscription = { id: "The subscription's id, which the overview answers" } as const;

const signed =
	"A publishable key sends the customer's id signed (`X-CUSTOMER-TOKEN`), whether client hardening is on or not. Ours.";

/** What a sale or a change may be refused for, as far as a customer can cause it. */
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
		summary: "Make a link to a customer's portal",
		description:
			"Whoever has the link sees and changes what the portal shows of this customer, for an hour, or as long as is said. Make one when the customer asks for it. Ours.",
		path: customer,
		example: { returnUrl: "https://app.example.com/settings" },
		refusals: ["CustomerNotFound", "EntityIsArchivedError"],
	}),
	shown: operation({
		operationId: "customers.retrievePortal",
		summary: "Show a customer what it has",
		description: `What the page of its link shows, to be shown within a page of yours. ${signed}`,
		path: customer,
		refusals: ["CustomerNotFound", "EntityIsArchivedError"],
	}),
	shownInvoices: operation({
		operationId: "customers.listPortalInvoices",
		summary: "Show a customer its invoices",
		description: `Newest first, without drafts. ${signed}`,
		path: customer,
		refusals: ["CustomerNotFound", "EntityIsArchivedError"],
	}),
	shownInvoicePdf: operation({
		operationId: "customers.retrievePortalInvoicePdf",
		summary: "Let a customer download an invoice",
		description: `Drawn when it is first asked for. ${signed}`,
		path: { ...customer, invoiceId: "The invoice's id, which the list answers" },
		answer: { description: "The document.", contentType: "application/pdf" },
		refusals: ["CustomerNotFound", "EntityIsArchivedError", "InvoiceNotFound"],
		uncoded: { 503: "It is not drawn yet; ask again after `Retry-After`." },
	}),
	settings: operation({
		operationId: "products.retrievePortalSettings",
		summary: "Show what customers may change by themselves",
		description: "Of subscriptions to this product, in the portal. All of it, until something else is set. Ours.",
		path: product,
		refusals: ["ProductNotFoundError"],
	}),
	updateSettings: operation({
		operationId: "products.updatePortalSettings",
		summary: "Set what customers may change by themselves",
		description: "What is left out stays. Contracts and custom plans are never the customer's to change. Ours.",
		path: product,
		example: { cancel: false },
		refusals: ["ProductNotFoundError"],
	}),
	overview: operation({
		operationId: "portal.retrieve",
		summary: "Show the customer's own page",
		description:
			"Subscriptions, usage against limits, billing details; with what the customer may change of each. Ours.",
	}),
	branding: operation({
		operationId: "portal.retrieveBranding",
		summary: "Show whose page it is",
		description: "Name, colour and logo of the legal entity that invoices the customer. Ours.",
	}),
	options: operation({
		operationId: "portal.listOptions",
		summary: "List what a subscription may be changed to",
		description:
			"Lists the published plans and addons of its product, except those of pricing type CUSTOM, in the prices that this customer pays. A change may choose from this list only. Ours.",
		path: subscription,
		refusals: ["SubscriptionNotFound"],
	}),
	preview: operation({
		operationId: "portal.previewChange",
		summary: "Show what a change would cost",
		description:
			"Nothing is done. `offer` goes along with the change, so that nothing else is charged than was shown. Ours.",
		path: subscription,
		example: { quantities: [{ featureId: "feature-seats", quantity: 12 }] },
		refusals: [...ofChange, ...ofSale],
	}),
	change: operation({
		operationId: "portal.changeSubscription",
		summary: "Change a subscription",
		description:
			"Its plan, billing period, quantities and addons; what is left out stays. Upgrades take effect at once, downgrades when the product says. Ours.",
		path: subscription,
		example: { quantities: [{ featureId: "feature-seats", quantity: 12 }] },
		refusals: [...ofChange, ...ofSale],
	}),
	cancel: operation({
		operationId: "portal.cancelSubscription",
		summary: "Cancel a subscription",
		description: "At the end of what is paid, or at once where nothing is or the product says so. Ours.",
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
		description: "What is left out stays, null takes away. Invoices from now on show it. Ours.",
		example: { address: { line1: "1 Main Street", city: "Springfield", postalCode: "12345", country: "US" } },
		refusals: ["InvalidAddressError", "InvalidTaxId"],
	}),
	invoices: operation({
		operationId: "portal.listInvoices",
		summary: "List the customer's invoices",
		description: "Newest first, without drafts. Ours.",
	}),
	invoicePdf: operation({
		operationId: "portal.retrieveInvoicePdf",
		summary: "Download an invoice",
		description: "Drawn when it is first asked for. Ours.",
		path: { invoiceId: "The invoice's id, which the list answers" },
		answer: { description: "The document.", contentType: "application/pdf" },
		refusals: ["InvoiceNotFound"],
		uncoded: { 503: "It is not drawn yet; ask again after `Retry-After`." },
	}),
	endSession: operation({
		operationId: "portal.signOut",
		summary: "End the link",
		description: "It opens nothing any more. Ours.",
	}),
};

export const checkoutOperations = {
	start: operation({
		operationId: "checkoutSessions.create",
		summary: "Make a link to an order",
		description:
			"The customer sees the order and what it costs, says who is invoiced, and confirms; then the subscription is provisioned, once. What could not be sold is refused here. Ours.",
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
		summary: "Show an order that was sent to its customer",
		description: "`COMPLETED` with its subscription once it is confirmed. Ours.",
		path: { id: "The checkout's id, which making it answers" },
		uncoded: { 404: "There is no such checkout." },
	}),
	read: operation({
		operationId: "checkout.retrieve",
		summary: "Show the order to its customer",
		description: "What is ordered, and what the page asks for. Ours.",
		refusals: ["PlanNotFound", "AddonNotFound", "EntityIsArchivedError"],
	}),
	branding: operation({
		operationId: "checkout.retrieveBranding",
		summary: "Show who sells",
		description: "Name, colour and logo of the legal entity that invoices the customer. Ours.",
	}),
	preview: operation({
		operationId: "checkout.preview",
		summary: "Show what the order costs",
		description: "With the address and the code that the customer has entered so far; nothing is kept. Ours.",
		example: { address: { country: "DE" } },
		refusals: ["CouponNotFound", "ArchivedCouponCantBeApplied", "InvalidAddressError", "InvalidTaxId", ...ofSale],
	}),
	confirm: operation({
		operationId: "checkout.confirm",
		summary: "Confirm the order",
		description:
			"Provisions the subscription and keeps the billing details, all or nothing; confirmed again, it answers the same. Ours.",
		example: { offer: "5b1f…", address: { line1: "1 Main Street", city: "Berlin", country: "DE" } },
		refusals: ["CouponNotFound", "ArchivedCouponCantBeApplied", "InvalidAddressError", "InvalidTaxId", ...ofSale],
	}),
};
