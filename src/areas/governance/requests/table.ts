import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../../kernel/clock";
import type { Decimal } from "../../../kernel/decimal";
import { customers } from "../../customers/table";
import { budgetAssignments } from "../table";
import type { RequestDuration, RequestStatus } from "./schema";

/** Requests for a higher limit of a budget. */
export const budgetRequests = sqliteTable(
	"budget_requests",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		customerId: text("customer_id")
			.notNull()
			.references(() => customers.id),
		/** A budget without a scope. */
		assignmentId: text("assignment_id")
			.notNull()
			.references(() => budgetAssignments.id),
		/** In the units of the limit. */
		amount: text().notNull().$type<Decimal>(),
		/** Null unless it is approved. */
		approvedAmount: text("approved_amount").$type<Decimal>(),
		/** The counter of the window that an approval raises; null for a permanent one. */
		counterId: integer("counter_id"),
		reason: text(),
		duration: text().notNull().$type<RequestDuration>(),
		status: text().notNull().$type<RequestStatus>(),
		/** The kind and id of the actor. A person cannot approve their own request. */
		requestedBy: text("requested_by").notNull(),
		/** When it expires, while it is pending. */
		nextDueAt: integer("next_due_at").$type<Instant>(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
		updatedAt: integer("updated_at").notNull().$type<Instant>(),
	},
	(table) => [
		index("budget_requests_page").on(table.customerId, table.id),
		index("budget_requests_of_budget").on(table.assignmentId, table.status),
		index("budget_requests_due").on(table.environmentId, table.nextDueAt).where(sql`next_due_at IS NOT NULL`),
	],
);

export type BudgetRequestRow = typeof budgetRequests.$inferSelect;
