import { makeDebitFile } from "../../../../src/areas/bank/debits/make";
import { checkDebits } from "../../../../src/areas/bank/debits/operations.check";
import { settleDebits } from "../../../../src/areas/bank/debits/settle";
import { openLog } from "../../../../src/http/log";
import { drainTasks } from "../../../../src/workers/task-thread";
import { handleRequest } from "../../../support/shared-routes";
import { instant } from "../../invoices/samples";
import { bankWorld } from "../bank-world";

export const creditorId = "DE98ZZZ09999999999";
export const debtorIban = "DE02120300000000202051";

/** A bank world on 20 February, a Friday, whose legal entity collects by direct debit. */
export async function debitWorld(settings: Readonly<Record<string, unknown>> = {}) {
	const ours = bankWorld();
	const [entity] = (await ours.send("GET", "/legal-entities")).data;
	await ours.send("PUT", `/direct-debit-creditors/${entity.id}`, { body: { creditorId, ...settings } });
	const drain = async () => {
		const jobs = { MAKE_DIRECT_DEBIT_FILE: makeDebitFile, SETTLE_DIRECT_DEBITS: settleDebits } as const;
		for (const [type, job] of Object.entries(jobs) as Array<[keyof typeof jobs, typeof makeDebitFile]>)
			await drainTasks(ours.transactions, [type], (task) => job(ours.thread, task), openLog("silent"));
	};
	return {
		...ours,
		entityId: entity.id as string,
		drain,
		mandate: async (changes: Readonly<Record<string, unknown>> = {}) =>
			(
				await ours.post("/mandates", {
					...{ customerId: "cust-1", iban: debtorIban, signedOn: "2026-01-15", reference: "M-1" },
					...changes,
				})
			).data,
		/** Issues an invoice now, which is due at once. */
		billNow: (amount: number, changes: Parameters<typeof ours.bill>[1] = {}) =>
			ours.bill(amount, { issuedAt: ours.clock.at, dueAt: ours.clock.at, ...changes }),
		debits: async (query = "") => (await ours.send("GET", `/direct-debits${query}`)).data,
		/** Makes a file, and returns it with its text. */
		file: async (body: object = { collectUntil: "2026-04-01" }) => {
			const { data } = await ours.post("/direct-debit-files", body);
			await drain();
			const file = (await ours.send("GET", `/direct-debit-files/${data.fileId}`)).data;
			return { ...file, text: await textOf(data.fileId) };
		},
		text: (fileId: string) => textOf(fileId),
		checkDebits: () => ours.transactions.read(ours.actor, (work) => [...checkDebits(work)]),
		at: (time: string) => {
			ours.clock.at = instant(time);
		},
	};

	async function textOf(fileId: string): Promise<string> {
		const request = new Request(`http://localhost/api/v1/direct-debit-files/${fileId}/document`, {
			headers: { "x-api-key": ours.key },
		});
		return (await handleRequest(ours.services, request)).text();
	}
}
