import { fieldsOf, type GraphqlArea, inputOf } from "../../graphql/area";
import { type Input, operation, sent } from "../../graphql/input/operation";
import { itemsOf, subscriptionBody, subscriptionInputFields } from "../../graphql/input/subscription-input";
import { assertSupported } from "../../kernel/unsupported";
import { importSubscriptions } from "./import/request";
import { SubscriptionImport } from "./import/schema";
import { provisionSubscription } from "./operations";
import { SubscriptionProvision } from "./schema.provision";
import type { SubscriptionRow } from "./table";
import { unsupportedInApply } from "./terms/rules.unsupported";

const schemas = { SubscriptionImport };

const typeDefs = `
	enum ProvisionSubscriptionStatus { SUCCESS PAYMENT_REQUIRED }
	"Always SUCCESS: there is no payment provider, so a checkout is never required."
	type ProvisionSubscriptionResult {
		status: ProvisionSubscriptionStatus! checkoutUrl: String checkoutBillingId: String isScheduled: Boolean!
		subscription: CustomerSubscription
	}
	type ApplySubscriptionResult { subscription: CustomerSubscription! }
	"Rejected: provisioning uses no checkout. See initiateCheckout."
	input CheckoutOptions {
		successUrl: String! cancelUrl: String! allowPromoCodes: Boolean allowTaxIdCollection: Boolean
		collectBillingAddress: Boolean collectPhoneNumber: Boolean referenceId: String
	}
	input ProvisionSubscriptionInput { customerId: String! checkoutOptions: CheckoutOptions ${subscriptionInputFields} }
	input ApplySubscriptionInput {
		customerId: String!
		"Rejected: there is no payment provider that could charge it."
		paymentMethodId: String
		${subscriptionInputFields}
	}
	input SubscriptionInput {
		customerId: String!
		"As cancellationDate."
		endDate: DateTime
		"With isOverridingTrialConfig: whether the subscription begins with a trial, regardless of the plan."
		isTrial: Boolean
		isOverridingTrialConfig: Boolean
		"Has no effect: the plan decides."
		isCustomPriceSubscription: Boolean
		"As salesforceId."
		crmId: String
		${subscriptionInputFields}
	}
	input ImportSubscriptionsBulkInput from SubscriptionImport {
		subscriptions as ImportSubscriptionInput {
			refId?
			"As refId. One of the two is required."
			subscriptionId: String
			*
			startDate as DateTime
			"Null means no end."
			endDate as DateTime
			"Null removes."
			billingId
			billingPeriod as BillingPeriod billingInterval as BillingIntervalInput billingCurrency as Currency prorationMode as ProrationMode billingAnchor as BillingAnchorInput timeZone phases as PhaseInput term as TermInput spendThresholds as SpendThresholdInput commitments as SpendCommitmentInput addons as SubscriptionAddonInput billableFeatures: [BillableFeatureInput!]
			charges: JSON appliedCoupons: JSON additionalMetaData
		}
		integrationId environmentId
	}
`;

/** Its source is the subscription, as that of a provision. */
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

/** Names of the first release that later releases changed. */
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
		...sent({ startDate, endDate }),
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

const provisionNow = operation({
	...provision,
	signature: "(input: ProvisionSubscriptionInput!): ProvisionSubscriptionResult",
});

export const subscriptionProvisionGraphql: GraphqlArea = {
	schemas,
	typeDefs,
	types: { ProvisionSubscriptionResult: provisioned, ApplySubscriptionResult: applied },
	mutations: {
		provisionSubscription: provisionNow,
		provisionSubscriptionV2: { ...provisionNow, comment: "As provisionSubscription." },
		applySubscription: operation({
			...{ ...provision, signature: "(input: ApplySubscriptionInput!): ApplySubscriptionResult" },
			comment: "As provisionSubscription. The new subscription replaces the current one.",
			read({ paymentMethodId, ...input }) {
				assertSupported({ paymentMethodId }, unsupportedInApply);
				return subscriptionBody(input);
			},
		}),
		createSubscription: operation({
			...{ ...provision, signature: "(subscription: SubscriptionInput!): CustomerSubscription", read: createdOf },
			comment: "As provisionSubscription. Returns the subscription only.",
		}),
		importSubscriptionsBulk: operation({
			signature: "(input: ImportSubscriptionsBulkInput!): String",
			comment: "Starts a task and returns its id.",
			...{ scope, read: importOf, body: SubscriptionImport },
			run: (work, body) => importSubscriptions(work, body).id,
		}),
	},
};
