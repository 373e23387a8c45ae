import { fieldsOf, type GraphqlArea, inputOf, referred, textOf } from "../../graphql/area";
import { pascalCase } from "../../graphql/input/value-formats";
import type { OperationContext } from "../../graphql/request/context";
import type { Work } from "../../kernel/work";
import { couponsByIds } from "../coupons/operations";
import { customersByIds, findCustomer, resourcesByIds } from "../customers/operations";
import { defaultPayerId } from "../customers/parents/rules";
import { versionsByIds } from "../packages/operations";
import { intervalOf, periodName } from "../pricing/rules.billing-period";
import { viewTerm } from "../pricing/rules.terms";
import { productsByIds } from "../products/operations";
import { taxationOf } from "../taxes/operations";
import { recurringPrice } from "./billing/total-price";
import { detailsOf, type SubscriptionDetails } from "./details";
import { getSubscription, subscriptionsByIds } from "./operations";
import { addonsOf, liveSubscriptions, quantitiesOf } from "./operations.reading";
import { shownZone } from "./rules";
import { cancelReasonAt, hasEnded, statusAt } from "./rules.status";
import {
	cancelReasons,
	PaymentCollection,
	PhaseShown,
	Subscription,
	SubscriptionCouponStatus,
	SubscriptionResume,
	TrialEndBehavior,
} from "./schema";
import { PaymentCollectionMethod } from "./schema.provision";
import { RunningTermShown } from "./schema.term";
import type { SubscriptionRow } from "./table";
import type { SubscriptionAddonRow } from "./table.parts";
import { includesChildUsage } from "./terms/rules.child-usage";
import { type FutureUpdate, futureUpdatesOf, viewPause, viewSubscription } from "./view";

const schemas = {
	PaymentCollection,
	PaymentCollectionMethod,
	TrialEndBehavior,
	SubscriptionCouponStatus,
	Subscription,
	PhaseShown,
	RunningTermShown,
	SubscriptionResume,
};

