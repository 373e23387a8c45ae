import type { Work } from "../../../kernel/work";
import { givenNumbers } from "../../legal-entities/operations";
import { invoicesByIds } from "../operations";
import { countDifferences, receiptDifferences } from "./rules.check";
import { allocationsOfReceipts, partsOfRefunds, readReceipts, refundsOfReceipts } from "./store.check";

/**
 * Checks the receipts of this environment: each is allocated, unallocated or refunded, to the cent; no more is refunded than
 * arrived; its invoices have its customer, currency and legal entity; and its numbers have no gaps.
 */
export function* checkReceipts(work: Work): Generator<string> {
	const counted = new Map<string, { receipts: number; highest: number }>();
	for (let after = ""; ; ) {
		const rows = readReceipts(work, after);
		const last = rows.at(-1);
		if (!last) break;
		const ids = rows.map(({ id }) => id);
		const allocations = Map.groupBy(allocationsOfReceipts(work, ids), ({ receiptId }) => receiptId);
		const refunds = Map.groupBy(refundsOfReceipts(work, ids), ({ receiptId }) => receiptId);
		const parts = Map.groupBy(partsOfRefunds(work, ids), ({ refundId }) => refundId);
		const invoices = invoicesByIds(
			work,
			[...allocations.values()].flat().flatMap(({ invoiceId }) => invoiceId ?? []),
		);
		for (const row of rows) {
			const { receipts = 0, highest = 0 } = counted.get(row.legalEntityId) ?? {};
			counted.set(row.legalEntityId, { receipts: receipts + 1, highest: Math.max(highest, row.numberCount) });
			yield* receiptDifferences(row, {
				allocations: allocations.get(row.id) ?? [],
				refunds: refunds.get(row.id) ?? [],
				parts: parts.get(row.id) ?? [],
				invoices,
			});
		}
		after = last.id;
	}
	yield* countDifferences(
		counted,
		new Map(givenNumbers(work, "RECEIPT").map(({ legalEntityId, last }) => [legalEntityId, last])),
	);
}
