import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { assert } from "../../kernel/errors";
import type { Transactions, Work } from "../../kernel/work";
import type { Write } from "../../server/writer-calls";
import type { TaskRow } from "../../tasks/table";
import { systemActor } from "../access/rules.actors";
import { customersByRefs } from "../customers/operations";
import { getLogo } from "../legal-entities/operations";
import { linesByCreditNote } from "./credit-notes/operations";
import { creditNotesOf, findCreditNote } from "./credit-notes/store";
import { agreementDocumentOf } from "./document/agreement";
import { creditNoteDocumentOf } from "./document/credit-note";
import { documentOf, type PrintedDocument } from "./document/document";
import type { NameOfCustomer } from "./document/lines";
import type { Logo } from "./document/parties";
import { receiptDocumentOf } from "./document/receipt";
import { getInvoice, linesByInvoice } from "./operations";
import { printedNote } from "./operations.pdf";
import { selectReceipts } from "./payments/store";
import { loadHarfBuzz } from "./pdf/harfbuzz";
import { renderPdf } from "./pdf/render";
import { printedReceiptOf } from "./receipts/operations.pdf";
import type { Agreement } from "./schema.agreement";
import type { InvoiceIssuer } from "./schema.party";
import { evictRenders, findRender, insertRender, type RenderLimits } from "./store.renders";
import type { LineRow } from "./table";

/** The payload names the invoice, the credit note, the receipt, or the contract of the order form. */
const RenderPayload = Type.Union([
	Type.Object({ invoiceId: Type.String() }, { additionalProperties: false }),
	Type.Object({ creditNoteId: Type.String() }, { additionalProperties: false }),
	Type.Object({ contractId: Type.String() }, { additionalProperties: false }),
	Type.Object({ receiptId: Type.String() }, { additionalProperties: false }),
]);
type RenderPayload = Static<typeof RenderPayload>;

/** A PDF has at most 20,000,000 characters of base64, four for three bytes. Source: docs/interface/invoices.md#limits. */
const contentBytesMax = 15_000_000;

export interface RenderContext {
	/** The main file, with read access to the finished PDFs. */
	readonly transactions: Transactions;
	/** The file of the finished PDFs, which only this job writes. */
	readonly renders: Transactions;
	readonly limits: RenderLimits;
	/** Writes to the main file through its own thread. */
	readonly write: Write;
	/** Returns the printed content of a contract; undefined if the contract no longer exists. */
	readonly agreementOf: (work: Work, contractId: string) => Agreement | undefined;
}

/**
 * Runs a RENDER_INVOICE task. It renders the current invoice, whatever its revision was when the task was queued: Tollgate would never
 * serve a PDF of an earlier revision. Running twice is harmless: after a crash between storing the PDF and ending the task, the second
 * run finds the PDF and ends the task.
 */
export async function renderInvoice(
	{ transactions, renders, limits, write, agreementOf }: RenderContext,
	task: TaskRow,
): Promise<void> {
	const { payload } = task;
	assert(Value.Check(RenderPayload, payload), "a render task names its invoice or its credit note");
	const actor = systemActor(task.environmentId);
	const document = transactions.read(actor, (work) => missingDocument(work, payload, agreementOf));
	if (document) {
		const { id, revision, number } = document;
		await loadHarfBuzz();
		const bytes = renderPdf(document);
		assert(
			bytes.length <= contentBytesMax,
			`the PDF of ${number} has at most ${contentBytesMax} bytes, not ${bytes.length}`,
		);
		renders.write(actor, (work) => {
			insertRender(work, { invoiceId: id, revision, taskId: task.id, bytes }, limits);
			evictRenders(work, limits);
		});
	}
	await write(actor, "completeTask", task);
}

/** Returns the document to print; undefined if its PDF exists. */
function missingDocument(
	work: Work,
	payload: RenderPayload,
	agreementOf: RenderContext["agreementOf"],
): PrintedDocument | undefined {
	if ("contractId" in payload) {
		const agreement = agreementOf(work, payload.contractId);
		if (!agreement || findRender(work, agreement)) return undefined;
		return agreementDocumentOf(agreement, logoOf(work, agreement.issuer.entity));
	}
	if ("receiptId" in payload) {
		const [receipt] = selectReceipts(work, [payload.receiptId]);
		assert(receipt, "a receipt is never deleted");
		const printed = printedReceiptOf(work, receipt);
		if (findRender(work, { ...receipt, ...printed })) return undefined;
		return receiptDocumentOf(printed, logoOf(work, printed.issuer));
	}
	if ("creditNoteId" in payload) {
		const note = findCreditNote(work, payload.creditNoteId);
		assert(note, "a credit note is never deleted");
		if (findRender(work, printedNote(note))) return undefined;
		const lines = linesByCreditNote(work, [note]).get(note.id) ?? [];
		const corrected = note.invoiceId === null ? null : getInvoice(work, note.invoiceId);
		return creditNoteDocumentOf(note, lines, logoOf(work, note.issuer), corrected, namesOf(work, lines));
	}
	const invoice = getInvoice(work, payload.invoiceId);
	if (findRender(work, invoice)) return undefined;
	const lines = linesByInvoice(work, [invoice]).get(invoice.id) ?? [];
	return documentOf(invoice, lines, creditNotesOf(work, invoice), logoOf(work, invoice.issuer), namesOf(work, lines));
}

/** Returns the present names of the customers of lines. An erased customer has none; then its id stands there. */
function namesOf(work: Work, lines: readonly LineRow[]): NameOfCustomer {
	const named = customersByRefs(work, [...new Set(lines.flatMap(({ customerRefId }) => customerRefId ?? []))]);
	return (refId) => {
		const { name, passthrough } = named.get(refId) ?? {};
		return passthrough?.stripe?.customerName ?? name ?? refId;
	};
}

/** Returns the issuer's logo at the time of issue. */
const logoOf = (work: Work, { logoId }: Pick<InvoiceIssuer, "logoId">): Logo | null =>
	logoId ? getLogo(work, logoId) : null;
