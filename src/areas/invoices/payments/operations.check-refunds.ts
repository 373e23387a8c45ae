import { exact, sum } from "../../../kernel/decimal";
import type { Work } from "../../../kernel/work";
import { readRefunds } from "../../collection/refunds/operations.check";
import type { ProviderRefundRow } from "../../collection/refunds/table";
import type { ReceiptRow } from "../table.receipts";
import { selectReceipts } from "./store";
import { partsOfRefunds } from "./store.check";

/**
 * Checks the refunds through providers of this environment: each has moved its amount out of its receipt, and the money of a failed one
 * is back.
 */
export function* checkProviderRefunds(work: Work): Generator<string> {
	for (let after = ""; ; ) {
		const rows = readRefunds(work, after);
		const last = rows.at(-1);
		if (!last) return;
		const ids = rows.flatMap(({ refundReceiptId, returnedReceiptIds }) => [refundReceiptId, ...returnedReceiptIds]);
		const receipts = new Map(selectReceipts(work, ids).map((row) => [row.id, row]));
		const parts = Map.groupBy(
			partsOfRefunds(
				work,
				rows.map(({ refundReceiptId }) => refundReceiptId),
			),
			({ refundId }) => refundId,
		);
		for (const row of rows) {
			const sources = (parts.get(row.refundReceiptId) ?? []).map(({ receiptId }) => receiptId);
			yield* refundDifferences(row, receipts, sources);
		}
		after = last.id;
	}
}

function* refundDifferences(
	row: ProviderRefundRow,
	receipts: ReadonlyMap<string, ReceiptRow>,
	sources: readonly string[],
): Generator<string> {
	const name = `the refund ${row.id} through a provider`;
	const isOurs = (receipt: ReceiptRow | undefined, kind: ReceiptRow["kind"]): receipt is ReceiptRow =>
		receipt?.kind === kind && receipt.customerId === row.customerId && receipt.currency === row.currency;
	const refund = receipts.get(row.refundReceiptId);
	const isItsMoney = isOurs(refund, "REFUND") && exact(refund.amount).eq(exact(row.amount));
	if (!isItsMoney || sources.join() !== row.receiptId)
		yield `${name}: the receipt ${row.refundReceiptId} does not move ${row.amount} out of the receipt ${row.receiptId}`;
	const returned = row.returnedReceiptIds.map((id) => receipts.get(id)).filter((one) => isOurs(one, "PAYMENT"));
	const back = sum(returned.map(({ amount }) => exact(amount)));
	const expected = row.state === "FAILED" ? exact(row.amount) : exact("0" as typeof row.amount);
	if (!back.eq(expected)) yield `${name}: it is ${row.state}, and ${back.toFixed()} of its ${row.amount} is back`;
}
