import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../../kernel/clock";
import { users } from "../table";

/** Password reset links. Only the SHA-256 of the token is stored; a new link replaces the former one. */
export const passwordResets = sqliteTable(
	"password_resets",
	{
		userId: text("user_id")
			.primaryKey()
			.references(() => users.id),
		tokenHash: text("token_hash").notNull().unique(),
		expiresAt: integer("expires_at").notNull().$type<Instant>(),
	},
	(table) => [index("password_resets_expiry").on(table.expiresAt)],
);

/** Authenticator apps. The secret derives from the folder's secret and from `id`. */
export const secondFactors = sqliteTable("second_factors", {
	id: text().primaryKey(),
	userId: text("user_id")
		.notNull()
		.unique()
		.references(() => users.id),
	/** Null until the first code is confirmed; until then no code is required. */
	confirmedAt: integer("confirmed_at").$type<Instant>(),
	/** The time step of the last used code. It and earlier ones are rejected. */
	lastStep: integer("last_step"),
	createdAt: integer("created_at").notNull().$type<Instant>(),
});

/** Recovery codes for a lost app. Each works once. Only the SHA-256 is stored. */
export const recoveryCodes = sqliteTable(
	"recovery_codes",
	{
		hash: text().primaryKey(),
		userId: text("user_id")
			.notNull()
			.references(() => users.id),
	},
	(table) => [index("recovery_codes_user").on(table.userId)],
);

export type PasswordResetRow = typeof passwordResets.$inferSelect;
export type SecondFactorRow = typeof secondFactors.$inferSelect;
