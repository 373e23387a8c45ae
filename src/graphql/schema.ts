import { environmentsGraphql } from "../areas/access/environments/graphql";
import { apiKeysGraphql } from "../areas/access/keys/graphql";
import { addonsGraphql } from "../areas/addons/graphql";
import { auditGraphql } from "../areas/audit/graphql";
import { debitsGraphql } from "../areas/bank/debits/graphql";
import { bankGraphql } from "../areas/bank/graphql";
import { environmentMergeGraphql } from "../areas/catalog/graphql";
import { featuresInUse } from "../areas/catalog/operations.features";
import { productsInUse } from "../areas/catalog/operations.products";
import { attemptsGraphql } from "../areas/collection/attempts/graphql";
import { connectionsGraphql } from "../areas/collection/connections/graphql";
import { methodsGraphql } from "../areas/collection/methods/graphql";
import { methodPagesGraphql } from "../areas/collection/pages/graphql";
import { refundsGraphql } from "../areas/collection/refunds/graphql";
import { contractBillingGraphql } from "../areas/contracts/billing/graphql";
import { lateUsageOf } from "../areas/contracts/billing/operations.late-usage";
import { contractsGraphql } from "../areas/contracts/graphql";
import { contractMutationsGraphql } from "../areas/contracts/graphql.mutations";
import { couponsGraphql } from "../areas/coupons/graphql";
import { creditConsumptionGraphql } from "../areas/credits/consumption/graphql";
import { creditGrantsGraphql } from "../areas/credits/grants/graphql";
import { hasBalances } from "../areas/credits/grants/operations";
import { creditsGraphql } from "../areas/credits/graphql";
import { autoRechargeGraphql } from "../areas/credits/recharge/graphql";
import { currenciesGraphql } from "../areas/currencies/graphql";
import { customersGraphql } from "../areas/customers/graphql";
import { customerMutationsGraphql } from "../areas/customers/graphql.mutations";
import { mandatesGraphql } from "../areas/direct-debit/graphql";
import { dunningGraphql } from "../areas/dunning/graphql";
import { dunningPoliciesGraphql } from "../areas/dunning/policies/graphql";
import { creditEstimatesGraphql } from "../areas/entitlements/consumption/graphql";
import { usageReportsGraphql } from "../areas/entitlements/consumption/graphql.reports";
import { entitlementsGraphql } from "../areas/entitlements/graphql";
import { trackedChecksGraphql } from "../areas/entitlements/graphql.tracked";
import { usageResets } from "../areas/entitlements/operations.resets";
import { entitlementChangesGraphql } from "../areas/entitlements/stream/graphql";
import { featureGroupsGraphql } from "../areas/feature-groups/graphql";
import { featuresGraphql } from "../areas/features/graphql";
import { budgetFileGraphql } from "../areas/governance/files/graphql";
import { governanceGraphql } from "../areas/governance/graphql";
import { budgetRequestsGraphql } from "../areas/governance/requests/graphql";
import { customerBalanceGraphql } from "../areas/invoices/balance/graphql";
import { creditNotesGraphql } from "../areas/invoices/credit-notes/graphql";
import { disputesGraphql } from "../areas/invoices/disputes/graphql";
import { lineExplanationGraphql } from "../areas/invoices/explain/graphql";
import { invoicesGraphql } from "../areas/invoices/graphql";
import { invoicePaymentsGraphql } from "../areas/invoices/payments/graphql";
import { receiptsGraphql } from "../areas/invoices/receipts/graphql";
import { refundAtProvider } from "../areas/invoices/receipts/operations.at-provider";
import { legalEntitiesGraphql } from "../areas/legal-entities/graphql";
import { pricesGraphql } from "../areas/packages/charges/graphql";
import { packageEntitlementsGraphql } from "../areas/packages/entitlements/graphql";
import { packagesGraphql } from "../areas/packages/graphql";
import { packagesUsing } from "../areas/packages/operations.uses";
import { packageLifecycleGraphql } from "../areas/packages/versions/graphql";
import { paywallGraphql } from "../areas/paywall/graphql";
import { plansGraphql } from "../areas/plans/graphql";
import { mailApprover } from "../areas/portal/budgets/operations.mail";
import { portalGraphql } from "../areas/portal/graphql";
import { productsGraphql } from "../areas/products/graphql";
import { promotionalEntitlementsGraphql } from "../areas/promotional-entitlements/graphql";
import { simulationsGraphql } from "../areas/simulations/graphql";
import { creditPriceOf } from "../areas/subscriptions/billing/credits/operations.price";
import { subscriptionCustomersGraphql } from "../areas/subscriptions/customers/graphql";
import { removeMethod } from "../areas/subscriptions/customers/operations.remove-method";
import { subscriptionsGraphql } from "../areas/subscriptions/graphql";
import { subscriptionChangesGraphql } from "../areas/subscriptions/graphql.changes";
import { subscriptionProvisionGraphql } from "../areas/subscriptions/graphql.provision";
import { chargeInvoice, settleAttempt } from "../areas/subscriptions/lifecycle/operations.charge";
import { creditManually, voidManually } from "../areas/subscriptions/lifecycle/operations.credit";
import { allocateReceipt, payOneInvoice, takePayment } from "../areas/subscriptions/lifecycle/operations.payment";
import { subscriptionListsGraphql } from "../areas/subscriptions/lists/graphql";
import { subscriptionPreviewsGraphql } from "../areas/subscriptions/preview/graphql";
import { publishing } from "../areas/subscriptions/versions/operations.publish";
import { taxesGraphql } from "../areas/taxes/graphql";
import { assertTaxes } from "../areas/taxes/operations";
import { usageGraphql } from "../areas/usage/graphql";
import { webhooksGraphql } from "../areas/webhooks/graphql";
import type { Services } from "../server/context";
import { tasksGraphql } from "../tasks/graphql";
import type { GraphqlArea } from "./area";
import { buildAreas, type Schemas } from "./build";
import { Push } from "./push/push";
import { endpoint } from "./request/endpoint";

