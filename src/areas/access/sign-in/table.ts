import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../../kernel/clock";
import { users } from "../table";

/** Somebody may choose another password, by a link. Only the SHA-256 of its token is kept; a new one takes the place of the old. */
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

/** An app that shows codes. Its secret is derived from the data folder's own and from `id`. */
export const secondFactors = sqliteTable("second_factors", {
	id: text().primaryKey(),
	userId: text("user_id")
		.notNull()
		.unique()
		.references(() => users.id),
	/** Null until a code was shown to be right: before, it is not asked for. */
	confirmedAt: integer("confirmed_at").$type<Instant>(),
	/** The time step of the last code that was taken: it and earlier ones are not taken again. */
	lastStep: integer("last_step"),
	createdAt: integer("created_at").notNull().$type<Instant>(),
});

/** For who has lost the app: each counts once. Only SHA-256 of random codes. */
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
