import { fieldsOf, type GraphqlArea, inputOf, textOf } from "../../graphql/area";
import { moneyOf, moneyOrNull, pascalCase } from "../../graphql/input/value-formats";
import type { OperationContext } from "../../graphql/request/context";
import { toWire } from "../../kernel/decimal";
import type { Work } from "../../kernel/work";
import { couponsByIds } from "../coupons/operations";
import { customersByIds, findCustomer, resourcesByIds } from "../customers/operations";
import { versionsByIds } from "../packages/operations";
import { productsByIds } from "../products/operations";
import { recurringPrice } from "./billing/total-price";
import { detailsOf, type SubscriptionDetails } from "./details";
import { addonsOf, getSubscription, liveSubscriptions, quantitiesOf, subscriptionsByIds } from "./operations";
import { cancelReasonAt, statusAt } from "./rules.status";
import { cancelReasons, type Subscription } from "./schema";
import type { SubscriptionRow } from "./table";
import type { SubscriptionAddonRow } from "./table.parts";
import { type FutureUpdate, futureUpdatesOf, viewSubscription } from "./view";

const typeDefs = `
	enum SubscriptionStatus { ACTIVE CANCELED EXPIRED IN_TRIAL NOT_STARTED PAYMENT_PENDING }
	enum SubscriptionCancelReason {
		${cancelReasons.map(pascalCase).join(" ")}
	}
	enum PaymentCollection { NOT_REQUIRED PROCESSING FAILED ACTION_REQUIRED }
	enum PaymentCollectionMethod { CHARGE INVOICE NONE }
	enum InvoiceStatus { OPEN CANCELED PAID DRAFT }
	type SubscriptionPrice {
		"Units bought in advance, where the price is by the unit."
		usageLimit: Float
		price: Price
	}
	type SubscriptionAddon { id: ID! quantity: Int! addon: Addon! }
	type SubscriptionResource { resourceId: String! }
	"What a whole billing period costs in advance, at the terms of today."
	type CustomerSubscriptionTotalPrice { subTotal: Money! total: Money! }
	enum SubscriptionScheduleType {
		Downgrade Plan BillingPeriod UnitAmount RecurringCredits PriceOverride Addon Coupon MigrateToLatest
		AdditionalMetaData BillingInfoMetadata
	}
	enum SubscriptionScheduleStatus { Scheduled PendingPayment Done Failed Canceled }
	type SubscriptionFutureUpdate {
		subscriptionScheduleType: SubscriptionScheduleType!
		scheduleStatus: SubscriptionScheduleStatus!
		"When it happens, or until when its payment is waited for."
		scheduledExecutionTime: DateTime!
		"The plan that it is about, where it is about one."
		targetPackage: Plan
	}
	enum SubscriptionTrialEndBehavior { CONVERT_TO_PAID CANCEL_SUBSCRIPTION }
	type SubscriptionTrial { trialEndBehavior: SubscriptionTrialEndBehavior! }
	type SubscriptionBudget { limit: Float! hasSoftLimit: Boolean! }
	enum SubscriptionCouponStatus { ACTIVE EXPIRED REMOVED }
	"A discount of this subscription alone."
	type SubscriptionCoupon { status: SubscriptionCouponStatus! coupon: Coupon! }
	type SubscriptionInvoice {
		billingId: String!
		status: InvoiceStatus!
		requiresAction: Boolean!
		amountDue: Float
		billingReason: String
		currency: Currency
		pdfUrl: String
		total: Float
		createdAt: DateTime!
		updatedAt: DateTime!
	}
	type CustomerSubscription {
		id: ID!
		"The caller's id; subscriptionId is another name for it."
		refId: String!
		subscriptionId: String!
		status: SubscriptionStatus!
		cancelReason: SubscriptionCancelReason
		pricingType: PricingType
		billingPeriod: BillingPeriod
		billingId: String
		billingLinkUrl: String
		"As it was sent: address and tax ids for the invoices, and metadata."
		billingInformation: JSON
		crmId: String
		"As crmId."
		salesforceId: String
		contractId: String
		additionalMetaData: JSON
		startDate: DateTime!
		endDate: DateTime
		trialEndDate: DateTime
		trial: SubscriptionTrial
		cancellationDate: DateTime
		effectiveEndDate: DateTime
		billingCycleAnchor: DateTime
		currentBillingPeriodStart: DateTime
		currentBillingPeriodEnd: DateTime
		paymentCollection: PaymentCollection!
		paymentCollectionMethod: PaymentCollectionMethod
		billingSyncError: String
		plan: Plan!
		addons: [SubscriptionAddon!]
		prices: [SubscriptionPrice!]
		"Null where nothing is paid in advance."
		totalPrice: CustomerSubscriptionTotalPrice
		minimumSpend: Money
		budget: SubscriptionBudget
		coupons: [SubscriptionCoupon!]
		"What is scheduled, or waits for a payment."
		futureUpdates: [SubscriptionFutureUpdate!]
		customer: Customer!
		payingCustomer: Customer
		resource: SubscriptionResource
		latestInvoice: SubscriptionInvoice
		experimentInfo: ExperimentInfo
		environmentId: String!
		createdAt: DateTime!
	}
	input GetSubscriptionInput { subscriptionId: String! environmentId: String }
	input GetActiveSubscriptionsInput {
		customerId: String!
		resourceId: String
		"Together with resourceId: on any of them. Neither: on every resource, and on none."
		resourceIds: [String!]
		environmentId: String
	}
	extend type Query {
		"Throws SubscriptionNotFound."
		getSubscription(input: GetSubscriptionInput!): CustomerSubscription
		"What gives access now, oldest first; empty for an unknown customer."
		getActiveSubscriptions(input: GetActiveSubscriptionsInput!): [CustomerSubscription!]!
	}
`;

