import { and, eq, inArray, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { GraphqlArea } from "../../../graphql/area";
import { pascalCase } from "../../../graphql/input/value-formats";
import { isValues, valuesMax } from "../../../graphql/lists/compare";
import { calculated, columns, type List, refOf, relation, tableList } from "../../../graphql/lists/list";
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

/** In GraphQL's format. */
const cancelReasonNow = (work: Work) =>
	sql`case ${storedReasonNow(work)} ${sql.join(
		cancelReasons.map((reason) => sql`when ${reason} then ${pascalCase(reason)}`),
		sql` `,
	)} end`;

/** Stored with one of these statuses, or ended since. An index finds either. */
const mayBecome = (work: Work, statuses: readonly unknown[]) =>
	sql`(${and(eq(subscriptions.environmentId, work.actor.environmentId), inArray(subscriptions.status, statusesOf(statuses)))} or ${isOverdue(work)})`;

const statusesOf = (values: readonly unknown[]): SubscriptionStatus[] =>
	subscriptionStatuses.filter((status) => values.includes(status));

/** Stored counts exist by status, pricing type and plan: for filters that name only values of these. */
function storedCount(work: Work, filter: Readonly<Record<string, unknown>>): number | undefined {
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

/** The values that a comparison accepts. Undefined without a comparison. */
function namedValues(comparison: unknown): readonly unknown[] | "otherwise" | undefined {
	if (comparison === undefined) return undefined;
	if (!isValues(comparison) || Object.keys(comparison).length !== 1) return "otherwise";
	const values = "eq" in comparison ? [comparison.eq] : comparison.in;
	return Array.isArray(values) && values.length <= valuesMax && !values.includes(null) ? values : "otherwise";
}

/** As `periodName` of the rules: a period without a name is stored as its interval, such as "45 DAY". */
const periodName = sql`case when ${subscriptions.billingPeriod} like '% %' then 'CUSTOM' else ${subscriptions.billingPeriod} end`;

const effectiveEnd = sql`coalesce(${subscriptions.endedAt}, ${subscriptions.effectiveEndAt})`;

const list = tableList(subscriptions, {
	...{ field: "subscriptions", type: "CustomerSubscription", scope: "SUBSCRIPTION:READ", rows: subscriptionsByIds },
	storedCount,
	fields: {
		...columns(subscriptions, "id refId subscriptionId=refId"),
		status: calculated({ enum: "SubscriptionStatus" }, statusNow, mayBecome),
		cancelReason: calculated({ enum: "SubscriptionCancelReason" }, cancelReasonNow),
		...columns(subscriptions, "pricingType:PricingType billingId crmId=salesforceId"),
		billingPeriod: calculated({ enum: "BillingPeriod" }, periodName),
		...columns(subscriptions, "startDate=startAt endDate=endAt trialEndDate=trialEndAt"),
		effectiveEndDate: calculated("Date", effectiveEnd),
		...columns(subscriptions, "cancellationDate=cancelAt createdAt environmentId"),
		customerId: refOf(subscriptions.customerId, customers),
		resourceId: refOf(subscriptions.resourceId, customerResources),
		productId: refOf(subscriptions.productId, products),
		planId: refOf(subscriptions.planId, packages),
		customer: relation("Customer", subscriptions.customerId, customers.id),
		addons: relation("SubscriptionAddon", subscriptions.id, subscriptionAddons.subscriptionId),
		prices: relation("SubscriptionPrice", subscriptions.id, subscriptionQuantities.subscriptionId),
	},
});

/** Rows of a part of subscriptions, which only a relation of `CustomerSubscriptionFilter` filters by. */
const partList = (type: string, parts: SQLiteTable, subscriptionId: SQLiteColumn, id: SQLiteColumn): List => ({
	...{ type, scope: "SUBSCRIPTION:READ", id, fields: {}, rows: () => new Map() },
	source: sql`${parts} inner join ${subscriptions} on ${subscriptions.id} = ${subscriptionId}`,
	within: ({ actor }) => eq(subscriptions.environmentId, actor.environmentId),
});

const { subscriptionId, addonId } = subscriptionAddons;

const addonList: List = {
	...partList("SubscriptionAddon", subscriptionAddons, subscriptionId, addonId),
	fields: {
		...columns(subscriptionAddons, "quantity"),
		addonId: refOf(addonId, packages),
		...columns(subscriptionAddons, "createdAt"),
	},
};

const quantities = subscriptionQuantities;

/** Purchased units. */
const priceList: List = {
	...partList("SubscriptionPrice", quantities, quantities.subscriptionId, quantities.subscriptionId),
	fields: {
		usageLimit: calculated("Number", sql`cast(${quantities.quantity} as real)`),
		featureId: refOf(quantities.featureId, features),
	},
};

/** The filters and sortings of `subscriptions`. */
export const subscriptionListsGraphql: GraphqlArea = { lists: [list, addonList, priceList] };
