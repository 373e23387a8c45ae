import { exact } from "../../../kernel/decimal";
import type { Work } from "../../../kernel/work";
import { debitsAfter, filesAfter, selectFiles, sumOfFile } from "../../direct-debit/operations.rows";
import { receiptsByIds } from "../../invoices/payments/operations.receipts";
import { debitDifferences } from "./rules.check";

/** The rows in memory at once. */
const checkedAtOnce = 500;

/** Checks direct debits: their receipts, and the sums of their files. */
export function* checkDebits(work: Work): Generator<string> {
	for (let after = ""; ; ) {
		const rows = debitsAfter(work, after, checkedAtOnce);
		const last = rows.at(-1);
		if (!last) break;
		const receiptIds = rows.flatMap(({ receiptId, returnId }) => [receiptId, returnId].filter((id) => id !== null));
		const receipts = receiptsByIds(work, receiptIds);
		const fileIds = [...new Set(rows.flatMap(({ fileId }) => fileId ?? []))];
		const files = new Map(selectFiles(work, fileIds).map((file) => [file.id, file]));
		for (const row of rows)
			yield* debitDifferences(row, {
				receipt: receipts.get(row.receiptId ?? ""),
				returned: receipts.get(row.returnId ?? ""),
				file: files.get(row.fileId ?? ""),
			});
		after = last.id;
	}
	yield* checkFiles(work);
}

function* checkFiles(work: Work): Generator<string> {
	for (let after = ""; ; ) {
		const files = filesAfter(work, after, checkedAtOnce);
		const last = files.at(-1);
		if (!last) return;
		for (const { id, debitsCount, total, groups } of files) {
			const { count, sum } = sumOfFile(work, id);
			const name = `the direct-debit file ${id}`;
			if (count !== debitsCount || !sum.eq(exact(total)))
				yield `${name} states ${debitsCount} debits of ${total}, and has ${count} of ${sum.toFixed()}`;
			const stated = groups.reduce((all, group) => all.plus(group.sum), exact(0));
			if (!stated.eq(exact(total))) yield `${name} states ${total}, and groups of ${stated.toFixed()}`;
		}
		after = last.id;
	}
}
