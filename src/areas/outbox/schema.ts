import { type Static, type TObject, type TProperties, Type } from "@sinclair/typebox";
import { literals, Metadata, nullable } from "../../kernel/schema";

// Payloads by kind of entity. `id` is the caller's id and `entityId` the internal one (docs/webhooks.md).

const Id = Type.String();
const IsoTime = Type.String({ description: "ISO 8601, UTC" });
const Named = Type.Object({ id: Id });
const MoneyAmount = Type.Object({ amount: Type.Number(), currency: Type.String() });

/** Payloads allow additional fields, because later versions may add some. */
const payload = <Fields extends TProperties>(fields: Fields): TObject<Fields> => Type.Object(fields);

export const CustomerPayload = payload({
	id: Id,
	entityId: Id,
	name: nullable(Type.String()),
	email: nullable(Type.String()),
	billingId: nullable(Type.String()),
	metadata: Metadata,
	/** Present if the customer has a parent. */
	parentCustomerId: Type.Optional(Type.String()),
});

export const PaymentMethodPayload = payload({
	...CustomerPayload.properties,
	paymentMethodId: nullable(Type.String()),
});

/** Present for billing periods other than MONTHLY and ANNUALLY. */
const Interval = Type.Object({ unit: literals("DAY", "MONTH"), count: Type.Integer() });

const subscription = {
	id: Id,
	entityId: Id,
	billingId: nullable(Type.String()),
	status: Type.String(),
	pricingType: Type.String(),
	startDate: IsoTime,
	endDate: nullable(IsoTime),
	cancellationDate: nullable(IsoTime),
	cancelReason: nullable(Type.String()),
	trialEndDate: nullable(IsoTime),
	currentBillingPeriodStart: nullable(IsoTime),
	currentBillingPeriodEnd: nullable(IsoTime),
	billingPeriod: nullable(Type.String()),
	billingInterval: Type.Optional(Interval),
	billingCurrency: nullable(Type.String()),
	isTrialSubscription: Type.Boolean(),
	paymentCollection: Type.String(),
	resource: nullable(Named),
	plan: Named,
	addons: Type.Array(Type.Object({ id: Id, quantity: Type.Number() })),
	customer: Named,
	metadata: Metadata,
};
export const SubscriptionPayload = payload(subscription);

export const ConversionReason = literals("TRIAL_ENDED", "PAID_SUBSCRIPTION_PROVISIONED");
export const TrialConvertedPayload = payload({ ...subscription, conversionReason: ConversionReason });

export const PackagePayload = payload({
	id: Id,
	entityId: Id,
	name: Type.String(),
	description: nullable(Type.String()),
	productId: Id,
	status: Type.String(),
	isLatest: Type.Boolean(),
	version: Type.Integer(),
	pricingType: nullable(Type.String()),
	packageEntitlements: Type.Array(
		Type.Object({
			id: Id,
			type: literals("FEATURE", "CREDIT"),
			usageLimit: nullable(Type.Number()),
			hasUnlimitedUsage: Type.Boolean(),
			amount: nullable(Type.Number()),
		}),
	),
	prices: Type.Array(
		Type.Object({
			id: Id,
			billingModel: Type.String(),
			billingPeriod: nullable(Type.String()),
			billingInterval: Type.Optional(Interval),
			featureId: nullable(Id),
			price: nullable(MoneyAmount),
		}),
	),
	metadata: Metadata,
});

export const ProductPayload = payload({
	id: Id,
	entityId: Id,
	name: nullable(Type.String()),
	description: nullable(Type.String()),
	status: Type.String(),
	multipleSubscriptions: Type.Boolean(),
	metadata: Metadata,
});

export const FeaturePayload = payload({
	id: Id,
	entityId: Id,
	name: Type.String(),
	description: nullable(Type.String()),
	featureType: Type.String(),
	meterType: Type.String(),
	status: Type.String(),
	metadata: Metadata,
});

export const CouponPayload = payload({
	id: Id,
	entityId: Id,
	name: Type.String(),
	description: nullable(Type.String()),
	couponType: Type.String(),
	status: Type.String(),
	discountValue: Type.Number({ description: "percent, or the amount in the first of its currencies" }),
	createdAt: IsoTime,
	updatedAt: IsoTime,
});

export const PromotionalEntitlementPayload = payload({
	id: Id,
	entityId: Id,
	status: Type.String(),
	feature: Named,
	customer: Named,
	period: Type.String(),
	startDate: IsoTime,
	endDate: nullable(IsoTime),
	usageLimit: nullable(Type.Number()),
	hasUnlimitedUsage: nullable(Type.Boolean()),
	hasSoftLimit: nullable(Type.Boolean()),
});

const invoice = {
	id: Id,
	entityId: Id,
	number: Type.String(),
	state: Type.String(),
	billingReason: Type.String(),
	customer: Named,
	subscription: nullable(Type.Object({ entityId: Id })),
	contract: nullable(Named),
	currency: Type.String(),
	subTotal: Type.Number(),
	discount: Type.Number(),
	tax: Type.Number(),
	total: Type.Number(),
	amountPaid: Type.Number(),
	issuedAt: IsoTime,
	dueDate: IsoTime,
	paidAt: nullable(IsoTime),
};
export const InvoicePayload = payload(invoice);
export const InvoiceCreditedPayload = payload({
	...invoice,
	creditNote: Type.Object({ id: Id, number: Type.String(), reason: Type.String(), total: Type.Number() }),
});

