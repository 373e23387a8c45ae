import { assert } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import type { TaskState } from "../../../tasks/table";
import { getCustomerById } from "../../customers/operations";
import { findIssuer } from "../../legal-entities/operations";
import type { PrintedReceipt } from "../document/receipt";
import { issuerAsParty } from "../issuer";
import { customerAsParty, invoicesByIds } from "../operations";
import { findReceiptRender, queueReceiptRender } from "../operations.pdf";
import { selectReceipts } from "../payments/store";
import { allocationsOfReceipts, partsOfRefunds, refundsOfReceipts } from "../payments/store.check";
import { receiptNumber } from "../rules";
import type { ReceiptRow } from "../table.receipts";

/** The hexadecimal digits of a revision: an integer that JSON and SQLite keep exactly. */
const revisionDigits = 12;

/** Returns the data that the document of a receipt shows, with its parties as they are now. */
export function printedReceiptOf(work: Work, receipt: ReceiptRow): PrintedReceipt {
	const { id, legalEntityId, customerId, seal: _, ...moved } = receipt;
	const found = findIssuer(work, legalEntityId);
	assert(found, "a legal entity is never deleted");
	const issuer = issuerAsParty(found);
	const customer = customerAsParty(getCustomerById(work, customerId), {});
	const allocations = allocationsOfReceipts(work, [id]);
	const refunds = refundsOfReceipts(work, [id]);
	const invoices = invoicesByIds(
		work,
		allocations.flatMap(({ invoiceId }) => invoiceId ?? []),
	);
	const basis = { moved, issuer, customer, allocations, refunds };
	const digest = new Bun.CryptoHasher("md5").update(JSON.stringify(basis)).digest("hex");
	return {
		...{ receipt, issuer, customer, allocations, refunds },
		// The revision is derived from the printed data, so every change of them makes another one.
		revision: Number.parseInt(digest.slice(0, revisionDigits), 16),
		parts: movedFrom(work, id),
		numberOf: (invoiceId) => invoices.get(invoiceId)?.number ?? invoiceId,
	};
}

/** Returns the receipts whose money a refund or a return moved out. They never change. */
function movedFrom(work: Work, refundId: string): PrintedReceipt["parts"] {
	const parts = partsOfRefunds(work, [refundId]);
	const rows = selectReceipts(
		work,
		parts.map(({ receiptId }) => receiptId),
	);
	const numbers = new Map(rows.map((row) => [row.id, receiptNumber(row)]));
	return parts.map(({ receiptId, amount }) => ({ amount, number: numbers.get(receiptId) ?? receiptId }));
}

/** Returns the PDF of a receipt if it is rendered; never starts a render. */
export const findReceiptPdf = (work: Work, receipt: ReceiptRow): Buffer | undefined =>
	findReceiptRender(work, { ...receipt, ...printedReceiptOf(work, receipt) });

/** Queues one durable render task for the receipt as it is (by row id), however often it is called. */
export function generateReceiptPdf(work: Work, receiptId: string): TaskState {
	const [receipt] = selectReceipts(work, [receiptId]);
	assert(receipt, "a receipt is never deleted");
	return queueReceiptRender(work, { id: receipt.id, revision: printedReceiptOf(work, receipt).revision });
}
