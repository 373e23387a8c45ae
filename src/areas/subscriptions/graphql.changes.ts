import { Type } from "@sinclair/typebox";
import type { GraphqlArea } from "../../graphql/area";
import { type Input, NoBody, operation } from "../../graphql/input/operation";
import { isoText, sent, updateBody } from "../../graphql/input/subscription-input";
import { literals } from "../../kernel/schema";
import {
	cancelPendingPayment,
	cancelScheduledUpdates,
	cancelSubscription,
	chargeSubscriptionUsage,
	delegateSubscription,
	migrateSubscription,
	paySubscription,
	syncUsage,
	transferSubscription,
	updateSubscription,
} from "./operations";
import {
	SubscriptionCancel,
	SubscriptionDelegate,
	SubscriptionMigrate,
	SubscriptionTransfer,
	UsageCharge,
} from "./schema";
import { Quantity } from "./schema.provision";
import { SubscriptionUpdate } from "./schema.update";
import { resolveUnitQuantity } from "./terms/unit-quantity";
import { viewCharge } from "./view";

const typeDefs = `
	"What is left out stays; null clears, where it says so. The plan is changed by provisionSubscription."
	input UpdateSubscriptionInput {
		refId: String
		"As refId."
		subscriptionId: String
		"Takes the place of all addons."
		addons: [SubscriptionAddonInput!]
		billingPeriod: BillingPeriod
		billingCycleAnchor: String
		billingInformation: SubscriptionBillingInfo
		"For a plan with exactly one price by the unit."
		unitQuantity: Float
		billableFeatures: [BillableFeatureInput!]
		charges: JSON
		entitlements: JSON
		subscriptionEntitlements: JSON
		priceOverrides: JSON
		appliedCoupon: JSON
		promotionCode: String
		"Null removes."
		minimumSpend: MoneyInput
		"Null removes."
		budget: JSON
		"Null takes a cancellation back."
		cancellationDate: DateTime
		trialEndDate: DateTime
		scheduleStrategy: String
		awaitPaymentConfirmation: Boolean
		"Null removes."
		salesforceId: String
		additionalMetaData: JSON
		environmentId: String
	}
	enum SubscriptionCancellationAction { DEFAULT REVOKE_ENTITLEMENTS }
	input SubscriptionCancellationInput {
		subscriptionRefId: String!
		"Left out: as the product says."
		subscriptionCancellationTime: SubscriptionCancellationTime
		subscriptionCancellationAction: SubscriptionCancellationAction
		"For SPECIFIC_DATE."
		endDate: DateTime
		prorate: Boolean
		environmentId: String
	}
	enum SubscriptionMigrationTime { END_OF_BILLING_PERIOD IMMEDIATE }
	input SubscriptionMigrationInput {
		subscriptionId: String!
		subscriptionMigrationTime: SubscriptionMigrationTime
		environmentId: String
	}
	input TransferSubscriptionInput {
		subscriptionId: String!
		destinationResourceId: String!
		environmentId: String
	}
	input DelegateSubscriptionToCustomerInput {
		subscriptionId: String!
		targetCustomerId: String!
		environmentId: String
	}
	input SubscriptionUpdateScheduleCancellationInput {
		subscriptionId: String!
		"Scheduled, which is meant when it is left out, or PendingPayment."
		status: SubscriptionScheduleStatus
		environmentId: String
	}
	input BySubscriptionIdInput { subscriptionId: String! environmentId: String }
	input ChargeSubscriptionUsageInput {
		subscriptionId: String!
		"An ISO 8601 date-time; left out: up to now."
		untilDate: String
		environmentId: String
	}
	type SubscriptionUsageCharged { featureId: String usageAmount: Float! }
	type SubscriptionUsageCharge {
		subscriptionId: String!
		periodStart: DateTime!
		periodEnd: DateTime!
		invoiceBillingId: String
		usageCharged: [SubscriptionUsageCharged!]!
	}
	"Usage is billed here: there is nobody that it would have to be sent to."
	type SubscriptionUsageSync { triggered: Boolean! }
	extend type Mutation {
		updateOneSubscription(input: UpdateSubscriptionInput!): CustomerSubscription
		"As updateOneSubscription."
		updateSubscription(input: UpdateSubscriptionInput!): CustomerSubscription
		cancelSubscription(input: SubscriptionCancellationInput!): CustomerSubscription
		migrateSubscriptionToLatest(input: SubscriptionMigrationInput!): CustomerSubscription
		transferSubscription(input: TransferSubscriptionInput!): CustomerSubscription
		transferSubscriptionToResource(input: TransferSubscriptionInput!): CustomerSubscription
		delegateSubscriptionToCustomer(input: DelegateSubscriptionToCustomerInput!): CustomerSubscription
		"Drops what is scheduled, or what waits for a payment; answers the subscription's id."
		cancelSchedule(input: SubscriptionUpdateScheduleCancellationInput!): String
		"Of the latest invoice."
		markInvoiceAsPaid(input: BySubscriptionIdInput!): CustomerSubscription
		chargeSubscriptionUsage(input: ChargeSubscriptionUsageInput!): SubscriptionUsageCharge
		triggerSubscriptionUsageSync(input: BySubscriptionIdInput!): SubscriptionUsageSync
	}
`;

