import type { Work } from "../../../kernel/work";
import { pageConsolidated, selectMembers } from "../consolidated/store";
import { linesByInvoice } from "../operations";
import { selectInvoices } from "../store";
import { withinLines } from "./store.pages";

/** Yields the differences between consolidated invoices of this environment and the subscriptions that they charge. */
export function* checkConsolidated(work: Work): Generator<string> {
	for (let after = ""; ; ) {
		const rows = withinLines(work, "invoices", pageConsolidated(work, after), ({ invoiceId }) => invoiceId);
		const last = rows.at(-1);
		if (!last) return;
		const ids = rows.map(({ invoiceId }) => invoiceId);
		const members = Map.groupBy(selectMembers(work, ids), ({ invoiceId }) => invoiceId);
		const invoices = selectInvoices(work, ids);
		const lines = linesByInvoice(work, invoices);
		for (const { id, number, subscriptionId, state } of invoices) {
			const named = state === "DRAFT" ? `the draft ${id}` : `the invoice ${number}`;
			if (subscriptionId !== null) yield `${named}: it is consolidated, and names the subscription ${subscriptionId}`;
			const charged = (lines.get(id) ?? []).filter(({ isManual }) => !isManual);
			const refs = new Set(charged.map(({ subscriptionRefId }) => subscriptionRefId));
			const expected = new Set((members.get(id) ?? []).map(({ subscriptionRefId }) => subscriptionRefId));
			for (const { position, subscriptionRefId } of charged)
				if (subscriptionRefId === null || !expected.has(subscriptionRefId))
					yield `${named}, line ${position + 1}: its subscription is ${subscriptionRefId}, which is none of the invoice`;
			for (const ref of expected) if (!refs.has(ref)) yield `${named}: its subscription ${ref} has no line`;
		}
		after = last.invoiceId;
	}
}
