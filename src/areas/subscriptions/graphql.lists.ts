import { eq, sql } from "drizzle-orm";
import type { GraphqlArea } from "../../graphql/area";
import { choice, date, type List, numeric, reckoned, relation, text, textThrough } from "../../graphql/list";
import type { Work } from "../../kernel/work";
import { customerResources, customers } from "../customers/table";
import { packages } from "../packages/table";
import { products } from "../products/table";
import { subscriptionsByIds } from "./operations";
import { subscriptionAddons, subscriptions } from "./table";

/** As `statusAt` of the rules: an end that has come counts, written down or not. */
const statusNow = ({ now }: Work) =>
	sql`case when ${subscriptions.status} in ('CANCELED', 'EXPIRED') or coalesce(${subscriptions.effectiveEndAt} > ${now}, true)
		then ${subscriptions.status}
		when ${subscriptions.cancelAt} = ${subscriptions.effectiveEndAt} then 'CANCELED' else 'EXPIRED' end`;

/** As `cancelReasonAt` of the rules. */
const cancelReasonNow = (work: Work) =>
	sql`case when ${subscriptions.cancelReason} is not null or ${statusNow(work)} = ${subscriptions.status}
		then ${subscriptions.cancelReason}
		when ${subscriptions.cancelAt} = ${subscriptions.effectiveEndAt} then 'ScheduledCancellation'
		when ${subscriptions.endAt} = ${subscriptions.effectiveEndAt} then 'EXPIRED' else 'TRIAL_ENDED' end`;

const effectiveEnd = sql`coalesce(${subscriptions.endedAt}, ${subscriptions.effectiveEndAt})`;

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

/** What `subscriptions` can be filtered and sorted by. */
export const subscriptionListsGraphql: GraphqlArea = { typeDefs: "", lists: [list, addonList] };
