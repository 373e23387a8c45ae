import { exact } from "../../kernel/decimal";
import type { ReceiptRow } from "../invoices/table.receipts";
import type { BankEntryRow } from "./table";

/** Returns how an entry differs from its receipt. */
export function* entryDifferences(entry: BankEntryRow, receipt: ReceiptRow | undefined): Generator<string> {
	const name = `the bank entry ${entry.id} of ${entry.bookedOn}, ${entry.amount} ${entry.currency},`;
	const hasMoney = entry.state === "RECORDED" || entry.state === "UNDONE";
	if (hasMoney !== (entry.receiptId !== null) || hasMoney !== (entry.customerId !== null)) {
		yield `${name} is ${entry.state} and has ${entry.receiptId === null ? "no receipt" : "a receipt"}`;
		return;
	}
	if (!hasMoney) return;
	if (!receipt) {
		yield `${name} names the receipt ${entry.receiptId}, which does not exist`;
		return;
	}
	if (!exact(receipt.amount).eq(entry.amount) || receipt.currency !== entry.currency)
		yield `${name} is recorded as a receipt of ${receipt.amount} ${receipt.currency}`;
	if (receipt.customerId !== entry.customerId) yield `${name} names another customer than its receipt ${receipt.id}`;
	if (receipt.source !== "BANK" || receipt.referenceScope !== entry.accountId || receipt.kind !== "PAYMENT")
		yield `${name} has a receipt ${receipt.id} that did not come from its account`;
}
