import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../kernel/clock";

/** Answers kept for the `Idempotency-Key` header, 24 hours (docs/interface/http.md). */
export const idempotencyKeys = sqliteTable(
	"idempotency_keys",
	{
		environmentId: text("environment_id").notNull(),
		method: text().notNull(),
		path: text().notNull(),
		key: text().notNull(),
		/** Whose call it was: the id of an API key or of a user. Null: kept by a release that did not ask. */
		callerId: text("caller_id"),
		/** SHA-256 of the body: the same key with another body is refused. */
		bodyHash: text("body_hash").notNull(),
		status: integer().notNull(),
		answer: text({ mode: "json" }).notNull().$type<unknown>(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
	},
	(table) => [
		primaryKey({ columns: [table.environmentId, table.method, table.path, table.key] }),
		index("idempotency_keys_age").on(table.createdAt),
	],
);
