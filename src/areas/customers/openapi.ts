import { operation } from "../../openapi/operation";

const path = { id: ["The customer's id", "customer-acme"] } as const;
const link = { ...path, integrationId: ["The link's id", "crm"] } as const;

export const customerOperations = {
	list: operation({
		operationId: "customers.list",
		summary: "List customers",
		query: {
			email: "Only customers with this email address",
			name: "Only customers with this name",
			couponId: "Only customers that have this coupon",
			parentCustomerId: "Only customers that belong to this customer",
			search: "Only customers whose id, name or email address begins so",
		},
		refusals: ["CouponNotFound", "CustomerNotFound"],
	}),
	provision: operation({
		operationId: "customers.provision",
		summary: "Create a customer",
		description:
			"It begins with the start plan of each product whose settings say FREE_PLAN or TRIAL_PERIOD. `parentCustomerId` names the customer that it belongs to, such as the parent company; there is one level. With `billsTo: PARENT` the parent pays for its subscriptions that name no `payingCustomerId`. With `invoiceGrouping: CONSOLIDATED` the subscriptions that it pays share an invoice if they fall due together.",
		example: { id: "customer-vandelay", name: "Vandelay Industries", email: "billing@vandelay.example" },
		refusals: [
			"CouponNotFound",
			"DuplicatedEntityNotAllowed",
			"CustomerNotFound",
			"EntityIsArchivedError",
			"InvalidArgumentError",
		],
	}),
	import: operation({
		operationId: "customers.import",
		summary: "Import customers",
		description:
			"Up to 1000 at once, all or none. Existing ones are updated unless what is known is newer than `updatedAt`. Nothing is sold to them.",
		example: {
			customers: [{ id: "customer-moved", name: "Moved Ltd", email: null, updatedAt: "2026-01-01T00:00:00Z" }],
		},
		refusals: ["IntegrationNotFound", "CustomerNotFound", "EntityIsArchivedError", "InvalidArgumentError"],
	}),
	retrieve: operation({
		operationId: "customers.retrieve",
		summary: "Show a customer",
		path,
		refusals: ["CustomerNotFound"],
	}),
	update: operation({
		operationId: "customers.update",
		summary: "Change a customer",
		description:
			"What is left out stays; null takes a value away. `parentCustomerId` and `billsTo` apply from now on: to the next invoices, and to usage from then on.",
		path,
		example: { email: "invoices@acme.example", timezone: "Europe/Berlin" },
		refusals: ["CustomerNotFound", "CouponNotFound", "EntityIsArchivedError", "InvalidArgumentError"],
	}),
	archive: operation({
		operationId: "customers.archive",
		summary: "Archive a customer",
		description:
			"Its subscriptions end, and its name and email address are taken away. Refused while paid or custom ones run, or while it is the parent of a customer that is not archived.",
		path: { id: ["The customer's id", "customer-tyrell"] },
		refusals: ["CustomerNotFound", "CannotDeleteCustomerError"],
	}),
	unarchive: operation({
		operationId: "customers.unarchive",
		summary: "Take a customer out of the archive",
		path: { id: ["The customer's id", "customer-pied-piper"] },
		refusals: ["CustomerNotFound", "EntityIsArchivedError"],
	}),
	timeline: operation({
		operationId: "customers.timeline",
		summary: "Show what has happened to a customer",
		description:
			"The events of webhooks that are about this customer, the newest first, as long as they are kept: thirty days. `timestamp` is the environment's time.",
		path,
		query: { after: "Older than the event of this `sequence`", before: "Newer than the event of this `sequence`" },
		refusals: ["CustomerNotFound"],
	}),
	listResources: operation({
		operationId: "customers.listResources",
		summary: "List a customer's resources",
		description: "The sites, teams or projects that have subscriptions of their own.",
		path,
		refusals: ["CustomerNotFound"],
	}),
	paymentMethod: {
		attach: operation({
			operationId: "customers.paymentMethod.attach",
			summary: "Attach a payment method",
			description: "A reference to it at the payment provider; Tollgate keeps no card numbers.",
			path,
			example: { integrationId: "bank", paymentMethodId: "pm_1", vendorIdentifier: "STRIPE" },
			refusals: ["CustomerNotFound"],
		}),
		detach: operation({
			operationId: "customers.paymentMethod.detach",
			summary: "Take the payment method away",
			path: { id: ["The customer's id", "customer-stark"] },
			refusals: ["CustomerNotFound", "PaymentMethodNotFoundError"],
		}),
	},
	integrations: {
		list: operation({
			operationId: "customers.integrations.list",
			summary: "List a customer's links to other systems",
			path,
			query: { vendorIdentifier: "Only links to these vendors" },
			refusals: ["CustomerNotFound"],
		}),
		link: operation({
			operationId: "customers.integrations.link",
			summary: "Link a customer to its record in another system",
			path,
			example: { id: "support-desk", syncedEntityId: "company-42", vendorIdentifier: "HUBSPOT" },
			refusals: ["CustomerNotFound", "DuplicateIntegrationNotAllowed"],
		}),
		retrieve: operation({
			operationId: "customers.integrations.retrieve",
			summary: "Show a link",
			path: link,
			refusals: ["CustomerNotFound", "IntegrationNotFound"],
		}),
		update: operation({
			operationId: "customers.integrations.update",
			summary: "Change what a link points to",
			path: link,
			example: { syncedEntityId: "0016" },
			refusals: ["CustomerNotFound", "IntegrationNotFound"],
		}),
		unlink: operation({
			operationId: "customers.integrations.unlink",
			summary: "Remove a link",
			path: link,
			refusals: ["CustomerNotFound", "IntegrationNotFound"],
		}),
	},
	invoicing: {
		retrieve: operation({
			operationId: "customers.retrieveInvoicing",
			summary: "Show who invoices a customer",
			path,
			refusals: ["CustomerNotFound"],
		}),
		update: operation({
			operationId: "customers.updateInvoicing",
			summary: "Say who invoices a customer, and why it is charged no tax",
			description:
				"Documents that charge no tax print the exemption and its provision of law. The tax rate itself is what subscriptions and contracts say. `cashDiscount` replaces that of the legal entity; a percentage of 0 grants none.",
			path,
			example: {
				taxExemption: "EXEMPT",
				taxExemptionProvision: "§ 4 Nr. 11 UStG",
				cashDiscount: { percentage: 2, days: 10 },
			},
			refusals: ["CustomerNotFound", "EntityIsArchivedError", "InvalidArgumentError"],
		}),
	},
};
