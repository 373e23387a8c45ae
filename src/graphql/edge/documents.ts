// The operations of edge addresses: all fields that known clients read (docs/interface/graphql.md).

const money = "{ amount currency }";
const reset = `resetPeriod resetPeriodConfiguration { __typename ... on YearlyResetPeriodConfig { accordingTo yearlyAccordingTo }
	... on MonthlyResetPeriodConfig { accordingTo monthlyAccordingTo } ... on WeeklyResetPeriodConfig { accordingTo weeklyAccordingTo } }`;
const feature = `feature { refId displayName description featureType meterType featureUnits featureUnitsPlural additionalMetaData }`;

const granted = `{ featureId description displayNameOverride usageLimit hasUnlimitedUsage hasSoftLimit enumValues isGranted isCustom order
	hiddenFromWidgets behavior ${reset} ${feature} }`;

const price = `{ id billingModel billingPeriod billingInterval { unit count } billingCadence billingCountryCode billingId minUnitQuantity maxUnitQuantity
	price ${money} tiers { upTo unitPrice ${money} flatPrice ${money} } tiersMode blockSize creditRate { amount currencyId costFormula }
	topUpCustomCurrencyId ${feature} }`;

const version = `id refId displayName description billingId additionalMetaData pricingType versionNumber entitlements ${granted} prices ${price}
	overagePrices ${price}`;

const plan = `{ ${version}
	product { refId displayName description additionalMetaData productSettings { downgradePlan { refId displayName } } }
	basePlan { id refId displayName } inheritedEntitlements ${granted}
	defaultTrialConfig { duration units budget { limit hasSoftLimit } trialEndBehavior }
	compatibleAddons { ${version} maxQuantity dependencies { refId displayName description } }
	compatiblePackageGroups { packageGroupId displayName addons { refId } options { minItems freeItems } } }`;

const subscription = `{ id refId subscriptionId status additionalMetaData billingId billingLinkUrl effectiveEndDate currentBillingPeriodEnd
	pricingType startDate endDate trialEndDate cancellationDate paymentCollection paymentCollectionMethod billingSyncError
	prices { usageLimit price ${price} } totalPrice { subTotal ${money} total ${money} }
	plan { id refId displayName } addons { quantity addon { id refId displayName } } customer { id refId customerId }
	payingCustomer { refId customerId } resource { resourceId } experimentInfo { id name groupName groupType }
	latestInvoice { billingId status requiresAction amountDue billingReason currency pdfUrl total createdAt updatedAt }
	futureUpdates { subscriptionScheduleType scheduleStatus scheduledExecutionTime targetPackage { refId displayName } } }`;

export const paywallDocument = `query GetPaywall($input: GetPaywallInput!) { paywall(input: $input) { plans ${plan} currency { code symbol }
	configuration customer { refId customerId name email billingId createdAt updatedAt additionalMetaData } resource { resourceId }
	activeSubscriptions ${subscription} } }`;

const entitlement = `isGranted accessDeniedReason customerId resourceId usageLimit hasUnlimitedUsage hasSoftLimit currentUsage requestedUsage
	enumValues ${reset} nextResetDate usagePeriodAnchor usagePeriodStart usagePeriodEnd validUntil entitlementUpdatedAt usageUpdatedAt
	creditRate { amount currencyId costFormula }
	feature { refId displayName description featureType meterType featureUnits featureUnitsPlural unitTransformation { divide round } additionalMetaData }`;

const credits = `isGranted accessDeniedReason customerId resourceId usageLimit currentUsage usagePeriodEnd usageUpdatedAt entitlementUpdatedAt validUntil
	currency { currencyId displayName description unitSingular unitPlural additionalMetaData }`;

export const stateDocument = `query GetEntitlementsState($query: FetchEntitlementsQuery!) { entitlementsState(query: $query) { accessDeniedReason
	entitlementsV2 { __typename ... on FeatureEntitlement { ${entitlement} } ... on CreditEntitlement { ${credits} } } } }`;

export const entitlementsDocument = `query CachedEntitlements($query: FetchEntitlementsQuery!) {
	entitlements: cachedEntitlements(query: $query) { __typename ${entitlement} } }`;

export const entitlementDocument = `query CheckEntitlement($query: FetchEntitlementQuery!) {
	entitlement(query: $query) { __typename ${entitlement} } }`;

export const subscriptionsDocument = `query GetActiveSubscriptions($input: GetActiveSubscriptionsInput!) {
	getActiveSubscriptions(input: $input) ${subscription} }`;

export const configurationDocument = "query GetSdkConfiguration { sdkConfiguration { sentryDsn } }";
