import { and, eq, gt, inArray, lt, sql } from "drizzle-orm";
import type { Instant } from "../../kernel/clock";
import { insertRows } from "../../kernel/storage/rows";
import type { Transaction, Work } from "../../kernel/work";
import type { InvoiceRow } from "./table";
import { type InvoiceRenderRow, invoiceRenders } from "./table.renders";

const renderOfRevision = (tx: Transaction) =>
	tx
		.select({ taskId: invoiceRenders.taskId, sizeBytes: invoiceRenders.sizeBytes })
		.from(invoiceRenders)
		.where(freshRender)
		.prepare();

const bytesOfRevision = (tx: Transaction) =>
	tx.select({ bytes: invoiceRenders.bytes }).from(invoiceRenders).where(freshRender).prepare();

const freshRender = and(
	eq(invoiceRenders.environmentId, sql.placeholder("environmentId")),
	eq(invoiceRenders.invoiceId, sql.placeholder("invoiceId")),
	eq(invoiceRenders.revision, sql.placeholder("revision")),
	gt(invoiceRenders.expiresAt, sql.placeholder("now")),
);

/** The document of a PDF: an invoice, or a credit note. Their ids never collide. */
export type Printed = Pick<InvoiceRow, "id" | "environmentId" | "revision">;

/** Returns the key of a PDF. Expiry uses the machine's time, so a test clock never removes a PDF. */
const renderKey = ({ machineNow }: Work, { environmentId, id, revision }: Printed) => ({
	environmentId,
	invoiceId: id,
	revision,
	now: machineNow,
});

/** Returns the finished PDF of the current document, without its bytes. */
export const findRender = (work: Work, printed: Printed): Pick<InvoiceRenderRow, "taskId" | "sizeBytes"> | undefined =>
	work.prepared(renderOfRevision).get(renderKey(work, printed));

export const findRenderBytes = (work: Work, printed: Printed): Buffer | undefined =>
	work.prepared(bytesOfRevision).get(renderKey(work, printed))?.bytes;

// The functions below run in the renderer's own `Work` on renders.db.

export interface RenderLimits {
	readonly keptMs: number;
	readonly bytesMax: number;
}

/** Stores a PDF and removes the earlier revisions of the document. */
export function insertRender(
	work: Work,
	render: Pick<InvoiceRenderRow, "invoiceId" | "revision" | "taskId" | "bytes">,
	{ keptMs }: Pick<RenderLimits, "keptMs">,
): void {
	const { environmentId } = work.actor;
	work.tx
		.delete(invoiceRenders)
		.where(and(eq(invoiceRenders.environmentId, environmentId), eq(invoiceRenders.invoiceId, render.invoiceId)))
		.run();
	insertRows(work, invoiceRenders, [
		{
			...render,
			environmentId,
			sizeBytes: render.bytes.length,
			renderedAt: work.machineNow,
			expiresAt: (work.machineNow + keptMs) as Instant,
		},
	]);
}

/**
 * Removes expired PDFs of this environment, then the oldest of all until at most `bytesMax` are left. The limit covers the whole file,
 * so only this second query spans environments. The newest PDF always stays.
 */
export function evictRenders(work: Work, { bytesMax }: Pick<RenderLimits, "bytesMax">): void {
	work.tx
		.delete(invoiceRenders)
		.where(
			and(eq(invoiceRenders.environmentId, work.actor.environmentId), lt(invoiceRenders.expiresAt, work.machineNow)),
		)
		.run();
	const newerBytes = sql<number>`sum(${invoiceRenders.sizeBytes}) OVER (ORDER BY ${invoiceRenders.sequence} DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)`;
	const withNewer = work.tx
		.select({
			sequence: invoiceRenders.sequence,
			sizeBytes: invoiceRenders.sizeBytes,
			newerBytes: newerBytes.as("newer_bytes"),
		})
		.from(invoiceRenders)
		.as("with_newer");
	const beyond = work.tx
		.select({ sequence: withNewer.sequence })
		.from(withNewer)
		.where(sql`${withNewer.newerBytes} + ${withNewer.sizeBytes} > ${bytesMax}`);
	work.tx.delete(invoiceRenders).where(inArray(invoiceRenders.sequence, beyond)).run();
}

/** Removes the PDFs of these documents; returns their number. */
export const deleteRenders = (work: Work, documentIds: readonly string[]): number =>
	work.tx
		.delete(invoiceRenders)
		.where(
			and(
				eq(invoiceRenders.environmentId, work.actor.environmentId),
				inArray(invoiceRenders.invoiceId, [...documentIds]),
			),
		)
		.returning({ sequence: invoiceRenders.sequence })
		.all().length;
