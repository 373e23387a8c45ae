import { and, eq, gt, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Work } from "../../../kernel/work";
import { packages, type VersionRow } from "../../packages/table";
import { type SubscriptionRow, subscriptions } from "../table";
import { subscriptionAddons, subscriptionEntitlements, subscriptionQuantities } from "../table.parts";

const inEnvironment = ({ actor }: Work): SQL => eq(subscriptions.environmentId, actor.environmentId);

/** As one parameter: there may be more ids than a statement takes parameters. */
export const isOneOf = (column: SQLiteColumn, ids: readonly string[]): SQL =>
	sql`${column} in (select value from json_each(${JSON.stringify(ids)}))`;

/** What gives access, or is about to: an agreed end that has come ends it, written down or not. */
export const isRunning = (work: Work): SQL | undefined =>
	and(
		inEnvironment(work),
		inArray(subscriptions.status, ["ACTIVE", "IN_TRIAL", "PAYMENT_PENDING", "NOT_STARTED"]),
		or(isNull(subscriptions.effectiveEndAt), gt(subscriptions.effectiveEndAt, work.now)),
	);

/** By way of the product's plans, whose subscriptions have an index. */
export const existsOfProduct = (work: Work, productId: string): boolean =>
	work.tx
		.select({ id: subscriptions.id })
		.from(packages)
		.innerJoin(subscriptions, eq(subscriptions.planId, packages.id))
		.where(and(inEnvironment(work), eq(packages.productId, productId)))
		.limit(1)
		.get() !== undefined;

/** Whether a running subscription was sold one of the versions, as its plan or as an addon. */
export const existsRunningOn = (work: Work, versionIds: readonly string[]): boolean =>
	work.tx
		.select({ id: subscriptions.id })
		.from(subscriptions)
		.where(and(isRunning(work), isOneOf(subscriptions.versionId, versionIds)))
		.limit(1)
		.get() !== undefined ||
	work.tx
		.select({ id: subscriptions.id })
		.from(subscriptionAddons)
		.innerJoin(subscriptions, eq(subscriptions.id, subscriptionAddons.subscriptionId))
		.where(and(isRunning(work), isOneOf(subscriptionAddons.versionId, versionIds)))
		.limit(1)
		.get() !== undefined;

/** Whether a running subscription has an entitlement of its own to the feature, or bought units of it. */
export const existsRunningWith = (work: Work, featureId: string): boolean =>
	[subscriptionEntitlements, subscriptionQuantities].some(
		(parts) =>
			work.tx
				.select({ id: subscriptions.id })
				.from(parts)
				.innerJoin(subscriptions, eq(subscriptions.id, parts.subscriptionId))
				.where(and(isRunning(work), eq(parts.featureId, featureId)))
				.limit(1)
				.get() !== undefined,
	);

/** The billing periods and countries that the running subscriptions of one version have, each once. */
export const selectTermsOn = (
	work: Work,
	{ id, kind }: Pick<VersionRow, "id" | "kind">,
): Array<Pick<SubscriptionRow, "billingPeriod" | "billingCountryCode">> => {
	const terms = work.tx
		.selectDistinct({
			billingPeriod: subscriptions.billingPeriod,
			billingCountryCode: subscriptions.billingCountryCode,
		})
		.from(subscriptions);
	return kind === "PLAN"
		? terms.where(and(isRunning(work), eq(subscriptions.versionId, id))).all()
		: terms
				.innerJoin(subscriptionAddons, eq(subscriptionAddons.subscriptionId, subscriptions.id))
				.where(and(isRunning(work), eq(subscriptionAddons.versionId, id)))
				.all();
};
