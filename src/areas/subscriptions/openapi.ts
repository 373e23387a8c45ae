import { operation } from "../../openapi/operation";

const path = { id: ["The subscription's id", "subscription-acme"] } as const;

export const subscriptionOperations = {
	list: operation({
		operationId: "subscriptions.list",
		summary: "List subscriptions",
		query: {
			customerId: "Only subscriptions of this customer",
			planId: "Only subscriptions to this plan",
			resourceId: "Only subscriptions of this resource; empty, those of none",
			pricingType: "Only subscriptions that are priced so",
			status: "Only subscriptions in these states",
			trialEndsWithinDays:
				"Only trials that end within so many days, by the environment's clock; the first to end comes first",
			hasProblem: "`true`: only those whose renewal, or whatever else was due, could not be carried out",
			search: "Only subscriptions whose id begins so",
		},
	}),
	provision: operation({
		operationId: "subscriptions.provision",
		summary: "Sell a plan",
		description:
			"Begins a subscription and raises its first invoice. Where the customer has one of the same product, this one takes its place, unless the product allows several.",
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
			"Up to 1000, in the background; existing ones are updated. `GET /tasks/{taskId}` says how far it has come, and which rows failed.",
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
		summary: "Show what a sale would be invoiced",
		description: "Does the very sale and takes it back. Nothing is changed.",
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
			"What is left out stays. A change counts at once, and the rest of the period is charged or given back; `scheduleStrategy` puts it off to the end of the period, `awaitPaymentConfirmation` until its invoice is paid.",
		path,
		example: { charges: [{ type: "FEATURE", id: "feature-seats", quantity: 15 }] },
		refusals: ["SubscriptionNotFound", "AddonNotFound", "CouponNotFound", "SubscriptionAlreadyCanceledOrExpired"],
	}),
	cancel: operation({
		operationId: "subscriptions.cancel",
		summary: "Cancel a subscription",
		description:
			"Now, at the end of the period, or on a date; as the product says when it is left out. Unused time is given back by a credit note unless `prorate` is false.",
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
		summary: "Move a subscription to the newest version of its plan and addons",
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
		summary: "Let another customer pay",
		path,
		example: { targetCustomerId: "customer-globex" },
		refusals: ["SubscriptionNotFound", "CustomerNotFound"],
	}),
	futureUpdate: {
		cancelSchedule: operation({
			operationId: "subscriptions.futureUpdate.cancelSchedule",
			summary: "Take scheduled changes back",
			path: { id: ["The subscription's id", "subscription-stark"] },
			refusals: ["SubscriptionNotFound", "FutureUpdateNotFound"],
		}),
		cancelPendingPayment: operation({
			operationId: "subscriptions.futureUpdate.cancelPendingPayment",
			summary: "Take a change back that waits for its payment",
			path: { id: ["The subscription's id", "subscription-sakura"] },
			refusals: ["SubscriptionNotFound", "FutureUpdateNotFound"],
		}),
	},
	markAsPaid: operation({
		operationId: "subscriptions.invoice.markAsPaid",
		summary: "Record that a subscription's latest invoice was paid",
		path,
		refusals: ["SubscriptionNotFound", "MissingBillingInvoiceError"],
	}),
	usage: {
		charge: operation({
			operationId: "subscriptions.usage.chargeUsage",
			summary: "Invoice what was used so far",
			description: "Usage is billed when its period ends; this bills it in between.",
			path,
			example: {},
			refusals: ["SubscriptionNotFound"],
		}),
		sync: operation({
			operationId: "subscriptions.usage.sync",
			summary: "Make sure that usage is counted",
			description: "Totals follow events by themselves; this asks for it.",
			path,
			refusals: ["SubscriptionNotFound"],
		}),
	},
};

export const draftPreviewOperations = {
	plan: operation({
		operationId: "plans.previewDraft",
		summary: "Show what a sale by the draft would be invoiced",
		description:
			"Publishes the draft, with the prices of `pricing` where they are given, sells it as `POST /subscriptions/preview` does, and takes all of it back. Without `customerId` it is sold to someone new.",
		path: { id: ["The plan's id", "plan-pro"] },
		example: {
			billingPeriod: "MONTHLY",
			charges: [{ type: "FEATURE", id: "feature-seats", quantity: 5 }],
		},
		refusals: ["PlanNotFound", "CustomerNotFound", "PackagePricingTypeNotSet"],
	}),
	addon: operation({
		operationId: "addons.previewDraft",
		summary: "Show what a sale with the draft would be invoiced",
		description: "As for the draft of a plan; the addon is sold with the plan that `planId` names, so many of it.",
		path: { id: ["The addon's id", "addon-priority-support"] },
		example: { planId: "plan-pro", billingPeriod: "MONTHLY", quantity: 1 },
		refusals: ["AddonNotFound", "PlanNotFound", "CustomerNotFound", "PackagePricingTypeNotSet"],
	}),
};