const scope = "SUBSCRIPTION:WRITE";
const closed = { additionalProperties: false };

/** Most inputs are REST's path and body; the environment is the key's. */
const plainly = ({ environmentId: _, ...input }: Input): Input => sent(input);

const bySubscriptionId = { scope, path: { subscriptionId: "id" }, read: plainly } as const;

const update = operation({
	scope,
	limitedBy: "PATCH /subscriptions/:id",
	path: { refId: "id" },
	read: updateBody,
	body: Type.Object({ ...SubscriptionUpdate.properties, unitQuantity: Type.Optional(Quantity) }, closed),
	run: (work, body, { id }) => updateSubscription(work, id, resolveUnitQuantity(work, id, body)),
});

function cancellationOf({ subscriptionRefId, endDate, prorate, ...input }: Input): Input {
	return sent({
		subscriptionId: subscriptionRefId,
		cancellationTime: input.subscriptionCancellationTime,
		cancellationAction: input.subscriptionCancellationAction,
		endDate: isoText(endDate),
		prorate,
	});
}

const transfer = operation({
	...bySubscriptionId,
	limitedBy: "POST /subscriptions/:id/transfer",
	body: SubscriptionTransfer,
	run: (work, body, { id }) => transferSubscription(work, id, body),
});

const awaitsPayment = ({ status }: Input): boolean => status === "PendingPayment";

export const subscriptionChangesGraphql: GraphqlArea = {
	typeDefs,
	mutations: {
		updateOneSubscription: update,
		updateSubscription: update,
		cancelSubscription: operation({
			...bySubscriptionId,
			limitedBy: "POST /subscriptions/:id/cancel",
			read: cancellationOf,
			body: SubscriptionCancel,
			run: (work, body, { id }) => cancelSubscription(work, id, body),
		}),
		migrateSubscriptionToLatest: operation({
			...bySubscriptionId,
			limitedBy: "POST /subscriptions/:id/migrate",
			body: SubscriptionMigrate,
			run: (work, body, { id }) => migrateSubscription(work, id, body),
		}),
		transferSubscription: transfer,
		transferSubscriptionToResource: transfer,
		delegateSubscriptionToCustomer: operation({
			...bySubscriptionId,
			limitedBy: "POST /subscriptions/:id/delegate",
			body: SubscriptionDelegate,
			run: (work, body, { id }) => delegateSubscription(work, id, body),
		}),
		cancelSchedule: operation({
			...bySubscriptionId,
			limitedBy: (input) =>
				awaitsPayment(input)
					? "DELETE /subscriptions/:id/future-update/pending-payment"
					: "DELETE /subscriptions/:id/future-update/schedule",
			body: Type.Object({ status: Type.Optional(literals("Scheduled", "PendingPayment")) }, closed),
			run: (work, body, { id }) =>
				(awaitsPayment(body) ? cancelPendingPayment(work, id) : cancelScheduledUpdates(work, id)).refId,
		}),
		markInvoiceAsPaid: operation({
			...bySubscriptionId,
			body: NoBody,
			run: (work, _, { id }) => paySubscription(work, id),
		}),
		chargeSubscriptionUsage: operation({
			...bySubscriptionId,
			body: UsageCharge,
			run: (work, body, { id }) => viewCharge(id, chargeSubscriptionUsage(work, id, body)),
		}),
		triggerSubscriptionUsageSync: operation({
			...bySubscriptionId,
			body: NoBody,
			run: (work, _, { id }) => syncUsage(work, id),
		}),
	},
};