const typeDefs = `
	enum SubscriptionStatus { ACTIVE CANCELED EXPIRED IN_TRIAL NOT_STARTED PAYMENT_PENDING PAUSED }
	enum SubscriptionCancelReason { ${cancelReasons.map(pascalCase).join(" ")} }
	enum PaymentCollection from PaymentCollection
	enum PaymentCollectionMethod from PaymentCollectionMethod
	enum InvoiceStatus { OPEN CANCELED PAID DRAFT }
	type SubscriptionPrice {
		"The purchased units of a per-unit price."
		usageLimit: Float
		price: Price
	}
	type SubscriptionAddon { id: ID! quantity: Int! addon: Addon! }
	type SubscriptionResource { resourceId: String! }
	"The price of a whole billing period that is charged in advance, at the current terms."
	type CustomerSubscriptionTotalPrice { subTotal: Money! total: Money! }
	enum SubscriptionScheduleType {
		Downgrade Plan BillingPeriod UnitAmount RecurringCredits PriceOverride Addon Coupon MigrateToLatest
		AdditionalMetaData BillingInfoMetadata
	}
	enum SubscriptionScheduleStatus { Scheduled PendingPayment Done Failed Canceled }
	type SubscriptionFutureUpdate {
		subscriptionScheduleType: SubscriptionScheduleType! scheduleStatus: SubscriptionScheduleStatus!
		"The time of the update, or the deadline of its payment."
		scheduledExecutionTime: DateTime!
		"The plan of the update, if it has one."
		targetPackage: Plan
	}
	enum SubscriptionTrialEndBehavior from TrialEndBehavior
	type SubscriptionTrial from Subscription.trial
	enum ResumedBillingCycle from SubscriptionResume.billingCycleAnchor
	"A pause that is scheduled, or in effect."
	type SubscriptionPause from Subscription.pause { date as DateTime resumeAt as DateTime prorate billingCycleAnchor as ResumedBillingCycle }
	"A term with its time."
	type SubscriptionTerm from RunningTermShown { * startDate as DateTime endDate as DateTime noticeDate as DateTime owedUntil as DateTime renewal as SubscriptionTermRenewal { * } earlyCancellation as EarlyCancellation }
	"A phase with its time."
	type SubscriptionPhase from PhaseShown { id displayName percentOff startDate as DateTime endDate as DateTime }
	type SubscriptionBudget from Subscription.budget
	enum SubscriptionCouponStatus from SubscriptionCouponStatus
	"A discount of this subscription."
	type SubscriptionCoupon { status: SubscriptionCouponStatus! coupon: Coupon! }
	enum BillingAnchorType from Subscription.billingAnchor.type
	enum FirstPeriod from Subscription.billingAnchor.firstPeriod
	type ChosenBillingAnchor from Subscription.billingAnchor { type as BillingAnchorType dayOfMonth month dayOfWeek date as DateTime firstPeriod as FirstPeriod }
	input BillingAnchorInput from Subscription.billingAnchor { type as BillingAnchorType dayOfMonth month dayOfWeek date as DateTime firstPeriod as FirstPeriod }
	type CustomerSubscription from Subscription {
		id
		"The caller's id. subscriptionId is another name for it."
		refId
		subscriptionId: String! status as SubscriptionStatus cancelReason as SubscriptionCancelReason
		pricingType? billingPeriod: BillingPeriod
		"The length of billingPeriod."
		billingInterval: BillingInterval
		"The usage of the customer's children counts too."
		includesChildUsage: Boolean!
		"Null unless the currency was chosen among several, or named by the sale."
		billingCurrency: Currency
		"Null unless the subscription has a mode of its own."
		prorationMode as ProrationMode
		"Null unless the subscription has an anchor of its own."
		billingAnchor as ChosenBillingAnchor
		"Null for the thresholds of the plan; empty for none."
		spendThresholds as Money
		"Null for the commitments of the plan; empty for none."
		commitments as SpendCommitment
		"Null for UTC. After a change: the zone of the next periods."
		timeZone billingId billingLinkUrl: String
		"The address and tax ids for invoices, and metadata, as they were sent."
		billingInformation: JSON
		crmId: String
		"As crmId."
		salesforceId: String
		contractId additionalMetaData startDate endDate trialEndDate trial cancellationDate
		effectiveEndDate billingCycleAnchor as DateTime currentBillingPeriodStart currentBillingPeriodEnd
		paymentCollection paymentCollectionMethod as PaymentCollectionMethod
		billingSyncError: String plan: Plan! addons as SubscriptionAddon? prices as SubscriptionPrice?
		"Null when nothing is charged in advance."
		totalPrice: CustomerSubscriptionTotalPrice
		"Null unless the subscription has phases of its own."
		phases as Phase
		"Null before billing starts, after the last phase, and without phases."
		phase as SubscriptionPhase
		"Null unless the subscription has a term of its own."
		term as Term
		"The term that runs. Null before billing starts, and without a term."
		currentTerm as SubscriptionTerm
		"The phases that follow."
		scheduledPhases as SubscriptionPhase
		pause minimumSpend budget coupons as SubscriptionCoupon?
		"Scheduled updates, and updates that wait for a payment."
		futureUpdates as SubscriptionFutureUpdate?
		customer: Customer! payingCustomer: Customer resource: SubscriptionResource
		latestInvoice as SubscriptionInvoice { billingId status as InvoiceStatus * updatedAt }
		experimentInfo: ExperimentInfo environmentId createdAt
	}
	input GetSubscriptionInput { subscriptionId: String! environmentId: String }
	input GetActiveSubscriptionsInput {
		customerId: String! resourceId: String
		"Selects these resources and resourceId. Without both: subscriptions on every resource, and on none."
		resourceIds: [String!]
		environmentId: String
	}
`;

interface Detailed {
	readonly details: SubscriptionDetails;
	readonly view: Subscription;
}

/** The details and REST's view, which only some fields need. */
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

/** The effective prices: overrides replace those of the catalogue. The plan's prices come first. */
function pricesOf(row: SubscriptionRow, context: OperationContext) {
	const held = context.related(row, ({ id }) => id, detailedByIds)?.details.prices ?? [];
	const purchased = context.related(row, ({ id }) => id, quantitiesOfSubscriptions) ?? [];
	const charges = context.together(held.filter(({ charge }) => !charge.isOverage).map(({ charge }) => charge));
	return charges.map((charge) => {
		const units =
			charge.featureId === null ? undefined : purchased.find(({ featureId }) => featureId === charge.featureId);
		return { usageLimit: units && charge.billingModel === "PER_UNIT" ? units.quantity : null, price: charge };
	});
}

