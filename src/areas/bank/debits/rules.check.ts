import { exact } from "../../../kernel/decimal";
import { isOpenState } from "../../direct-debit/rules";
import type { DebitFileRow, DebitRow } from "../../direct-debit/table";
import type { ReceiptRow } from "../../invoices/table.receipts";

/** The rows around a debit, as far as they exist. */
export interface AroundDebit {
	readonly receipt: ReceiptRow | undefined;
	readonly returned: ReceiptRow | undefined;
	readonly file: DebitFileRow | undefined;
}

/** Returns how a debit differs from its receipts and its file. */
export function* debitDifferences(debit: DebitRow, { receipt, returned, file }: AroundDebit): Generator<string> {
	const name = `the direct debit ${debit.id} of ${debit.amount} eur`;
	if (debit.isOpen !== isOpenState(debit.state))
		yield `${name} is ${debit.state} and ${debit.isOpen ? "open" : "ended"}`;
	const needsFile = debit.state !== "PLANNED" && debit.state !== "CANCELED";
	if (needsFile !== (debit.fileId !== null))
		yield `${name} is ${debit.state} and has ${needsFile ? "no file" : "a file"}`;
	if (debit.fileId !== null && file?.legalEntityId !== debit.legalEntityId)
		yield `${name} is in the file ${debit.fileId}, which is not one of its legal entity`;
	const needsReceipt = debit.state === "SETTLED";
	if (needsReceipt && debit.receiptId === null) yield `${name} is SETTLED and has no receipt`;
	if (!needsReceipt && debit.state !== "RETURNED" && debit.receiptId !== null)
		yield `${name} is ${debit.state} and has a receipt`;
	if (debit.receiptId !== null) yield* receiptDifferences(name, debit, receipt);
	if ((debit.returnId !== null) !== (debit.state === "RETURNED" && debit.receiptId !== null))
		yield `${name} is ${debit.state} and ${debit.returnId === null ? "its money was not withdrawn" : "has a withdrawal"}`;
	if (debit.returnId !== null && (returned?.kind !== "RETURN" || !exact(returned.amount).eq(debit.amount)))
		yield `${name} names the withdrawal ${debit.returnId}, which is none of its amount`;
}

function* receiptDifferences(name: string, debit: DebitRow, receipt: ReceiptRow | undefined): Generator<string> {
	if (!receipt) {
		yield `${name} names the receipt ${debit.receiptId}, which does not exist`;
		return;
	}
	if (!exact(receipt.amount).eq(debit.amount) || receipt.currency !== "eur")
		yield `${name} is recorded as a receipt of ${receipt.amount} ${receipt.currency}`;
	if (receipt.customerId !== debit.customerId) yield `${name} names another customer than its receipt ${receipt.id}`;
	if (receipt.method !== "DIRECT_DEBIT") yield `${name} has a receipt by ${receipt.method}`;
}
