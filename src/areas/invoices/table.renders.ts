import { blob, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../kernel/clock";

/** Finished PDFs: a cache. Losing this file costs only renders. Only the renderer thread writes it. */
export const invoiceRenders = sqliteTable(
	"invoice_renders",
	{
		/** The order of rendering over all environments, whatever their clocks are; the smallest is evicted first. */
		sequence: integer().primaryKey({ autoIncrement: true }),
		environmentId: text("environment_id").notNull(),
		/** The id of the invoice or the credit note. */
		invoiceId: text("invoice_id").notNull(),
		revision: integer().notNull(),
		/** The task that rendered it. */
		taskId: text("task_id").notNull(),
		sizeBytes: integer("size_bytes").notNull(),
		renderedAt: integer("rendered_at").notNull().$type<Instant>(),
		expiresAt: integer("expires_at").notNull().$type<Instant>(),
		// The last column, so that reading the others never touches the overflow pages of a large document.
		bytes: blob({ mode: "buffer" }).notNull(),
	},
	(table) => [
		uniqueIndex("invoice_renders_revision").on(table.environmentId, table.invoiceId, table.revision),
		index("invoice_renders_size").on(table.sequence, table.sizeBytes),
		index("invoice_renders_expiry").on(table.environmentId, table.expiresAt),
	],
);

export type InvoiceRenderRow = typeof invoiceRenders.$inferSelect;
