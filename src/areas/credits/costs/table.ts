import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../../kernel/clock";
import type { Decimal } from "../../../kernel/decimal";

/**
 * The units of a feature that have cost credits in one usage period, where whole units or blocks are priced: a unit that one use
 * began is paid once. Written with the consumption. A report of negative usage does not reduce it.
 */
export const creditPricedUnits = sqliteTable(
	"credit_priced_units",
	{
		customerId: text("customer_id").notNull(),
		featureId: text("feature_id").notNull(),
		/** The caller's id of the resource; empty for the usage that names none. */
		resourceRef: text("resource_ref").notNull(),
		/** The start of the usage period; 0 where usage never resets. */
		periodStart: integer("period_start").notNull().$type<Instant>(),
		/** In the units that the meter counts. */
		units: text().notNull().$type<Decimal>(),
	},
	(table) => [primaryKey({ columns: [table.customerId, table.featureId, table.resourceRef, table.periodStart] })],
);
