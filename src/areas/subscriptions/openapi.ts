import { operation } from "../../openapi/operation";

const path = { id: ["The subscription's id", "subscription-acme"] } as const;

export const subscriptionOperations = {
	list: operation({
		operationId: "subscriptions.list",
		summary: "List subscriptions",
		query: {
			customerId: "Only subscriptions of this customer",
			planId: "Only subscriptions to this plan",
			resourceId: "Only subscriptions of this resource; empty: subscriptions without a resource",
			pricingType: "Only subscriptions of this pricing type",
			status: "Only subscriptions in these statuses",
			trialEndsWithinDays:
				"Only trials that end within this number of days, by the environment's clock; earliest end first",
			hasProblem: "`true`: only subscriptions whose renewal or other due step failed",
			search: "Only subscriptions whose id begins with this text",
		},
	}),
	provision: operation({
		operationId: "subscriptions.provision",
		summary: "Provision a subscription",
		description:
			"Starts a subscription and issues its first invoice. It replaces the customer's subscription to the same product, unless the product allows several.",
		example: {
			id: "subscription-soylent-pro",
			customerId: "customer-soylent",
			planId: "plan-pro",
			billingPeriod: "MONTHLY",
			charges: [{ type: "FEATURE", id: "feature-seats", quantity: 5 }],
		},
		refusals: [
			"CustomerNotFound",
			"PlanNotFound",
			"AddonNotFound",
			"CouponNotFound",
			"UnPublishedPackage",
			"BillingPeriodMissingError",
			"InvalidQuantity",
			"IncompatibleSubscriptionAddon",
			"SchedulingAtEndOfBillingPeriod",
			"DuplicatedEntityNotAllowed",
		],
	}),
	import: operation({
		operationId: "subscriptions.import",
		summary: "Import subscriptions",
		description:
			"Imports up to 1000 subscriptions in the background, and updates existing ones. `GET /tasks/{taskId}` returns the progress and the failed rows.",
		example: {
			subscriptions: [
				{
					id: "subscription-moved",
					customerId: "customer-soylent",
					planId: "plan-free",
					startDate: "2026-01-01T00:00:00Z",
				},
			],
		},
		refusals: ["CustomerNotFound"],
	}),
	preview: operation({
		operationId: "subscriptions.preview",
		summary: "Preview the invoices of a sale",
		description:
			"Runs the sale and rolls it back. Nothing is saved. With an `effectiveDate` in the past, the immediate invoice has the credit line and the charge line of each period billed since.",
		example: {
			customerId: "customer-soylent",
			planId: "plan-pro",
			billingPeriod: "MONTHLY",
			charges: [{ type: "FEATURE", id: "feature-seats", quantity: 5 }],
		},
		refusals: ["CustomerNotFound", "PlanNotFound", "AddonNotFound", "CouponNotFound", "UnPublishedPackage"],
	}),
	retrieve: operation({
		operationId: "subscriptions.retrieve",
		summary: "Show a subscription",
		path,
		refusals: ["SubscriptionNotFound"],
	}),
	update: operation({
		operationId: "subscriptions.update",
		summary: "Change a subscription",
		description:
			"Absent fields stay as they are. A change takes effect at once, and the rest of the period is charged or credited. `scheduleStrategy` schedules it for the end of the period, and an `effectiveDate` in the future for that date. With an `effectiveDate` in the past, each period billed since is rated again: one invoice has a credit line and a charge line for each period and charge. Access changes now. `awaitPaymentConfirmation` makes it wait for its payment.",
		path,
		example: { charges: [{ type: "FEATURE", id: "feature-seats", quantity: 15 }] },
		refusals: ["SubscriptionNotFound", "AddonNotFound", "CouponNotFound", "SubscriptionAlreadyCanceledOrExpired"],
	}),
	cancel: operation({
		operationId: "subscriptions.cancel",
		summary: "Cancel a subscription",
		description:
			"Cancels now, at the end of the period, or on a date; by default as the product says. An immediate end credits unused time by a credit note unless `prorate` is false. With `isBackdated`, an `endDate` in the past ends it now, and credits the time since then.",
		path,
		example: { cancellationTime: "END_OF_BILLING_PERIOD" },
		refusals: [
			"SubscriptionNotFound",
			"SubscriptionAlreadyCanceledOrExpired",
			"InvalidCancellationDate",
			"TrialMustBeCancelledImmediately",
			"SubscriptionDoesNotHaveBillingPeriod",
		],
	}),
	migrate: operation({
		operationId: "subscriptions.migrate",
		summary: "Migrate a subscription to the newest versions of its plan and addons",
		path: { id: ["The subscription's id", "subscription-globex"] },
		example: { subscriptionMigrationTime: "IMMEDIATE" },
		refusals: [
			"SubscriptionNotFound",
			"SubscriptionAlreadyOnLatestPlan",
			"ScheduledMigrationAlreadyExistsError",
			"InvalidArgumentError",
		],
	}),
	transfer: operation({
		operationId: "subscriptions.transfer",
		summary: "Move a subscription to another resource of its customer",
		path: { id: ["The subscription's id", "subscription-depot-north"] },
		example: { destinationResourceId: "depot-east" },
		refusals: ["SubscriptionNotFound", "InvalidArgumentError"],
	}),
	delegate: operation({
		operationId: "subscriptions.delegate",
		summary: "Change the paying customer",
		path,
		example: { targetCustomerId: "customer-globex" },
		refusals: ["SubscriptionNotFound", "CustomerNotFound"],
	}),
	futureUpdate: {
		cancelSchedule: operation({
			operationId: "subscriptions.futureUpdate.cancelSchedule",
			summary: "Cancel scheduled changes",
			path: { id: ["The subscription's id", "subscription-stark"] },
			refusals: ["SubscriptionNotFound", "FutureUpdateNotFound"],
		}),
		cancelPendingPayment: operation({
			operationId: "subscriptions.futureUpdate.cancelPendingPayment",
			summary: "Cancel a change that waits for its payment",
			path: { id: ["The subscription's id", "subscription-sakura"] },
			refusals: ["SubscriptionNotFound", "FutureUpdateNotFound"],
		}),
	},
	markAsPaid: operation({
		operationId: "subscriptions.invoice.markAsPaid",
		summary: "Mark a subscription's latest invoice as paid",
		path,
		refusals: ["SubscriptionNotFound", "MissingBillingInvoiceError"],
	}),
	usage: {
		charge: operation({
			operationId: "subscriptions.usage.chargeUsage",
			summary: "Invoice usage up to now",
			description: "Usage is billed at the end of its period; this bills it earlier.",
			path,
			example: {},
			refusals: ["SubscriptionNotFound"],
		}),
		sync: operation({
			operationId: "subscriptions.usage.sync",
			summary: "Request a count of usage",
			description: "Tollgate counts usage continuously, so this changes nothing.",
			path,
			refusals: ["SubscriptionNotFound"],
		}),
	},
};

export const packagePreviewOperations = {
	plan: operation({
		operationId: "plans.preview",
		summary: "Preview the invoices of a sale of the plan",
		description:
			"Like `POST /subscriptions/preview`; without `customerId` for a new customer. `draft` previews the draft as if it were published, with the prices of `draft.pricing`. Nothing is saved.",
		path: { id: ["The plan's id", "plan-pro"] },
		example: {
			billingPeriod: "MONTHLY",
			charges: [{ type: "FEATURE", id: "feature-seats", quantity: 5 }],
			draft: {},
		},
		refusals: ["PlanNotFound", "CustomerNotFound", "PackagePricingTypeNotSet"],
	}),
	addon: operation({
		operationId: "addons.preview",
		summary: "Preview the invoices of a sale with the addon",
		description: "Like the preview of a plan, for `quantity` of the addon with the plan `planId`.",
		path: { id: ["The addon's id", "addon-priority-support"] },
		example: { planId: "plan-pro", billingPeriod: "MONTHLY", quantity: 1, draft: {} },
		refusals: ["AddonNotFound", "PlanNotFound", "CustomerNotFound", "PackagePricingTypeNotSet"],
	}),
};
