import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../kernel/clock";
import { packages, packageVersions } from "../packages/table";
import type { UpdateStatus, UpdateType } from "./schema";
import type { ProrationBehavior } from "./schema.provision";
import type { SubscriptionUpdate } from "./schema.update";
import { type ChargedPeriod, type DiscountAndTax, subscriptions } from "./table";

/**
 * A future update (docs/interface/subscriptions.md, `futureUpdates`), and its outcome later. Each kind of change has a
 * row; rows of one call and one time take effect together.
 */
export const subscriptionUpdates = sqliteTable(
	"subscription_updates",
	{
		id: text().primaryKey(),
		subscriptionId: text("subscription_id")
			.notNull()
			.references(() => subscriptions.id),
		type: text().notNull().$type<UpdateType>(),
		status: text().notNull().$type<UpdateStatus>(),
		/** SCHEDULED: when it takes effect. PENDING_PAYMENT: the deadline of the payment. */
		executeAt: integer("execute_at").notNull().$type<Instant>(),
		/** The changed part of the request body, as the caller sent it. */
		changes: text({ mode: "json" }).notNull().$type<SubscriptionUpdate>(),
		/** The invoice that must be paid first. */
		invoiceId: text("invoice_id"),
		/** The terms of that invoice. Null in rows of older releases, which use the terms at the time of payment. */
		invoicedBy: text("invoiced_by", { mode: "json" }).$type<InvoicedBy>(),
		/** The reason of a failure. */
		error: text(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
		updatedAt: integer("updated_at").notNull().$type<Instant>(),
	},
	(table) => [
		index("subscription_updates_subscription").on(table.subscriptionId, table.status, table.executeAt),
		index("subscription_updates_invoice").on(table.invoiceId),
	],
);

export interface InvoicedBy extends DiscountAndTax {
	readonly behavior: ProrationBehavior;
	/** The charge of another system that the invoice credited. */
	readonly setAgainst: ChargedPeriod | null;
}

export type SubscriptionUpdateRow = typeof subscriptionUpdates.$inferSelect;

/** A pause of a subscription that has taken effect: no time in it is charged. */
export const subscriptionPauses = sqliteTable(
	"subscription_pauses",
	{
		id: text().primaryKey(),
		subscriptionId: text("subscription_id")
			.notNull()
			.references(() => subscriptions.id),
		startAt: integer("start_at").notNull().$type<Instant>(),
		/** When it resumed or ended; null: it is paused. */
		endAt: integer("end_at").$type<Instant>(),
		/** Whether unused time was credited. */
		prorates: integer({ mode: "boolean" }).notNull(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
	},
	(table) => [index("subscription_pauses_subscription").on(table.subscriptionId, table.startAt)],
);

export type SubscriptionPauseRow = typeof subscriptionPauses.$inferSelect;

/** A change that took effect before the call that made it: the time since then is charged on its terms. */
export const subscriptionDatedChanges = sqliteTable(
	"subscription_dated_changes",
	{
		id: text().primaryKey(),
		subscriptionId: text("subscription_id")
			.notNull()
			.references(() => subscriptions.id),
		/** When the new terms apply from. */
		effectiveAt: integer("effective_at").notNull().$type<Instant>(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
	},
	(table) => [index("subscription_dated_changes_subscription").on(table.subscriptionId, table.createdAt)],
);

export type SubscriptionDatedChangeRow = typeof subscriptionDatedChanges.$inferSelect;

/**
 * A move of a subscription from one version of its plan or addon to another, by a publication. The new version grants
 * entitlements at once; the old one prices the time before `pricesFrom`.
 */
export const subscriptionVersionChanges = sqliteTable(
	"subscription_version_changes",
	{
		id: text().primaryKey(),
		subscriptionId: text("subscription_id")
			.notNull()
			.references(() => subscriptions.id),
		packageId: text("package_id")
			.notNull()
			.references(() => packages.id),
		fromVersionId: text("from_version_id")
			.notNull()
			.references(() => packageVersions.id),
		toVersionId: text("to_version_id")
			.notNull()
			.references(() => packageVersions.id),
		changedAt: integer("changed_at").notNull().$type<Instant>(),
		/** The start of the next billing period, or the time of the move if nothing was charged. */
		pricesFrom: integer("prices_from").notNull().$type<Instant>(),
	},
	(table) => [
		index("subscription_version_changes_subscription").on(table.subscriptionId, table.id),
		// Finds the rows of a version that is removed.
		index("subscription_version_changes_from").on(table.fromVersionId),
		index("subscription_version_changes_to").on(table.toVersionId),
		index("subscription_version_changes_package").on(table.packageId),
	],
);

export type SubscriptionVersionChangeRow = typeof subscriptionVersionChanges.$inferSelect;
