import type { Work } from "../../kernel/work";
import { receiptsByIds } from "../invoices/payments/operations.receipts";
import { entryDifferences } from "./rules.check";
import { entriesAfter } from "./store";

/** Checks the entries of bank statements: each RECORDED or UNDONE entry is one receipt of its amount, currency, customer and account. */
export function* checkBankEntries(work: Work): Generator<string> {
	for (let after = ""; ; ) {
		const rows = entriesAfter(work, after);
		const last = rows.at(-1);
		if (!last) return;
		const receipts = receiptsByIds(
			work,
			rows.flatMap(({ receiptId }) => receiptId ?? []),
		);
		for (const row of rows) yield* entryDifferences(row, receipts.get(row.receiptId ?? ""));
		after = last.id;
	}
}