interface Detailed {
	readonly details: SubscriptionDetails;
	readonly view: Subscription;
}

/** As REST shows it; read only where a field is asked for that needs it. */
function detailedByIds(work: Work, ids: readonly string[]): Map<string, Detailed> {
	const rows = [...subscriptionsByIds(work, ids).values()];
	return new Map(
		detailsOf(work, rows).map((details) => [details.row.id, { details, view: viewSubscription(details, work.now) }]),
	);
}

const viewOf = (row: SubscriptionRow, context: OperationContext): Subscription | undefined =>
	context.related(row, ({ id }) => id, detailedByIds)?.view;

const addonsOfSubscriptions = (work: Work, ids: readonly string[]): Map<string, SubscriptionAddonRow[]> =>
	Map.groupBy(addonsOf(work, ids), ({ subscriptionId }) => subscriptionId);

const quantitiesOfSubscriptions = (work: Work, ids: readonly string[]) =>
	Map.groupBy(quantitiesOf(work, ids), ({ subscriptionId }) => subscriptionId);

/** The prices that hold, the subscription's own instead of the catalogue's; the plan's come first. */
function pricesOf(row: SubscriptionRow, context: OperationContext) {
	const held = context.related(row, ({ id }) => id, detailedByIds)?.details.prices ?? [];
	const purchased = context.related(row, ({ id }) => id, quantitiesOfSubscriptions) ?? [];
	const charges = context.together(held.filter(({ charge }) => !charge.isOverage).map(({ charge }) => charge));
	return charges.map((charge) => {
		const units =
			charge.featureId === null ? undefined : purchased.find(({ featureId }) => featureId === charge.featureId);
		return { usageLimit: units && charge.billingModel === "PER_UNIT" ? toWire(units.quantity) : null, price: charge };
	});
}

/** Of the view their status, which tells what has run out; of the details the coupons themselves. */
function couponsOf(row: SubscriptionRow, context: OperationContext) {
	const { view, details } = context.related(row, ({ id }) => id, detailedByIds) ?? {};
	const coupons = context.together(details?.coupons.map(({ coupon }) => coupon) ?? []);
	return coupons.map((coupon, at) => ({ coupon, status: view?.coupons[at]?.status }));
}

function totalPriceOf(row: SubscriptionRow, context: OperationContext) {
	const details = context.related(row, ({ id }) => id, detailedByIds)?.details;
	const product = context.related(row, ({ productId }) => productId, productsByIds);
	const customer = context.related(row, ({ customerId }) => customerId, customersByIds);
	if (!details || !product || !customer) return null;
	const coupon = context.related(customer, ({ couponId }) => couponId, couponsByIds);
	const purchased = context.related(row, ({ id }) => id, quantitiesOfSubscriptions) ?? [];
	const price = recurringPrice({ details, product, customer, coupon, purchased }, context.work.now);
	if (!price) return null;
	const { currency, subTotal, total } = price;
	return { subTotal: moneyOf({ amount: subTotal, currency }), total: moneyOf({ amount: total, currency }) };
}

/** With the subscription, so that the plans of all that came together are read together. */
type ShownUpdate = FutureUpdate & { readonly of: SubscriptionRow };

const futureUpdates = (row: SubscriptionRow, context: OperationContext): ShownUpdate[] => {
	const details = context.related(row, ({ id }) => id, detailedByIds)?.details;
	return details ? futureUpdatesOf(details).map((update) => ({ ...update, of: row })) : [];
};

const targetsOf = (row: SubscriptionRow, context: OperationContext): string[] =>
	futureUpdates(row, context).flatMap(({ target }) => target?.versionId ?? []);

const futureUpdate = fieldsOf<ShownUpdate>({
	fields: {
		subscriptionScheduleType: ({ type }) => pascalCase(type),
		scheduleStatus: ({ status }) => pascalCase(status),
		scheduledExecutionTime: ({ executeAt }) => executeAt,
		targetPackage: ({ of, target }, _, context) =>
			target &&
			context.relatedAll(of, (row) => targetsOf(row, context), versionsByIds).find(({ id }) => id === target.versionId),
	},
});

