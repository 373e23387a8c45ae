import { type Static, Type } from "@sinclair/typebox";
import { literals, Metadata, nullable } from "../../kernel/schema";
import { Id, IsoTime, MoneyAmount, Named, payload } from "./schema.payload";

// Payloads by kind of entity.

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
	/** Only for a consolidated invoice: its first hundred subscriptions, and the number of all of them. */
	subscriptions: Type.Optional(Type.Array(Type.Object({ id: Id, entityId: Id }))),
	subscriptionsCount: Type.Optional(Type.Integer()),
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
export const ReceiptPayload = payload({
	id: Id,
	entityId: Id,
	number: Type.String(),
	kind: Type.String(),
	customer: Named,
	currency: Type.String(),
	amount: Type.Number(),
	unallocatedAmount: Type.Number(),
	refundedAmount: Type.Number(),
	method: Type.String(),
	receivedAt: IsoTime,
});

export const DunningPayload = payload({
	id: Id,
	entityId: Id,
	state: Type.String(),
	customer: Named,
	invoice: Type.Object({ id: Id, number: Type.String() }),
	policy: Named,
	currency: Type.String(),
	amountDue: Type.Number(),
	dueDate: IsoTime,
	reminder: nullable(
		Type.Object({
			kind: Type.String(),
			days: Type.Number({ description: "days from the due date, by the policy" }),
			mail: Type.Object({ id: Id, status: Type.String({ description: "QUEUED, or why it is not sent" }) }),
		}),
	),
	suspension: nullable(Type.String()),
	endReason: nullable(Type.String()),
	nextStepAt: nullable(IsoTime),
});

export const DisputePayload = payload({
	id: Id,
	entityId: Id,
	state: Type.String(),
	customer: Named,
	receipt: Type.Object({ entityId: Id }),
	currency: Type.String(),
	amount: Type.Number(),
	openedAt: IsoTime,
	evidenceDueAt: nullable(IsoTime),
	endedAt: nullable(IsoTime),
});

export const PaymentAttemptPayload = payload({
	id: Id,
	entityId: Id,
	state: Type.String(),
	customer: Named,
	amount: Type.Number(),
	currency: Type.String(),
	invoices: Type.Array(Type.Object({ id: Id, amount: Type.Number() })),
	failureCode: nullable(Type.String()),
	failureBucket: nullable(Type.String()),
	createdAt: IsoTime,
	endedAt: nullable(IsoTime),
});

export const ProviderRefundPayload = payload({
	id: Id,
	entityId: Id,
	state: Type.String(),
	customer: Named,
	receipt: Type.Object({ entityId: Id }),
	amount: Type.Number(),
	currency: Type.String(),
	failureCode: nullable(Type.String()),
	createdAt: IsoTime,
	endedAt: nullable(IsoTime),
});

export const BankStatementPayload = payload({
	id: Id,
	entityId: Id,
	bankAccountId: Id,
	number: Type.Union([Type.String(), Type.Null()]),
	sequence: Type.Union([Type.Integer(), Type.Null()]),
	openingBalance: nullable(Type.Number()),
	closingBalance: nullable(Type.Number()),
	entriesCount: Type.Integer(),
	missing: Type.Union([Type.Object({ from: Type.Integer(), to: Type.Integer() }), Type.Null()]),
	createdAt: IsoTime,
});

export const BankEntryPayload = payload({
	id: Id,
	entityId: Id,
	bankAccountId: Id,
	statementId: Id,
	state: Type.String(),
	amount: Type.Number(),
	currency: Type.String(),
	bookedOn: Type.String(),
	customer: Type.Optional(Named),
	receiptId: Type.Union([Id, Type.Null()]),
});

export const MandatePayload = payload({
	id: Id,
	entityId: Id,
	customer: Named,
	legalEntityId: Id,
	reference: Type.String(),
	creditorId: Type.String(),
	scheme: literals("CORE", "B2B"),
	kind: literals("RECURRENT", "ONE_OFF"),
	state: Type.String(),
	signedOn: Type.String(),
	stopCode: nullable(Type.String()),
	createdAt: IsoTime,
});

export const DirectDebitPayload = payload({
	id: Id,
	entityId: Id,
	customer: Named,
	state: Type.String(),
	invoiceId: Id,
	amount: Type.Number(),
	currency: Type.String(),
	/** The day on which the bank collects it. */
	collectionOn: Type.String(),
	mandateReference: Type.String(),
	creditorId: Type.String(),
	endToEndId: Type.String(),
	fileId: nullable(Id),
	receiptId: nullable(Id),
	returnCode: nullable(Type.String()),
	createdAt: IsoTime,
});

export const DirectDebitFilePayload = payload({
	id: Id,
	entityId: Id,
	legalEntityId: Id,
	format: Type.String(),
	messageId: Type.String(),
	debitsCount: Type.Integer(),
	total: Type.Number(),
	currency: Type.String(),
	createdAt: IsoTime,
});

export const InvoiceCreditedPayload = payload({
	...invoice,
	creditNote: Type.Object({ id: Id, number: Type.String(), reason: Type.String(), total: Type.Number() }),
});

export const InvoicePaymentReversedPayload = payload({
	...invoice,
	payment: Type.Object({
		id: Id,
		amount: Type.Number(),
		balanceAmount: Type.Number({ description: "the part that the customer's balance gave" }),
		reason: Type.String(),
	}),
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
