import { exact, sum } from "../../../kernel/decimal";
import type { Work } from "../../../kernel/work";
import { invoicesByAttempt, readAttempts } from "../../collection/attempts/operations.check";
import { isFinal } from "../../collection/attempts/rules.states";
import type { AttemptInvoiceRow, AttemptRow } from "../../collection/attempts/table";
import type { ReceiptRow } from "../table.receipts";
import { selectReceipts } from "./store";

/**
 * Checks the payment attempts of this environment: each is to pay what its invoices need, a final one blocks no invoice, and each that
 * succeeded has the receipt of its money.
 */
export function* checkAttempts(work: Work): Generator<string> {
	for (let after = ""; ; ) {
		const rows = readAttempts(work, after);
		const last = rows.at(-1);
		if (!last) return;
		const invoices = invoicesByAttempt(work, rows);
		const ids = rows.flatMap(({ receiptId }) => receiptId ?? []);
		const receipts = new Map(selectReceipts(work, ids).map((row) => [row.id, row]));
		for (const row of rows)
			yield* attemptDifferences(row, invoices.get(row.id) ?? [], receipts.get(row.receiptId ?? ""));
		after = last.id;
	}
}

function* attemptDifferences(
	row: AttemptRow,
	invoices: readonly AttemptInvoiceRow[],
	receipt: ReceiptRow | undefined,
): Generator<string> {
	const name = `the payment attempt ${row.id}`;
	const planned = sum(invoices.map(({ amount }) => exact(amount)));
	if (!planned.eq(exact(row.amount))) yield `${name}: it charges ${row.amount}, its invoices need ${planned.toFixed()}`;
	if (invoices.some(({ isOpen }) => isOpen === isFinal(row.state)))
		yield `${name}: it is ${row.state}, and its invoices ${isFinal(row.state) ? "still wait for it" : "do not wait for it"}`;
	if ((row.state === "SUCCEEDED") !== (row.receiptId !== null))
		yield `${name}: it is ${row.state}, and has ${row.receiptId === null ? "no" : "a"} receipt`;
	if (row.receiptId === null) return;
	const isItsMoney =
		receipt?.customerId === row.customerId &&
		receipt.currency === row.currency &&
		receipt.referenceScope === row.connectionId &&
		exact(receipt.amount).eq(exact(row.received ?? row.amount));
	if (!isItsMoney) yield `${name}: the receipt ${row.receiptId} is not its money`;
}
