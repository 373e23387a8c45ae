/**
 * The fields of GraphQL's root that the known clients ask for, in both releases, under each name (docs/interface/graphql.md), and
 * those that their documentation names next to them, or describes without a name: of environments and keys, where names are ours.
 */
export const fieldsOfClients: Readonly<Record<"Query" | "Mutation", readonly string[]>> = {
	Query: [
		...[
			"sdkConfiguration",
			"customers",
			"getCustomerByRefId",
			"coupons",
			"products",
			"subscriptions",
			"getSubscription",
		],
		...[
			"getActiveSubscriptions",
			"cachedEntitlements",
			"entitlements",
			"entitlementsState",
			"entitlement",
			"entitlementV2",
		],
		...["getPaywall", "paywall", "mockPaywall", "customerPortal", "checkoutState"],
		...["usageHistory", "usageHistoryV2", "estimateEventCost", "estimateUsageCost"],
		...["environments", "dumpEnvironmentProductCatalog", "compareEnvironment", "apiKeys"],
		...["creditBalanceSummary", "creditGrants", "creditsLedger", "creditUsage", "getAutoRechargeSettings"],
	],
	Mutation: [
		...["createApiKey", "updateApiKey", "rotateApiKey", "revokeApiKey"],
		...["createOneEnvironment", "updateOneEnvironment", "archiveEnvironment", "mergeEnvironment"],
		...["provisionCustomer", "createOneCustomer", "updateOneCustomer", "updateCustomer", "importOneCustomer"],
		...["importCustomer", "importCustomersBulk", "archiveCustomer", "unarchiveCustomer", "detachCustomerPaymentMethod"],
		...["provisionSubscription", "provisionSubscriptionV2", "applySubscription", "createSubscription"],
		...[
			"updateOneSubscription",
			"updateSubscription",
			"cancelSubscription",
			"cancelSchedule",
			"importSubscriptionsBulk",
		],
		...["migrateSubscriptionToLatest", "transferSubscription", "transferSubscriptionToResource"],
		...["delegateSubscriptionToCustomer", "estimateSubscription", "estimateSubscriptionUpdate", "previewSubscription"],
		...["previewNextInvoice", "initiateCheckout", "createPaymentSession"],
		...["createUsageMeasurement", "reportUsage", "reportUsageBulk", "reportEvent", "reportEntitlementCheckRequested"],
		...["consumeCredits", "consumeCreditsAsync", "createCreditGrant", "voidCreditGrant", "saveAutoRechargeSettings"],
		...["grantPromotionalEntitlements", "revokePromotionalEntitlement", "createOneCoupon"],
		...[
			"grantPromotionalEntitlementsGroup",
			"revokePromotionalEntitlementsGroup",
			"unlinkPromotionalEntitlementsGroup",
		],
	],
};

/** Their area is not there yet. */
export const fieldsNotBuilt: readonly string[] = [];
