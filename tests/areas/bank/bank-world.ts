import { runBankImport } from "../../../src/areas/bank/imports/import";
import { checkBankEntries } from "../../../src/areas/bank/operations.check";
import { checkReceipts } from "../../../src/areas/invoices/payments/operations.check-receipts";
import { outboxEvents } from "../../../src/areas/outbox/table";
import { openLog } from "../../../src/http/log";
import { drainTasks } from "../../../src/workers/task-thread";
import type { Movement } from "../../support/bank/movements";
import { dutchMt940 } from "../../support/bank/text-dialects";
import type { CallOptions } from "../../support/world";
import { acme, decimal, instant, line } from "../invoices/samples";
import { invoiceWorld } from "../invoices/support";

export const iban = "DE89370400440532013000";
export const payerIban = "NL91ABNA0417164300";

/** A world on 20 February whose legal entity has an account. `bill` issues an invoice in euro on 1 February. */
export function bankWorld() {
	const ours = invoiceWorld(undefined, { ...acme, bankAccount: { iban, bic: null, bankName: null } });
	ours.clock.at = instant("2026-02-20T12:00:00Z");
	const send = async (method: string, path: string, options: CallOptions = {}) => {
		const { status, body } = await ours.call(method, path, options);
		return { status, ...body };
	};
	const post = (path: string, body?: unknown, options: CallOptions = {}) =>
		send("POST", path, { ...options, ...(body !== undefined && { body }) });
	const run = () =>
		drainTasks(
			ours.transactions,
			["IMPORT_BANK_STATEMENTS"],
			(task) => runBankImport(ours.thread, task),
			openLog("silent"),
		);
	const upload = (file: Iterable<string>, query = "", options: CallOptions = {}) =>
		send("POST", `/bank-imports${query}`, {
			body: [...file].join(""),
			headers: { "content-type": "text/plain" },
			...options,
		});
	const movement = (cents: number, text: string, more: Partial<Movement> = {}): Movement => ({
		...{ cents, day: "2026-02-02", name: "GLOBEX CORP", iban: payerIban, text, endToEndId: "NOTPROVIDED" },
		...{ bankReference: `B${cents}${text.length}`, reference: "", ...more },
	});
	/** Imports a file, records its entries, and returns the import. */
	const imported = async (file: Iterable<string>, query = "") => {
		const { data } = await upload(file, query);
		await run();
		return (await send("GET", `/bank-imports/${data.importId}`)).data;
	};
	const entries = async (query = "") => (await send("GET", `/bank-entries${query}`)).data;
	return {
		...ours,
		send,
		post,
		run,
		upload,
		bill: (amount: number, changes: Parameters<typeof ours.issue>[0] = {}) =>
			ours.issue({
				...{ lines: [line({ amount: decimal(amount) })], currency: "eur" },
				...{ issuedAt: instant("2026-02-01T00:00:00Z"), dueAt: instant("2026-02-15T00:00:00Z") },
				...changes,
			}),
		movement,
		imported,
		entries,
		/** Imports a statement with one transfer, and returns its entry. */
		transfer: async (cents: number, text: string) => {
			await imported(dutchMt940({ iban, number: 1, openingCents: 0, movements: [movement(cents, text)] }));
			return (await entries())[0];
		},
		invoice: async (number: string) =>
			(await send("GET", "/invoices?limit=100")).data.find(
				(one: { invoiceNumber: string }) => one.invoiceNumber === number,
			),
		check: () => ours.transactions.read(ours.actor, (work) => [...checkBankEntries(work), ...checkReceipts(work)]),
		events: (prefix: string) =>
			ours.transactions.read(ours.actor, ({ tx }) =>
				tx
					.select({ type: outboxEvents.type })
					.from(outboxEvents)
					.all()
					.map(({ type }) => type)
					.filter((type) => type.startsWith(prefix)),
			),
	};
}
