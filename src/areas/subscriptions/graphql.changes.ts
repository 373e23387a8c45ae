import { Type } from "@sinclair/typebox";
import type { GraphqlArea } from "../../graphql/area";
import { mutationsOf } from "../../graphql/input/mutations";
import { type Input, operation, sent } from "../../graphql/input/operation";
import { updateBody } from "../../graphql/input/subscription-input";
import { literals } from "../../kernel/schema";
import {
	cancelPendingPayment,
	cancelScheduledUpdates,
	cancelSubscription,
	chargeSubscriptionUsage,
	delegateSubscription,
	endSubscriptionTrial,
	migrateSubscription,
	pauseSubscription,
	paySubscription,
	resumeSubscription,
	syncUsage,
	transferSubscription,
	updateSubscription,
} from "./operations";
import {
	SubscriptionCancel,
	SubscriptionDelegate,
	SubscriptionMigrate,
	SubscriptionPause,
	SubscriptionResume,
	SubscriptionTransfer,
	UsageCharge,
	UsageCharged,
	UsageSynced,
} from "./schema";
import { Quantity } from "./schema.provision";
import { SubscriptionUpdate } from "./schema.update";
import { resolveUnitQuantity } from "./terms/unit-quantity";
import { viewCharge } from "./view";

const schemas = {
	SubscriptionUpdate,
	SubscriptionCancel,
	SubscriptionPause,
	SubscriptionMigrate,
	UsageCharged,
	UsageSynced,
};

const typeDefs = `
	"Omitted members stay. Null clears where the member says so. provisionSubscription changes the plan."
	input UpdateSubscriptionInput from SubscriptionUpdate {
		refId: String
		"As refId."
		subscriptionId: String
		"Replaces all addons."
		addons as SubscriptionAddonInput
		"A subscription keeps its currency: only this one is allowed."
		billingCurrency as Currency
		billingPeriod billingInterval as BillingIntervalInput billingCycleAnchor billingInformation as SubscriptionBillingInfo
		"The usage of the customer's children counts too."
		includesChildUsage: Boolean
		"Null for that of the plan or environment."
		prorationMode as ProrationMode
		"Null for that of the environment. The paid period runs out first."
		billingAnchor as BillingAnchorInput
		"Null for that of the environment. The paid period runs out first."
		timeZone
		"Counted from the start of billing. Null for those of the plan."
		phases as PhaseInput
		"The term that runs counts from its start. Null for that of the plan."
		term as TermInput
		"Null for those of the plan, an empty list for none."
		spendThresholds as SpendThresholdInput
		"Null for those of the plan, an empty list for none."
		commitments as SpendCommitmentInput
		"For a plan with exactly one per-unit price."
		unitQuantity: Float
		billableFeatures: [BillableFeatureInput!] charges: JSON entitlements: JSON subscriptionEntitlements: JSON
		priceOverrides: JSON *
		"Null removes."
		minimumSpend
		"Null removes."
		budget
		"Null reverses a cancellation."
		cancellationDate as DateTime
		trialEndDate as DateTime scheduleStrategy awaitPaymentConfirmation
		"From when the change applies. Scheduled if it is in the future; in the past, its prices apply from then."
		effectiveDate as DateTime
		"Null removes."
		salesforceId
		additionalMetaData environmentId
	}
	enum SubscriptionCancellationAction from SubscriptionCancel.cancellationAction
	input SubscriptionCancellationInput {
		subscriptionRefId: String!
		"Defaults to the product's setting."
		subscriptionCancellationTime: SubscriptionCancellationTime
		subscriptionCancellationAction: SubscriptionCancellationAction
		"For SPECIFIC_DATE."
		endDate: DateTime
		"Allows an endDate in the past."
		isBackdated: Boolean
		prorate: Boolean environmentId: String
	}
	enum SubscriptionMigrationTime from SubscriptionMigrate.subscriptionMigrationTime
	input SubscriptionMigrationInput {
		subscriptionId: String! subscriptionMigrationTime: SubscriptionMigrationTime environmentId: String
	}
	input PauseSubscriptionInput {
		subscriptionId: String!
		"IMMEDIATE is the default."
		at: SubscriptionCancellationTime
		"For SPECIFIC_DATE."
		date: DateTime
		"When it resumes. Without it: by resumeSubscription."
		resumeAt: DateTime
		"Whether unused time is credited. Defaults to true."
		prorate: Boolean
		environmentId: String
	}
	input ResumeSubscriptionInput {
		subscriptionId: String!
		"IMMEDIATE is the default."
		at: SubscriptionCancellationTime
		"For SPECIFIC_DATE."
		date: DateTime
		billingCycleAnchor: ResumedBillingCycle
		environmentId: String
	}
	input TransferSubscriptionInput { subscriptionId: String! destinationResourceId: String! environmentId: String }
	input DelegateSubscriptionToCustomerInput { subscriptionId: String! targetCustomerId: String! environmentId: String }
	input SubscriptionUpdateScheduleCancellationInput {
		subscriptionId: String!
		"Scheduled (the default) or PendingPayment."
		status: SubscriptionScheduleStatus
		environmentId: String
	}
	input BySubscriptionIdInput { subscriptionId: String! environmentId: String }
	input ChargeSubscriptionUsageInput {
		subscriptionId: String!
		"An ISO 8601 date-time. Defaults to now."
		untilDate: String
		environmentId: String
	}
	type SubscriptionUsageCharge from UsageCharged { * usageCharged as SubscriptionUsageCharged { * } }
	"Tollgate bills usage itself, so there is nothing to synchronize."
	type SubscriptionUsageSync from UsageSynced
`;

