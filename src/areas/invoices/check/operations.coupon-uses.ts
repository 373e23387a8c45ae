import { type Big, toDecimal, zero } from "../../../kernel/decimal";
import type { Work } from "../../../kernel/work";
import { pageUses } from "../../coupons/operations.uses";
import { type UsingLine, usesOf } from "../../coupons/rules.uses";
import type { CouponUseRow } from "../../coupons/table";
import { linesByCreditNote } from "../credit-notes/operations";
import { findCreditNote } from "../credit-notes/store";
import { linesByInvoice } from "../operations";
import { findInvoice } from "../store";
import { documentsWithoutUses } from "./store.coupon-uses";

/** Returns the lines that wait for the next invoice of a subscription (by row id); null if there is none. */
export type WaitingLinesOf = (
	work: Work,
	subscriptionId: string,
) => { readonly currency: string; readonly lines: readonly UsingLine[] } | null;

/** Yields recorded uses of coupons that the lines of their documents do not make, and documents whose uses are not recorded. */
export function* checkCouponUses(work: Work, waitingLinesOf: WaitingLinesOf): Generator<string> {
	for (let after: CouponUseRow | undefined; ; ) {
		const rows = pageUses(work, after);
		for (const { applicationId, documentId, amount } of rows) {
			const counted = recount(work, documentId, waitingLinesOf).get(applicationId);
			if (counted?.eq(amount)) continue;
			const made = counted ? toDecimal(counted) : zero;
			yield `the coupon applied as ${applicationId}: ${amount} counts as used by ${documentId}, its lines make ${made}`;
		}
		after = rows.at(-1);
		if (!after) break;
	}
	for (const documentId of documentsWithoutUses(work))
		yield `the document ${documentId}: a coupon that it uses does not count as used`;
}

/** Returns the uses of a document by its lines. A document that is not in force has none. */
function recount(work: Work, documentId: string, waitingLinesOf: WaitingLinesOf): Map<string, Big> {
	const invoice = findInvoice(work, documentId);
	if (invoice) {
		const lines = linesByInvoice(work, [invoice]).get(invoice.id) ?? [];
		return invoice.state === "CANCELED" ? new Map() : usesOf(invoice, lines);
	}
	const note = findCreditNote(work, documentId);
	if (note) {
		const lines = linesByCreditNote(work, [note]).get(note.id) ?? [];
		const corrected = note.invoiceId === null ? undefined : findInvoice(work, note.invoiceId);
		const isInForce = note.voidedAt === null && corrected?.state !== "CANCELED";
		return isInForce ? usesOf({ ...note, isCreditNote: true }, lines) : new Map();
	}
	const waiting = waitingLinesOf(work, documentId);
	return waiting ? usesOf(waiting, waiting.lines) : new Map();
}
