import { and, eq, inArray, sql } from "drizzle-orm";
import type { GraphqlArea } from "../../../graphql/area";
import { pascalCase } from "../../../graphql/input/value-formats";
import { isValues, valuesMax } from "../../../graphql/lists/filter";
import { choice, date, type List, numeric, reckoned, relation, text, textThrough } from "../../../graphql/lists/list";
import type { Work } from "../../../kernel/work";
import { customerResources, customers } from "../../customers/table";
import { features } from "../../features/table";
import { pricingTypes } from "../../packages/schema";
import { packages } from "../../packages/table";
import { products } from "../../products/table";
import { countSubscriptions, subscriptionsByIds } from "../operations";
import { cancelReasons, type SubscriptionStatus, subscriptionStatuses } from "../schema";
import { subscriptions } from "../table";
import { subscriptionAddons, subscriptionQuantities } from "../table.parts";
import { isOverdue, statusNow } from "./store.status";

/** As `cancelReasonAt` of the rules. */
const storedReasonNow = (work: Work) =>
	sql`case when ${subscriptions.cancelReason} is not null or ${statusNow(work)} = ${subscriptions.status}
		then ${subscriptions.cancelReason}
		when ${subscriptions.cancelAt} = ${subscriptions.effectiveEndAt} then 'ScheduledCancellation'
		when ${subscriptions.endAt} = ${subscriptions.effectiveEndAt} then 'EXPIRED' else 'TRIAL_ENDED' end`;

/** As GraphQL spells it. */
const cancelReasonNow = (work: Work) =>
	sql`case ${storedReasonNow(work)} ${sql.join(
		cancelReasons.map((reason) => sql`when ${reason} then ${pascalCase(reason)}`),
		sql` `,
	)} end`;

/** Written down as one of these, or ended since: either is found by an index. */
const mayBecome = (work: Work, statuses: readonly unknown[]) =>
	sql`(${and(eq(subscriptions.environmentId, work.actor.environmentId), inArray(subscriptions.status, statusesOf(statuses)))} or ${isOverdue(work)})`;

const statusesOf = (values: readonly unknown[]): SubscriptionStatus[] =>
	subscriptionStatuses.filter((status) => values.includes(status));

/** Counts are kept by status, pricing type and plan: for filters that name values of these, and nothing else. */
function keptCount(work: Work, filter: Readonly<Record<string, unknown>>): number | undefined {
	const { status, pricingType, planId, ...others } = filter;
	const asked = [status, pricingType, planId].map(namedValues);
	if (Object.keys(others).length > 0 || asked.includes("otherwise")) return undefined;
	const [statuses, types, plans] = asked.map((values) => (Array.isArray(values) ? values : undefined));
	return countSubscriptions(work, {
		statuses: statuses && statusesOf(statuses),
		pricingTypes: types && pricingTypes.filter((type) => types.includes(type)),
		planIds: plans?.map(String),
	});
}

/** The values that a comparison lets through; undefined where there is none. */
function namedValues(comparison: unknown): readonly unknown[] | "otherwise" | undefined {
	if (comparison === undefined) return undefined;
	if (!isValues(comparison) || Object.keys(comparison).length !== 1) return "otherwise";
	const values = "eq" in comparison ? [comparison.eq] : comparison.in;
	return Array.isArray(values) && values.length <= valuesMax && !values.includes(null) ? values : "otherwise";
}

const effectiveEnd = sql`coalesce(${subscriptions.endedAt}, ${subscriptions.effectiveEndAt})`;

const list: List = {
	field: "subscriptions",
	type: "CustomerSubscription",
	scope: "SUBSCRIPTION:READ",
	source: sql`${subscriptions}`,
	id: subscriptions.id,
	within: ({ actor }) => eq(subscriptions.environmentId, actor.environmentId),
	kept: keptCount,
	fields: {
		id: text(subscriptions.id),
		refId: text(subscriptions.refId),
		subscriptionId: text(subscriptions.refId),
		status: reckoned({ enum: "SubscriptionStatus" }, statusNow, mayBecome),
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
		prices: relation("SubscriptionPrice", subscriptions.id, subscriptionQuantities.subscriptionId),
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

/** Units bought in advance; behind `CustomerSubscriptionFilter.prices` only. */
const priceList: List = {
	type: "SubscriptionPrice",
	scope: "SUBSCRIPTION:READ",
	source: sql`${subscriptionQuantities} inner join ${subscriptions} on ${subscriptions.id} = ${subscriptionQuantities.subscriptionId}`,
	id: subscriptionQuantities.subscriptionId,
	within: ({ actor }) => eq(subscriptions.environmentId, actor.environmentId),
	fields: {
		usageLimit: reckoned("Number", sql`cast(${subscriptionQuantities.quantity} as real)`),
		featureId: textThrough(features.refId, {
			own: subscriptionQuantities.featureId,
			theirs: features.id,
			environment: features.environmentId,
		}),
	},
	rows: () => new Map(),
};

/** What `subscriptions` can be filtered and sorted by. */
export const subscriptionListsGraphql: GraphqlArea = { typeDefs: "", lists: [list, addonList, priceList] };