/** The view has their status, which shows expiry. The details have the coupons themselves. */
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
	const named = context.related(row, ({ payingCustomerId }) => payingCustomerId, customersByIds);
	const paying = named ?? context.related(customer, defaultPayerId, customersByIds) ?? customer;
	const taxation = taxationOf(context.work, row, paying);
	const price = recurringPrice(context.work, { details, product, customer, coupon, purchased, taxation });
	if (!price) return null;
	const { currency, subTotal, total } = price;
	return { subTotal: { amount: subTotal, currency }, total: { amount: total, currency } };
}

/** With the subscription, so one query reads the plans of all subscriptions of the page. */
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
		billingPeriod: ({ billingPeriod }) => billingPeriod && periodName(billingPeriod),
		billingInterval: ({ billingPeriod }) => billingPeriod && intervalOf(billingPeriod),
		billingCurrency: (row, _, context) => viewOf(row, context)?.billingCurrency ?? null,
		startDate: ({ startAt }) => startAt,
		endDate: ({ endAt }) => endAt,
		trialEndDate: ({ trialEndAt }) => trialEndAt,
		phases: (row, _, context) => viewOf(row, context)?.phases ?? null,
		phase: (row, _, context) => viewOf(row, context)?.phase ?? null,
		scheduledPhases: (row, _, context) => viewOf(row, context)?.scheduledPhases ?? null,
		term: ({ term }) => term && viewTerm(term),
		currentTerm: (row, _, context) => viewOf(row, context)?.currentTerm ?? null,
		pause: (row, _, { work }) => (row.pause && !hasEnded(statusAt(row, work.now)) ? viewPause(row.pause) : null),
		trial: ({ trialEndBehavior }) => trialEndBehavior && { trialEndBehavior },
		cancellationDate: ({ cancelAt }) => cancelAt,
		billingCycleAnchor: ({ billingAnchorAt }) => billingAnchorAt,
		timeZone: (row) => shownZone(row),
		effectiveEndDate: (row, _, context) => viewOf(row, context)?.effectiveEndDate,
		currentBillingPeriodStart: (row, _, context) => viewOf(row, context)?.currentBillingPeriodStart,
		currentBillingPeriodEnd: (row, _, context) => viewOf(row, context)?.currentBillingPeriodEnd,
		latestInvoice(row, _, context) {
			const { view, details } = context.related(row, ({ id }) => id, detailedByIds) ?? {};
			const invoice = view?.latestInvoice;
			return invoice && { ...invoice, updatedAt: details?.latestInvoice?.updatedAt };
		},
		plan: referred(({ versionId }) => versionId, versionsByIds),
		addons: (row, _, context) => context.related(row, ({ id }) => id, addonsOfSubscriptions) ?? [],
		prices: (row, _, context) => pricesOf(row, context),
		totalPrice: (row, _, context) => totalPriceOf(row, context),
		coupons: (row, _, context) => couponsOf(row, context),
		futureUpdates: (row, _, context) => futureUpdates(row, context),
		customer: referred(({ customerId }) => customerId, customersByIds),
		includesChildUsage,
		payingCustomer: referred(({ payingCustomerId }) => payingCustomerId, customersByIds),
		resource(row, _, context) {
			const resource = context.related(row, ({ resourceId }) => resourceId, resourcesByIds);
			return resource && { resourceId: resource.refId };
		},
		// The built-in billing has no page and cannot get out of sync. There are no experiments.
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
		addon: referred(({ versionId }) => versionId, versionsByIds),
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
	schemas,
	typeDefs,
	types: { CustomerSubscription: subscription, SubscriptionAddon: addon, SubscriptionFutureUpdate: futureUpdate },
	queries: {
		getSubscription: {
			signature: "(input: GetSubscriptionInput!): CustomerSubscription",
			...{ comment: "Throws SubscriptionNotFound.", scope: "SUBSCRIPTION:READ" },
			resolve: (args, { work }) => getSubscription(work, textOf(inputOf(args, "input"), "subscriptionId") ?? ""),
		},
		getActiveSubscriptions: {
			signature: "(input: GetActiveSubscriptionsInput!): [CustomerSubscription!]!",
			comment: "The subscriptions that give access now, oldest first. Empty for an unknown customer.",
			scope: "SUBSCRIPTION:READ",
			resolve: (args, context) => context.together(activeSubscriptions(context.work, inputOf(args, "input"))),
		},
	},
};