export const CreditGrantPayload = payload({
	id: Id,
	entityId: Id,
	name: Type.String(),
	grantType: Type.String(),
	status: Type.String(),
	amount: Type.Number(),
	consumedAmount: Type.Number(),
	customer: Named,
	currency: Named,
	resource: nullable(Named),
	effectiveAt: IsoTime,
	expireAt: nullable(IsoTime),
	voidedAt: nullable(IsoTime),
});

export const CreditBalancePayload = payload({
	eventId: Id,
	customer: Named,
	currency: Named,
	resource: nullable(Named),
	totalGranted: Type.Number(),
	remaining: Type.Number(),
	percentageUsed: Type.Number(),
});

export const MeasurementPayload = payload({
	customer: Named,
	resource: nullable(Named),
	feature: Named,
	currentChange: Type.Number({ description: "the change; negative for a reduction" }),
	currentUsage: nullable(Type.Number()),
	usageLimit: nullable(Type.Number()),
	usageUsedPercentage: nullable(Type.Number()),
	hasUnlimitedUsage: Type.Boolean(),
	nextResetDate: nullable(IsoTime),
});

export const EntitlementsUpdatedPayload = payload({
	trigger: literals("subscription_updated", "promotional_entitlement_updated"),
	customer: Named,
	resource: nullable(Named),
	entitlements: Type.Array(Type.Object({ type: literals("FEATURE", "CREDIT"), isGranted: Type.Boolean() }), {
		description: "as in `GET /customers/{id}/entitlements`",
	}),
	entitlementsUpdatedAt: IsoTime,
});

export const UsageExceededPayload = payload({
	eventId: Id,
	customer: Named,
	resource: nullable(Named),
	feature: Named,
	thresholdType: literals("PERCENT", "ABSOLUTE"),
	threshold: Type.Number(),
	currentUsage: Type.Number(),
	usageLimit: nullable(Type.Number()),
	usageUsedPercentage: nullable(Type.Number()),
	usagePeriodStart: nullable(IsoTime),
	usagePeriodEnd: nullable(IsoTime),
});

const budget = {
	...{ customer: Named, entity: Named, parent: nullable(Named), feature: nullable(Named), currency: nullable(Named) },
	scopeEntityIds: Type.Array(Id),
	usageLimit: nullable(Type.Number()),
	hasSoftLimit: Type.Boolean(),
	currentUsage: Type.Number(),
	utilization: nullable(Type.Number()),
	cadence: Type.String(),
	usagePeriodStart: IsoTime,
	usagePeriodEnd: nullable(IsoTime),
};

export const BudgetThresholdPayload = payload({
	eventId: Id,
	...budget,
	thresholdType: literals("PERCENT", "ABSOLUTE"),
	threshold: Type.Number(),
});

export const BudgetExceededPayload = payload({
	...budget,
	cause: Type.Union([Type.Literal("DENIED"), Type.Literal("USAGE")], {
		description: "DENIED: a use was denied. USAGE: usage passed the limit.",
	}),
});

export const BudgetRequestPayload = payload({
	...{ id: Id, entityId: Id, customer: Named, entity: Named, feature: nullable(Named), currency: nullable(Named) },
	amount: Type.Number(),
	approvedAmount: nullable(Type.Number()),
	duration: literals("PERIOD", "PERMANENT"),
	status: Type.String(),
});

export const RechargeConfigurationPayload = payload({
	entityId: Id,
	customer: Named,
	currency: Named,
	isEnabled: Type.Boolean(),
	thresholdType: Type.String(),
	thresholdValue: Type.Number(),
	targetBalance: Type.Number(),
	maxSpendLimit: nullable(Type.Number()),
	grantExpirationPeriod: Type.String(),
});

export const RechargeAttemptPayload = payload({
	entityId: Id,
	customer: Named,
	currency: Named,
	status: literals("SUCCEEDED", "AWAITS_PAYMENT", "FAILED"),
	problem: nullable(Type.String()),
	amount: nullable(Type.Number()),
	creditGrantId: nullable(Id),
});

export const RechargeLimitPayload = payload({
	entityId: Id,
	customer: Named,
	currency: Named,
	percentage: Type.Number({ description: "80, 90 or 100 percent of the monthly limit" }),
	spent: Type.Number(),
	maxSpendLimit: Type.Number(),
});

export const ContractPayload = payload({
	id: Id,
	entityId: Id,
	name: nullable(Type.String()),
	poNumber: nullable(Type.String()),
	customer: Named,
	billingState: nullable(Type.String()),
	activationStartDate: nullable(IsoTime),
	activationEndDate: nullable(IsoTime),
	archivedAt: nullable(IsoTime),
});

export const TaskPayload = payload({
	id: Id,
	entityId: Id,
	taskType: Type.String(),
	status: Type.String(),
	totalSubtasksCount: nullable(Type.Number()),
	completedSubtasksCount: Type.Number(),
});

export const ApiKeyPayload = payload({
	id: Id,
	entityId: Id,
	name: Type.String(),
	keyKind: Type.String(),
	prefix: Type.String(),
	expiresAt: nullable(IsoTime),
});

export const WebhookPayload = payload({
	id: Id,
	entityId: Id,
	endpoint: Type.String(),
	status: Type.String(),
	reason: Type.String(),
});

export type CustomerPayload = Static<typeof CustomerPayload>;
export type SubscriptionPayload = Static<typeof SubscriptionPayload>;