/** The clients' start-up query. The address must be null, or clients report their errors to it (docs/interface/graphql.md). */
const sdkGraphql: GraphqlArea = {
	typeDefs: `
		"The kind of client. Informational."
		enum SourceType { NODE_SERVER_SDK JS_CLIENT_SDK }
		type SdkConfiguration { sentryDsn: String }
	`,
	queries: { sdkConfiguration: { signature: ": SdkConfiguration!", resolve: () => ({ sentryDsn: null }) } },
};

export const areas: readonly GraphqlArea[] = [
	environmentsGraphql(assertTaxes),
	apiKeysGraphql,
	auditGraphql,
	environmentMergeGraphql,
	webhooksGraphql,
	productsGraphql(productsInUse),
	featuresGraphql(featuresInUse),
	featureGroupsGraphql,
	packagesGraphql,
	packageLifecycleGraphql(publishing),
	packageEntitlementsGraphql,
	pricesGraphql,
	plansGraphql,
	simulationsGraphql,
	addonsGraphql,
	taxesGraphql,
	couponsGraphql,
	legalEntitiesGraphql,
	connectionsGraphql,
	methodsGraphql({ removeMethod }),
	methodPagesGraphql,
	attemptsGraphql({ chargeInvoice, settleAttempt }),
	refundsGraphql(refundAtProvider),
	invoicesGraphql(lateUsageOf),
	lineExplanationGraphql,
	invoicePaymentsGraphql(payOneInvoice),
	receiptsGraphql({ takePayment, allocateReceipt }),
	disputesGraphql,
	mandatesGraphql,
	debitsGraphql,
	bankGraphql,
	dunningPoliciesGraphql,
	dunningGraphql,
	customerBalanceGraphql,
	creditNotesGraphql({ creditByHand: creditManually, voidByHand: voidManually }),
	currenciesGraphql({ usersOf: packagesUsing, hasBalances }),
	creditGrantsGraphql,
	creditConsumptionGraphql,
	creditsGraphql,
	autoRechargeGraphql(creditPriceOf),
	customersGraphql,
	customerMutationsGraphql,
	governanceGraphql,
	budgetFileGraphql,
	budgetRequestsGraphql(mailApprover),
	promotionalEntitlementsGraphql,
	subscriptionsGraphql,
	subscriptionListsGraphql,
	subscriptionProvisionGraphql,
	subscriptionCustomersGraphql,
	subscriptionChangesGraphql,
	subscriptionPreviewsGraphql,
	entitlementsGraphql,
	entitlementChangesGraphql,
	trackedChecksGraphql,
	usageReportsGraphql,
	usageGraphql(usageResets),
	paywallGraphql,
	portalGraphql,
	tasksGraphql,
	contractsGraphql,
	contractMutationsGraphql,
	contractBillingGraphql,
	creditEstimatesGraphql,
	sdkGraphql,
];

let built: Promise<Schemas> | undefined;

/** Builds the schemas once for each thread. */
export function loadSchemas(): Promise<Schemas> {
	built ??= buildAreas(areas);
	return built;
}

export const loadEndpoint = async (services: Services) => endpoint(services, await loadSchemas());

export const loadPush = async (services: Services) => new Push(services, await loadSchemas());
