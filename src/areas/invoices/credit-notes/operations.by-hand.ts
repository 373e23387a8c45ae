import type { Work } from "../../../kernel/work";
import { linesByCreditNote } from "./operations";
import { creditNotesOfInvoices } from "./store";

/** Returns the positions of the lines of invoices that credit notes by hand credit, by the id of the invoice. Null: all lines can be credited in part. */
export function linesCreditedByHand(
	work: Work,
	invoiceIds: readonly string[],
): ReadonlyMap<string, ReadonlySet<number> | null> {
	const notes = creditNotesOfInvoices(work, invoiceIds).filter(({ isByHand }) => isByHand);
	const lines = linesByCreditNote(work, notes);
	const found = new Map<string, Set<number> | null>();
	for (const { id, invoiceId } of notes) {
		if (invoiceId === null) continue;
		const positions = (lines.get(id) ?? []).map(({ invoiceLine }) => invoiceLine);
		const known = found.get(invoiceId);
		const isWhole = known === null || positions.includes(null);
		found.set(invoiceId, isWhole ? null : new Set([...(known ?? []), ...positions.filter((one) => one !== null)]));
	}
	return found;
}
