import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../../kernel/clock";
import type { ErrorCode } from "../../../kernel/error-codes";
import type { Cause } from "../../../kernel/work";

/** Calls to providers for which a caller of the API waits. */
export const providerCallKinds = [
	"VERIFY_CONNECTION",
	"OPEN_PAGE",
	"LOOK_METHOD",
	"SEND_EVIDENCE",
	"ACCEPT_DISPUTE",
] as const;
export type ProviderCallKind = (typeof providerCallKinds)[number];

/** The end of a call: done, or a refusal from the catalogue of errors. */
export type CallOutcome =
	| { readonly isDone: true }
	| { readonly isDone: false; readonly code: ErrorCode; readonly message: string };

/** Matches calls that the collector has to make. The index and its query must use this same expression. */
export const isDue = sql`due_at IS NOT NULL`;

/** Calls to providers that a caller of the API waits for. The collector makes them; the writer stores their outcome. */
export const providerCalls = sqliteTable(
	"provider_calls",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		kind: text({ enum: providerCallKinds }).notNull(),
		/** The row id of the object that the call is about. */
		subjectId: text("subject_id").notNull(),
		/** The content of the call; secrets in it are sealed. Null once the call has ended. */
		request: text({ mode: "json" }).$type<Readonly<Record<string, unknown>>>(),
		/** The request that waits, for the audit log. */
		cause: text({ mode: "json" }).notNull().$type<Cause>(),
		/** Null until the call has ended. */
		outcome: text({ mode: "json" }).$type<CallOutcome>(),
		/** The machine's time; null once the call has ended. */
		dueAt: integer("due_at").$type<Instant>(),
		/** The machine's time. */
		createdAt: integer("created_at").notNull().$type<Instant>(),
	},
	(table) => [
		index("provider_calls_due").on(table.dueAt).where(isDue),
		index("provider_calls_age").on(table.environmentId, table.createdAt),
	],
);

export type ProviderCallRow = typeof providerCalls.$inferSelect;
