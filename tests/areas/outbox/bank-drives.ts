import { bankWorld } from "../bank/bank-world";
import { debitWorld } from "../bank/debits/debit-world";

/** A world with an imported statement, and each decision about its entry. */
async function withDecisions() {
	const w = bankWorld();
	const { entryId } = await w.transfer(4900, "hello");
	for (const [verb, body] of [["reject"], ["undo"], ["confirm", { customerId: "cust-1" }]] as const)
		await w.post(`/bank-entries/${entryId}/${verb}`, body);
	return w;
}

/** A world with mandates and debits in each of their states, and a file. */
async function withDebits() {
	const w = await debitWorld();
	await w.mandate();
	for (const amount of [100, 200, 300]) w.billNow(amount);
	const [, planned] = await w.debits();
	await w.post(`/direct-debits/${planned.debitId}/cancel`);
	const { fileId } = await w.file();
	const [third] = await w.debits();
	await w.post(`/direct-debit-files/${fileId}/settle`, {});
	await w.drain();
	await w.post(`/direct-debits/${third.debitId}/return`, { code: "AC04" });
	const other = await w.mandate({ reference: "M-2" });
	await w.post(`/mandates/${other.mandateId}/revoke`);
	return w;
}

/** The drives, and the number of types that begin with these words and that each emits. */
export const bankDrives = [
	[withDecisions, /^bank/, 4],
	[withDebits, /^(mandate|direct_debit)/, 9],
] as const;
