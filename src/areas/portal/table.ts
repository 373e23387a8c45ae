import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../kernel/clock";
import type { SessionKind } from "../access/rules.actors";
import { environments } from "../access/table";
import { customers } from "../customers/table";
import { entities } from "../governance/table";
import { products } from "../products/table";
import type { BudgetAccess } from "./schema";
import type { CheckoutOptions, CheckoutOrder } from "./schema.checkout";

/** A customer's link to the portal or to an order. Only the SHA-256 of the token is stored. */
export const customerSessions = sqliteTable(
	"customer_sessions",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id")
			.notNull()
			.references(() => environments.id),
		kind: text().notNull().$type<SessionKind>(),
		customerId: text("customer_id")
			.notNull()
			.references(() => customers.id),
		tokenHash: text("token_hash").notNull().unique(),
		/** The target of the link "Back", if the page has one. */
		returnUrl: text("return_url"),
		/** The access to budgets; null: none. */
		budgets: text().$type<BudgetAccess>(),
		/** The entity (row id) whose budgets, and those below, are all that the link shows; null: everything of the customer. */
		entityId: text("entity_id").references(() => entities.id),
		/** The caller's id of the person who uses the link. */
		personId: text("person_id"),
		/** The only request that the link decides, for a link in a mail. */
		requestId: text("request_id"),
		/** Machine time, like `createdAt`. */
		expiresAt: integer("expires_at").notNull().$type<Instant>(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
	},
	(table) => [
		index("customer_sessions_expiry").on(table.expiresAt),
		index("customer_sessions_customer").on(table.customerId),
	],
);

export type CustomerSessionRow = typeof customerSessions.$inferSelect;

/** An order for a customer to confirm. */
export const checkouts = sqliteTable(
	"checkouts",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		/** The session of its link. Expired sessions are deleted. */
		sessionId: text("session_id").notNull(),
		customerId: text("customer_id")
			.notNull()
			.references(() => customers.id),
		order: text({ mode: "json" }).notNull().$type<CheckoutOrder>(),
		options: text({ mode: "json" }).notNull().$type<CheckoutOptions>(),
		expiresAt: integer("expires_at").notNull().$type<Instant>(),
		/** Environment time. */
		completedAt: integer("completed_at").$type<Instant>(),
		/** The row id of the new subscription, set once together with `completedAt`. */
		subscriptionId: text("subscription_id"),
		createdAt: integer("created_at").notNull().$type<Instant>(),
	},
	(table) => [
		index("checkouts_session").on(table.sessionId),
		index("checkouts_expiry").on(table.expiresAt),
		index("checkouts_customer").on(table.environmentId, table.customerId, table.id),
	],
);

export type CheckoutRow = typeof checkouts.$inferSelect;

/** The changes that customers may make to subscriptions of a product. A product without a row allows all. */
export const portalSettings = sqliteTable("portal_settings", {
	productId: text("product_id")
		.primaryKey()
		.references(() => products.id),
	environmentId: text("environment_id").notNull(),
	changePlan: integer("change_plan", { mode: "boolean" }).notNull(),
	changeQuantities: integer("change_quantities", { mode: "boolean" }).notNull(),
	changeAddons: integer("change_addons", { mode: "boolean" }).notNull(),
	cancel: integer({ mode: "boolean" }).notNull(),
});

export type PortalSettingsRow = typeof portalSettings.$inferSelect;
