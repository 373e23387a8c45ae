import { eq, sql } from "drizzle-orm";
import { fieldsOf, type GraphqlArea, inputOf, textOf } from "../../graphql/area";
import type { Asking } from "../../graphql/asking";
import { choice, date, type List, numeric, reckoned, relation, text, textThrough } from "../../graphql/list";
import { toWire } from "../../kernel/decimal";
import type { Work } from "../../kernel/work";
import { customersByIds, resourcesByIds } from "../customers/operations";
import { customerResources, customers } from "../customers/table";
import { versionsByIds } from "../packages/operations";
import { packages } from "../packages/table";
import { products } from "../products/table";
import { detailsOf, type SubscriptionDetails } from "./details";
import { addonsOf, getSubscription, quantitiesOf, subscriptionsByIds } from "./operations";
import { cancelReasonAt, statusAt } from "./rules";
import type { Subscription } from "./schema";
import { type SubscriptionAddonRow, type SubscriptionRow, subscriptionAddons, subscriptions } from "./table";
import { viewSubscription } from "./view";

const typeDefs = `
	enum SubscriptionStatus { ACTIVE CANCELED EXPIRED IN_TRIAL NOT_STARTED PAYMENT_PENDING }
	enum SubscriptionCancelReason {
		UPGRADE_OR_DOWNGRADE CANCELLED_BY_BILLING EXPIRED DETACH_BILLING TRIAL_ENDED Immediate TRIAL_CONVERTED
		PENDING_PAYMENT_EXPIRED ScheduledCancellation CustomerArchived AutoCancellationRule
	}
	enum PaymentCollection { NOT_REQUIRED PROCESSING FAILED ACTION_REQUIRED }
	enum PaymentCollectionMethod { CHARGE INVOICE NONE }
	enum InvoiceStatus { OPEN CANCELED PAID }
	type SubscriptionPrice {
		"Units bought in advance, where the price is by the unit."
		usageLimit: Float
		price: Price
	}
	type SubscriptionAddon { id: ID! quantity: Int! addon: Addon! }
	type SubscriptionResource { resourceId: String! }
	type SubscriptionInvoice {
		billingId: String!
		status: InvoiceStatus!
		requiresAction: Boolean!
		amountDue: Float
		billingReason: String
		currency: String
		pdfUrl: String
		total: Float
		createdAt: DateTime!
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
		crmId: String
		additionalMetaData: JSON
		startDate: DateTime!
		endDate: DateTime
		trialEndDate: DateTime
		cancellationDate: DateTime
		effectiveEndDate: DateTime
		currentBillingPeriodStart: DateTime
		currentBillingPeriodEnd: DateTime
		paymentCollection: PaymentCollection!
		paymentCollectionMethod: PaymentCollectionMethod
		billingSyncError: String
		plan: Plan!
		addons: [SubscriptionAddon!]
		prices: [SubscriptionPrice!]
		customer: Customer!
		payingCustomer: Customer
		resource: SubscriptionResource
		latestInvoice: SubscriptionInvoice
		experimentInfo: ExperimentInfo
		environmentId: String!
		createdAt: DateTime!
	}
	input GetSubscriptionInput { subscriptionId: String! environmentId: String }
	extend type Query {
		"Throws SubscriptionNotFound."
		getSubscription(input: GetSubscriptionInput!): CustomerSubscription
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

const viewOf = (row: SubscriptionRow, asking: Asking): Subscription | undefined =>
	asking.related(row, ({ id }) => id, detailedByIds)?.view;

const addonsOfSubscriptions = (work: Work, ids: readonly string[]): Map<string, SubscriptionAddonRow[]> =>
	Map.groupBy(addonsOf(work, ids), ({ subscriptionId }) => subscriptionId);

const quantitiesOfSubscriptions = (work: Work, ids: readonly string[]) =>
	Map.groupBy(quantitiesOf(work, ids), ({ subscriptionId }) => subscriptionId);

/** The prices that hold, the subscription's own in the place of the catalogue's; the plan's come first. */
function pricesOf(row: SubscriptionRow, asking: Asking) {
	const held = asking.related(row, ({ id }) => id, detailedByIds)?.details.prices ?? [];
	const bought = asking.related(row, ({ id }) => id, quantitiesOfSubscriptions) ?? [];
	const charges = asking.together(held.filter(({ charge }) => !charge.isOverage).map(({ charge }) => charge));
	return charges.map((charge) => {
		const units =
			charge.featureId === null ? undefined : bought.find(({ featureId }) => featureId === charge.featureId);
		return { usageLimit: units && charge.billingModel === "PER_UNIT" ? toWire(units.quantity) : null, price: charge };
	});
}

const subscription = fieldsOf<SubscriptionRow>({
	scope: "SUBSCRIPTION:READ",
	open: ["id", "refId", "subscriptionId"],
	fields: {
		subscriptionId: ({ refId }) => refId,
		status: (row, _, { work }) => statusAt(row, work.now),
		cancelReason: (row, _, { work }) => cancelReasonAt(row, work.now),
		additionalMetaData: ({ metadata }) => metadata,
		startDate: ({ startAt }) => startAt,
		endDate: ({ endAt }) => endAt,
		trialEndDate: ({ trialEndAt }) => trialEndAt,
		cancellationDate: ({ cancelAt }) => cancelAt,
		effectiveEndDate: (row, _, asking) => viewOf(row, asking)?.effectiveEndDate,
		currentBillingPeriodStart: (row, _, asking) => viewOf(row, asking)?.currentBillingPeriodStart,
		currentBillingPeriodEnd: (row, _, asking) => viewOf(row, asking)?.currentBillingPeriodEnd,
		latestInvoice(row, _, asking) {
			const invoice = viewOf(row, asking)?.latestInvoice;
			return invoice && { ...invoice, currency: invoice.currency?.toUpperCase() };
		},
		plan: (row, _, asking) => asking.related(row, ({ versionId }) => versionId, versionsByIds),
		addons: (row, _, asking) => asking.related(row, ({ id }) => id, addonsOfSubscriptions) ?? [],
		prices: (row, _, asking) => pricesOf(row, asking),
		customer: (row, _, asking) => asking.related(row, ({ customerId }) => customerId, customersByIds),
		payingCustomer: (row, _, asking) => asking.related(row, ({ payingCustomerId }) => payingCustomerId, customersByIds),
		resource(row, _, asking) {
			const resource = asking.related(row, ({ resourceId }) => resourceId, resourcesByIds);
			return resource && { resourceId: resource.refId };
		},
		// The built-in billing has no page of its own and nothing to fall out of step with; there are no experiments.
		billingLinkUrl: () => null,
		billingSyncError: () => null,
		experimentInfo: () => null,
		crmId: ({ salesforceId }) => salesforceId,
	},
});

const addon = fieldsOf<SubscriptionAddonRow>({
	fields: {
		id: ({ subscriptionId, addonId }) => `${subscriptionId}.${addonId}`,
		addon: (row, _, asking) => asking.related(row, ({ versionId }) => versionId, versionsByIds),
	},
});

/** As `statusAt` of the rules: an agreed end that has come counts, written down or not. */
const statusNow = ({ now }: Work) =>
	sql`case when ${subscriptions.status} in ('ACTIVE', 'IN_TRIAL') and ${subscriptions.endAt} <= ${now}
		then 'EXPIRED' else ${subscriptions.status} end`;

const cancelReasonNow = (work: Work) =>
	sql`coalesce(${subscriptions.cancelReason}, case when ${statusNow(work)} = 'EXPIRED' then 'EXPIRED' end)`;

/** SQLite's `min` of several values is null if one of them is. */
const effectiveEnd = sql`coalesce(${subscriptions.endedAt},
	min(coalesce(${subscriptions.endAt}, ${subscriptions.cancelAt}), coalesce(${subscriptions.cancelAt}, ${subscriptions.endAt})))`;

const list: List = {
	field: "subscriptions",
	type: "CustomerSubscription",
	scope: "SUBSCRIPTION:READ",
	source: sql`${subscriptions}`,
	id: subscriptions.id,
	within: ({ actor }) => eq(subscriptions.environmentId, actor.environmentId),
	fields: {
		id: text(subscriptions.id),
		refId: text(subscriptions.refId),
		subscriptionId: text(subscriptions.refId),
		status: reckoned({ enum: "SubscriptionStatus" }, statusNow),
		cancelReason: reckoned({ enum: "SubscriptionCancelReason" }, cancelReasonNow),
		pricingType: choice("PricingType", subscriptions.pricingType),
		billingPeriod: choice("BillingPeriod", subscriptions.billingPeriod),
		billingId: text(subscriptions.billingId),
		crmId: text(subscriptions.salesforceId),
		startDate: date(subscriptions.startAt),
		endDate: date(subscriptions.endAt),
		trialEndDate: date(subscriptions.trialEndAt),
		effectiveEndDate: reckoned("Date", effectiveEnd),
		cancellationDate: date(subscriptions.cancelAt),
		createdAt: date(subscriptions.createdAt),
		environmentId: text(subscriptions.environmentId),
		customerId: textThrough(customers.refId, {
			own: subscriptions.customerId,
			theirs: customers.id,
			environment: customers.environmentId,
		}),
		resourceId: textThrough(customerResources.refId, {
			own: subscriptions.resourceId,
			theirs: customerResources.id,
			environment: customerResources.environmentId,
		}),
		productId: textThrough(products.refId, {
			own: subscriptions.productId,
			theirs: products.id,
			environment: products.environmentId,
		}),
		planId: textThrough(packages.refId, {
			own: subscriptions.planId,
			theirs: packages.id,
			environment: packages.environmentId,
		}),
		customer: relation("Customer", subscriptions.customerId, customers.id),
		addons: relation("SubscriptionAddon", subscriptions.id, subscriptionAddons.subscriptionId),
	},
	rows: subscriptionsByIds,
};

/** Behind `CustomerSubscriptionFilter.addons` only. */
const addonList: List = {
	type: "SubscriptionAddon",
	scope: "SUBSCRIPTION:READ",
	source: sql`${subscriptionAddons} inner join ${subscriptions} on ${subscriptions.id} = ${subscriptionAddons.subscriptionId}`,
	id: subscriptionAddons.addonId,
	within: ({ actor }) => eq(subscriptions.environmentId, actor.environmentId),
	fields: {
		quantity: numeric(subscriptionAddons.quantity),
		addonId: textThrough(packages.refId, {
			own: subscriptionAddons.addonId,
			theirs: packages.id,
			environment: packages.environmentId,
		}),
		createdAt: date(subscriptionAddons.createdAt),
	},
	rows: () => new Map(),
};

export const subscriptionsGraphql: GraphqlArea = {
	typeDefs,
	types: { CustomerSubscription: subscription, SubscriptionAddon: addon },
	queries: {
		getSubscription: {
			scope: "SUBSCRIPTION:READ",
			resolve: (args, { work }) => getSubscription(work, textOf(inputOf(args, "input"), "subscriptionId") ?? ""),
		},
	},
	lists: [list, addonList],
};