const scope = "SUBSCRIPTION:WRITE";
const closed = { additionalProperties: false };
const bySubscriptionId = { scope, path: { subscriptionId: "id" }, dropsNulls: true } as const;
const write = mutationsOf({ returns: "CustomerSubscription", input: "BySubscriptionIdInput", ...bySubscriptionId });

const update = operation({
	signature: "(input: UpdateSubscriptionInput!): CustomerSubscription",
	...{ scope, limitedBy: "PATCH /subscriptions/:id", path: { refId: "id" }, read: updateBody },
	body: Type.Object({ ...SubscriptionUpdate.properties, unitQuantity: Type.Optional(Quantity) }, closed),
	run: (work, body, { id }) => updateSubscription(work, id, resolveUnitQuantity(work, id, body)),
});

const cancellationOf = ({ subscriptionRefId, endDate, isBackdated, prorate, ...input }: Input): Input =>
	sent({
		subscriptionId: subscriptionRefId,
		cancellationTime: input.subscriptionCancellationTime,
		cancellationAction: input.subscriptionCancellationAction,
		endDate,
		isBackdated,
		prorate,
	});

const transfer = write.change("TransferSubscriptionInput", SubscriptionTransfer, transferSubscription, {
	limitedBy: "POST /subscriptions/:id/transfer",
});

const awaitsPayment = ({ status }: Input): boolean => status === "PendingPayment";

export const subscriptionChangesGraphql: GraphqlArea = {
	schemas,
	typeDefs,
	mutations: {
		updateOneSubscription: update,
		updateSubscription: { ...update, comment: "As updateOneSubscription." },
		cancelSubscription: write.change("SubscriptionCancellationInput", SubscriptionCancel, cancelSubscription, {
			limitedBy: "POST /subscriptions/:id/cancel",
			read: cancellationOf,
		}),
		migrateSubscriptionToLatest: write.change("SubscriptionMigrationInput", SubscriptionMigrate, migrateSubscription, {
			limitedBy: "POST /subscriptions/:id/migrate",
		}),
		transferSubscription: transfer,
		transferSubscriptionToResource: transfer,
		delegateSubscriptionToCustomer: write.change(
			"DelegateSubscriptionToCustomerInput",
			SubscriptionDelegate,
			delegateSubscription,
			{ limitedBy: "POST /subscriptions/:id/delegate" },
		),
		cancelSchedule: operation({
			signature: "(input: SubscriptionUpdateScheduleCancellationInput!): String",
			comment: "Cancels scheduled updates, or updates that wait for a payment. Returns the subscription's id.",
			...bySubscriptionId,
			limitedBy: (input) =>
				awaitsPayment(input)
					? "DELETE /subscriptions/:id/future-update/pending-payment"
					: "DELETE /subscriptions/:id/future-update/schedule",
			body: Type.Object({ status: Type.Optional(literals("Scheduled", "PendingPayment")) }, closed),
			run: (work, body, { id }) =>
				(awaitsPayment(body) ? cancelPendingPayment(work, id) : cancelScheduledUpdates(work, id)).refId,
		}),
		endSubscriptionTrial: write.act(endSubscriptionTrial, {
			limitedBy: "POST /subscriptions/:id/trial/end",
			comment: "Ends a trial now and starts to charge the subscription.",
		}),
		pauseSubscription: write.change("PauseSubscriptionInput", SubscriptionPause, pauseSubscription, {
			limitedBy: "POST /subscriptions/:id/pause",
			comment: "Pauses a subscription: nothing is charged and nothing is granted until it resumes.",
		}),
		resumeSubscription: write.change("ResumeSubscriptionInput", SubscriptionResume, resumeSubscription, {
			limitedBy: "POST /subscriptions/:id/resume",
			comment: "Resumes a paused subscription, or withdraws a scheduled pause.",
		}),
		markInvoiceAsPaid: write.act(paySubscription, { comment: "Marks the latest invoice as paid." }),
		chargeSubscriptionUsage: write.change(
			"ChargeSubscriptionUsageInput",
			UsageCharge,
			(work, id, body) => viewCharge(id, chargeSubscriptionUsage(work, id, body)),
			{ returns: "SubscriptionUsageCharge" },
		),
		triggerSubscriptionUsageSync: write.act(syncUsage, { returns: "SubscriptionUsageSync" }),
	},
};
