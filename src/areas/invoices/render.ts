import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { assert } from "../../kernel/errors";
import { type Doors, systemActor } from "../../kernel/work";
import { completeTask } from "../../tasks/operations";
import type { TaskRow } from "../../tasks/table";
import { documentOf } from "./document";
import { getInvoice, linesByInvoice } from "./operations";
import { renderPdf } from "./pdf/render";
import { evictRenders, findRender, insertRender, type RenderLimits } from "./store";

const RenderPayload = Type.Object({ invoiceId: Type.String() }, { additionalProperties: false });

/** Source: Limits section, 20,000,000 characters of base64, four for three bytes. */
const contentBytesMax = 15_000_000;

export interface RenderContext {
	/** The main file, with the finished PDFs readable. */
	readonly doors: Doors;
	/** The file of the finished PDFs, which this job alone writes. */
	readonly renders: Doors;
	readonly limits: RenderLimits;
}

/**
 * The body of a RENDER_INVOICE task. It renders the invoice as it stands now, whatever it was when the task was queued: a
 * PDF of an earlier revision would never be served. Doing it twice is harmless: after a crash between keeping the PDF and
 * ending the task, the second run finds the PDF and only ends the task.
 */
export function renderInvoice({ doors, renders, limits }: RenderContext, task: TaskRow): void {
	const { payload } = task;
	assert(Value.Check(RenderPayload, payload), "a render task names its invoice");
	const actor = systemActor(task.environmentId);
	const found = doors.read(actor, (work) => {
		const invoice = getInvoice(work, payload.invoiceId);
		if (findRender(work, invoice)) return undefined;
		return { invoice, lines: linesByInvoice(work, [invoice]).get(invoice.id) ?? [] };
	});
	if (found) {
		const { invoice, lines } = found;
		const bytes = renderPdf(documentOf(invoice, lines));
		assert(
			bytes.length <= contentBytesMax,
			`the PDF of ${invoice.number} has at most ${contentBytesMax} bytes, not ${bytes.length}`,
		);
		renders.write(actor, (work) => {
			insertRender(work, { invoiceId: invoice.id, revision: invoice.revision, taskId: task.id, bytes }, limits);
			evictRenders(work, limits);
		});
	}
	doors.write(actor, (work) => completeTask(work, task));
}