const subscription = fieldsOf<SubscriptionRow>({
	scope: "SUBSCRIPTION:READ",
	open: ["id", "refId", "subscriptionId"],
	fields: {
		subscriptionId: ({ refId }) => refId,
		status: (row, _, { work }) => statusAt(row, work.now),
		cancelReason(row, _, { work }) {
			const reason = cancelReasonAt(row, work.now);
			return reason && pascalCase(reason);
		},
		additionalMetaData: ({ metadata }) => metadata,
		startDate: ({ startAt }) => startAt,
		endDate: ({ endAt }) => endAt,
		trialEndDate: ({ trialEndAt }) => trialEndAt,
		trial: ({ trialEndBehavior }) => trialEndBehavior && { trialEndBehavior },
		cancellationDate: ({ cancelAt }) => cancelAt,
		billingCycleAnchor: ({ billingAnchorAt }) => billingAnchorAt,
		effectiveEndDate: (row, _, context) => viewOf(row, context)?.effectiveEndDate,
		currentBillingPeriodStart: (row, _, context) => viewOf(row, context)?.currentBillingPeriodStart,
		currentBillingPeriodEnd: (row, _, context) => viewOf(row, context)?.currentBillingPeriodEnd,
		latestInvoice(row, _, context) {
			const { view, details } = context.related(row, ({ id }) => id, detailedByIds) ?? {};
			const invoice = view?.latestInvoice;
			return (
				invoice && {
					...invoice,
					currency: invoice.currency?.toUpperCase(),
					updatedAt: details?.latestInvoice?.updatedAt,
				}
			);
		},
		plan: (row, _, context) => context.related(row, ({ versionId }) => versionId, versionsByIds),
		addons: (row, _, context) => context.related(row, ({ id }) => id, addonsOfSubscriptions) ?? [],
		prices: (row, _, context) => pricesOf(row, context),
		totalPrice: (row, _, context) => totalPriceOf(row, context),
		minimumSpend: ({ minimumSpend }) => moneyOrNull(minimumSpend),
		budget: ({ budget }) => budget && { ...budget, limit: toWire(budget.limit) },
		coupons: (row, _, context) => couponsOf(row, context),
		futureUpdates: (row, _, context) => futureUpdates(row, context),
		customer: (row, _, context) => context.related(row, ({ customerId }) => customerId, customersByIds),
		payingCustomer: (row, _, context) =>
			context.related(row, ({ payingCustomerId }) => payingCustomerId, customersByIds),
		resource(row, _, context) {
			const resource = context.related(row, ({ resourceId }) => resourceId, resourcesByIds);
			return resource && { resourceId: resource.refId };
		},
		// The built-in billing has no page of its own and nothing to fall out of step with; there are no experiments.
		billingLinkUrl: () => null,
		billingSyncError: () => null,
		experimentInfo: () => null,
		crmId: ({ salesforceId }) => salesforceId,
		billingInformation: ({ billingDetails }) => billingDetails,
		contractId: ({ contractRefId }) => contractRefId,
	},
});

const addon = fieldsOf<SubscriptionAddonRow>({
	fields: {
		id: ({ subscriptionId, addonId }) => `${subscriptionId}.${addonId}`,
		addon: (row, _, context) => context.related(row, ({ versionId }) => versionId, versionsByIds),
	},
});

function activeSubscriptions(work: Work, input: Readonly<Record<string, unknown>>): SubscriptionRow[] {
	const customer = findCustomer(work, textOf(input, "customerId") ?? "");
	if (!customer) return [];
	const { resourceId, resourceIds } = input;
	const live = liveSubscriptions(work, customer.id);
	if (resourceId == null && resourceIds == null) return live;
	const wanted = [...(resourceId == null ? [] : [resourceId]), ...(Array.isArray(resourceIds) ? resourceIds : [])];
	const resources = resourcesByIds(
		work,
		live.flatMap((row) => row.resourceId ?? []),
	);
	return live.filter((row) => wanted.includes(resources.get(row.resourceId ?? "")?.refId));
}

export const subscriptionsGraphql: GraphqlArea = {
	typeDefs,
	types: { CustomerSubscription: subscription, SubscriptionAddon: addon, SubscriptionFutureUpdate: futureUpdate },
	queries: {
		getSubscription: {
			scope: "SUBSCRIPTION:READ",
			resolve: (args, { work }) => getSubscription(work, textOf(inputOf(args, "input"), "subscriptionId") ?? ""),
		},
		getActiveSubscriptions: {
			scope: "SUBSCRIPTION:READ",
			resolve: (args, context) => context.together(activeSubscriptions(context.work, inputOf(args, "input"))),
		},
	},
};
