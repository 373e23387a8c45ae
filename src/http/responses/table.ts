import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../kernel/clock";

/** Stored answers for the `Idempotency-Key` header, for 24 hours (docs/interface/http.md). */
export const idempotencyKeys = sqliteTable(
	"idempotency_keys",
	{
		environmentId: text("environment_id").notNull(),
		method: text().notNull(),
		path: text().notNull(),
		key: text().notNull(),
		/** The id of the API key or user. Null in rows of a release that did not record it. */
		callerId: text("caller_id"),
		/** The SHA-256 of the body. The same key with another body is rejected. */
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
