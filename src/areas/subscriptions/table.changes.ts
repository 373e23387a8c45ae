import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../kernel/clock";
import { packages, packageVersions } from "../packages/table";
import type { UpdateStatus, UpdateType } from "./schema";
import type { ProrationBehavior } from "./schema.provision";
import type { SubscriptionUpdate } from "./schema.update";
import { type ChargedPeriod, type DiscountAndTax, subscriptions } from "./table";

/**
 * A change that is to come (docs/interface/subscriptions.md, `futureUpdates`), and, once it has come or will not, what
 * became of it. One row for each kind of change; those of one call and one time are carried out together.
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
		/** SCHEDULED: when it happens. PENDING_PAYMENT: until when the payment is waited for. */
		executeAt: integer("execute_at").notNull().$type<Instant>(),
		/** The part of an update's body that it will change, as the caller sent it. */
		changes: text({ mode: "json" }).notNull().$type<SubscriptionUpdate>(),
		/** The invoice whose payment it waits for. */
		invoiceId: text("invoice_id"),
		/** What that invoice was reckoned by; null of an older release's, which goes by what holds when it is paid. */
		invoicedBy: text("invoiced_by", { mode: "json" }).$type<InvoicedBy>(),
		/** Why it failed. */
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
	/** What another system had charged, where the invoice gave it back. */
	readonly setAgainst: ChargedPeriod | null;
}

export type SubscriptionUpdateRow = typeof subscriptionUpdates.$inferSelect;

/**
 * A subscription's change from one version of its plan, or of an addon, to another, as a publication brought it. It is
 * entitled by the new version at once; what is charged for the time before `pricesFrom` is charged by the old one.
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
		/** The start of the next billing period; that of the change itself where nothing was charged. */
		pricesFrom: integer("prices_from").notNull().$type<Instant>(),
	},
	(table) => [
		index("subscription_version_changes_subscription").on(table.subscriptionId, table.id),
		// A version that is removed is looked for here.
		index("subscription_version_changes_from").on(table.fromVersionId),
		index("subscription_version_changes_to").on(table.toVersionId),
		index("subscription_version_changes_package").on(table.packageId),
	],
);

export type SubscriptionVersionChangeRow = typeof subscriptionVersionChanges.$inferSelect;
