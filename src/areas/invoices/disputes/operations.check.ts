import type { Work } from "../../../kernel/work";
import { checkProviderDisputes } from "../../collection/disputes/operations";
import { readReceipts, refundsOfReceipts } from "../payments/store.check";
import { disputeDifferences } from "./rules.check";
import { disputesOfReceipts } from "./store";

/** Checks the disputes of this environment: each receipt counts what they concern, each lost one has withdrawn its amount, and the books follow the providers. */
export function* checkDisputes(work: Work): Generator<string> {
	for (let after = ""; ; ) {
		const rows = readReceipts(work, after);
		const last = rows.at(-1);
		if (!last) break;
		const ids = rows.map(({ id }) => id);
		const disputes = Map.groupBy(disputesOfReceipts(work, ids), ({ receiptId }) => receiptId);
		const refunds = Map.groupBy(refundsOfReceipts(work, ids), ({ receiptId }) => receiptId);
		for (const row of rows) yield* disputeDifferences(row, disputes.get(row.id) ?? [], refunds.get(row.id) ?? []);
		after = last.id;
	}
	yield* checkProviderDisputes(work);
}
