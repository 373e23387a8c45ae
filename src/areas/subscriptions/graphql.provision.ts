import { fieldsOf, type GraphqlArea, inputOf } from "../../graphql/area";
import { type Input, operation } from "../../graphql/input/operation";
import {
	isoText,
	itemsOf,
	sent,
	subscriptionBody,
	subscriptionInputFields,
} from "../../graphql/input/subscription-input";
import { assertSupported } from "../../kernel/unsupported";
import { importSubscriptions } from "./import/request";
import { SubscriptionImport } from "./import/schema";
import { provisionSubscription } from "./operations";
import { SubscriptionProvision } from "./schema.provision";
import type { SubscriptionRow } from "./table";
import { unsupportedInApply } from "./terms/rules.unsupported";

const typeDefs = `
	enum ProvisionSubscriptionStatus { SUCCESS PAYMENT_REQUIRED }
	"Always a success: no payment provider is connected, so no checkout is ever needed."
	type ProvisionSubscriptionResult {
		status: ProvisionSubscriptionStatus!
		checkoutUrl: String
		checkoutBillingId: String
		isScheduled: Boolean!
		subscription: CustomerSubscription
	}
	type ApplySubscriptionResult { subscription: CustomerSubscription! }
	"Refused: what is provisioned begins without one; see initiateCheckout."
	input CheckoutOptions {
		successUrl: String!
		cancelUrl: String!
		allowPromoCodes: Boolean
		allowTaxIdCollection: Boolean
		collectBillingAddress: Boolean
		collectPhoneNumber: Boolean
		referenceId: String
	}
	input ProvisionSubscriptionInput { customerId: String! checkoutOptions: CheckoutOptions ${subscriptionInputFields} }
	input ApplySubscriptionInput {
		customerId: String!
		"Refused: no payment provider is connected that could charge it at once."
		paymentMethodId: String
		${subscriptionInputFields}
	}
	input SubscriptionInput {
		customerId: String!
		"As cancellationDate."
		endDate: DateTime
		"With isOverridingTrialConfig: whether it begins as a trial, whatever the plan says."
		isTrial: Boolean
		isOverridingTrialConfig: Boolean
		"Has no effect: the plan tells."
		isCustomPriceSubscription: Boolean
		"As salesforceId."
		crmId: String
		${subscriptionInputFields}
	}
	input ImportSubscriptionInput {
		refId: String
		"As refId; one of the two must be sent."
		subscriptionId: String
		customerId: String!
		planId: String!
		resourceId: String
		startDate: DateTime
		"Null: without end."
		endDate: DateTime
		"Null removes."
		billingId: String
		billingPeriod: BillingPeriod
		addons: [SubscriptionAddonInput!]
		billableFeatures: [BillableFeatureInput!]
		charges: JSON
		additionalMetaData: JSON
	}
	input ImportSubscriptionsBulkInput {
		subscriptions: [ImportSubscriptionInput!]!
		integrationId: String
		environmentId: String
	}
	extend type Mutation {
		provisionSubscription(input: ProvisionSubscriptionInput!): ProvisionSubscriptionResult
		"As provisionSubscription."
		provisionSubscriptionV2(input: ProvisionSubscriptionInput!): ProvisionSubscriptionResult
		"As provisionSubscription: what runs in its place ends."
		applySubscription(input: ApplySubscriptionInput!): ApplySubscriptionResult
		"As provisionSubscription, answering the subscription alone."
		createSubscription(subscription: SubscriptionInput!): CustomerSubscription
		"Answers the id of the task, which goes on by itself."
		importSubscriptionsBulk(input: ImportSubscriptionsBulkInput!): String
	}
`;

/** Its source is the subscription, as of what is provisioned. */
const applied = fieldsOf<SubscriptionRow>({ fields: { subscription: (row) => row } });

const provisioned = fieldsOf<SubscriptionRow>({
	fields: {
		...applied.fields,
		status: () => "SUCCESS",
		checkoutUrl: () => null,
		checkoutBillingId: () => null,
		isScheduled: ({ startAt }, _, { work }) => startAt > work.now,
	},
});

/** Names of the first release, for what later ones call otherwise. */
function createdOf(input: Input): Input {
	const { endDate, isTrial, isOverridingTrialConfig, isCustomPriceSubscription: _, crmId, ...terms } = input;
	return subscriptionBody({
		...terms,
		cancellationDate: input.cancellationDate ?? endDate,
		salesforceId: input.salesforceId ?? crmId,
		trialOverrideConfiguration:
			input.trialOverrideConfiguration ?? (isOverridingTrialConfig === true ? { isTrial } : undefined),
	});
}

const importOf = ({ subscriptions, integrationId }: Input): Input => ({
	subscriptions: itemsOf(subscriptions)?.map(importedOf),
	...sent({ integrationId }),
});

function importedOf(item: Input): Input {
	const { startDate, endDate, billingId } = item;
	return {
		...subscriptionBody(inputOf({ item }, "item")),
		...sent({ startDate: isoText(startDate), endDate: isoText(endDate) }),
		...(endDate === null && { endDate }),
		...(billingId === null && { billingId }),
	};
}

const scope = "SUBSCRIPTION:WRITE";

const provision = {
	scope,
	limitedBy: "POST /subscriptions",
	read: subscriptionBody,
	body: SubscriptionProvision,
	run: provisionSubscription,
} as const;

export const subscriptionProvisionGraphql: GraphqlArea = {
	typeDefs,
	types: { ProvisionSubscriptionResult: provisioned, ApplySubscriptionResult: applied },
	mutations: {
		provisionSubscription: operation(provision),
		provisionSubscriptionV2: operation(provision),
		applySubscription: operation({
			...provision,
			read({ paymentMethodId, ...input }) {
				assertSupported({ paymentMethodId }, unsupportedInApply);
				return subscriptionBody(input);
			},
		}),
		createSubscription: operation({ ...provision, argument: "subscription", read: createdOf }),
		importSubscriptionsBulk: operation({
			scope,
			read: importOf,
			body: SubscriptionImport,
			run: (work, body) => importSubscriptions(work, body).id,
		}),
	},
};
