import { expect, test } from "bun:test";
import { runBankImport } from "../../../../src/areas/bank/imports/import";
import { bankImportParts } from "../../../../src/areas/bank/table";
import { claimTask, releaseTasks } from "../../../../src/tasks/operations";
import { timeSlices } from "../../../../src/tasks/time-slices";
import { savingsBank } from "../../../support/bank/camt-dialects";
import { dutchMt940, germanMt940, semicolonCsv } from "../../../support/bank/text-dialects";
import { bankWorld, iban } from "../bank-world";

test("an import allocates three certain transfers to their five invoices, proposes others, and shows outgoing money (money-and-books 3)", async () => {
	const w = bankWorld();
	const [a, b, c, d, e, f] = [100, 200, 300, 400, 500, 77].map((amount) => w.bill(amount));
	const due = (...invoices: Array<typeof a>) =>
		invoices.reduce((sum, one) => sum + Math.round(Number(one?.total) * 100), 0);
	const reference = (await w.invoice(e?.number ?? "")).creditorReference.replaceAll(" ", "");
	const movements = [
		w.movement(due(a, b), `Rechnungen ${a?.number} und ${b?.number}`),
		w.movement(due(c, d), `${c?.number} ${d?.number}`),
		w.movement(due(e), "", { name: "A friend", iban: "DE02120300000000202051", reference }),
		w.movement(due(f), "thank you"),
		w.movement(-1250, "account fee"),
		w.movement(31, "unknown", { name: "Nobody" }),
	];
	const file = [...dutchMt940({ iban, number: 1, openingCents: 0, movements })];
	expect(await w.imported(file)).toMatchObject({
		...{ state: "IMPORTED", format: "MT940", statementsCount: 1, entriesCount: 6, knownCount: 0 },
		...{ recordedCount: 3, proposedCount: 1, outgoingCount: 1, unmatchedCount: 1 },
	});
	for (const one of [a, b, c, d, e]) expect((await w.invoice(one?.number ?? "")).state).toBe("PAID");
	const [recorded] = (await w.entries("?state=RECORDED")).slice(-1);
	expect(recorded).toMatchObject({ isAutomatic: true, customerId: "cust-1", proposals: [{ rule: "INVOICE_NUMBERS" }] });
	expect((await w.send("GET", `/receipts/${recorded.receiptId}`)).data).toMatchObject({
		...{ source: "BANK", reference: recorded.entryId, amount: due(a, b) / 100, unallocatedAmount: 0 },
		...{ receivedDate: "2026-02-02T00:00:00.000Z", method: "BANK_TRANSFER" },
	});
	expect(await w.entries("?state=OUTGOING")).toMatchObject([{ amount: -12.5, proposals: [], receiptId: null }]);
	expect((await w.entries("?state=PROPOSED"))[0].proposals[0]).toMatchObject({
		...{ rule: "PAYER_NAME", customerId: "cust-1", reasons: ["PAYER_NAME_EQUAL", "AMOUNT_EQUAL"] },
		invoices: [{ invoiceId: f?.id, number: f?.number, amountDue: due(f) / 100 }],
	});
	expect(w.check()).toEqual([]);
	expect(w.events("bank_statement")).toEqual(["bank_statement.imported"]);

	// The same file, and the same entries in another file of the bank, record nothing.
	const [receipts, entries] = [await w.send("GET", "/receipts"), await w.entries()];
	expect(await w.imported(file)).toMatchObject({ knownCount: 6, recordedCount: 0, proposedCount: 0 });
	expect([await w.send("GET", "/receipts"), await w.entries()]).toEqual([receipts, entries]);
	expect(await w.send("GET", "/bank-statements")).toMatchObject({
		data: [{ number: "00001", openingBalance: 0, entriesCount: 6, missing: null }],
	});
});

test("a gap in the numbers of statements is reported until the missing one is imported", async () => {
	const w = bankWorld();
	const statement = (number: number) =>
		dutchMt940({ iban, number, openingCents: 0, movements: [w.movement(number, `text ${number}`)] });
	await w.imported(statement(3));
	await w.imported(statement(6));
	const missing = async () =>
		(await w.send("GET", "/bank-statements")).data.map((one: { sequence: number; missing: object }) => [
			...[one.sequence, one.missing],
		]);
	expect(await missing()).toEqual([
		[6, { from: 4, to: 5 }],
		[3, null],
	]);
	await w.imported(statement(5));
	expect(await missing()).toEqual([
		[5, { from: 4, to: 4 }],
		[6, null],
		[3, null],
	]);
});

test("two equal transfers of one day are two, and remain known; an invoice is paid by one of them", async () => {
	const w = bankWorld();
	const invoice = w.bill(100);
	const cents = Math.round(Number(invoice.total) * 100);
	const twice = [w.movement(cents, invoice.number), w.movement(cents, invoice.number)];
	const file = [...germanMt940({ iban, number: 1, openingCents: 0, movements: twice })];
	expect(await w.imported(file)).toMatchObject({ recordedCount: 1, unmatchedCount: 1, knownCount: 0 });
	expect(await w.imported(file)).toMatchObject({ recordedCount: 0, knownCount: 2 });
	expect(w.check()).toEqual([]);
});

test("a killed import goes on after its last commit and records each entry once", async () => {
	const w = bankWorld();
	const invoices = Array.from({ length: 40 }, (_, at) => w.bill(100 + at));
	const movements = invoices.map((one) => w.movement(Math.round(Number(one.total) * 100), one.number));
	await w.upload(savingsBank({ iban, number: 9, openingCents: 500, movements }));
	const claim = () => w.transactions.write(w.actor, (work) => claimTask(work, ["IMPORT_BANK_STATEMENTS"]));
	// Each slice ends after one item; the process ends after a few slices.
	const ending = { ...timeSlices(), isOver: () => true };
	for (let kills = 0; kills < 8; kills += 1) {
		const task = claim();
		if (!task) break;
		let slices = 0;
		await runBankImport({ transactions: w.transactions, turns: ending, isStopping: () => ++slices > 9 }, task);
		w.transactions.write(w.actor, (work) => releaseTasks(work, ["IMPORT_BANK_STATEMENTS"]));
	}
	await w.run();
	expect((await w.send("GET", "/bank-imports")).data).toMatchObject([{ state: "IMPORTED", recordedCount: 40 }]);
	expect((await w.send("GET", "/receipts?limit=100")).data).toHaveLength(40);
	expect((await w.send("GET", "/bank-statements")).data).toMatchObject([{ entriesCount: 40, openingBalance: 5 }]);
	expect(w.transactions.read(w.actor, ({ tx }) => tx.select().from(bankImportParts).all())).toEqual([]);
	expect(w.check()).toEqual([]);
});

test("the saved mapping reads the CSV of an account, and the tolerance accepts a payment short of bank fees", async () => {
	const w = bankWorld();
	const invoice = w.bill(100);
	const cents = Math.round(Number(invoice.total) * 100);
	const columns = {
		...{ bookedOn: "Buchung", amount: "Betrag", currency: "Währung", partyName: "Auftraggeber", partyIban: "IBAN" },
		...{ text: ["Verwendungszweck"], balance: "Saldo" },
	};
	const csvMapping = { delimiter: ";", decimalSeparator: ",", dateFormat: "DD.MM.YYYY", linesBefore: 2, columns };
	const settings = { csvMapping, feeTolerance: [{ currency: "eur", amount: 1.5 }] };
	expect(await w.send("PUT", "/bank-accounts/DE89 3704 0044 0532 0130 00", { body: settings })).toMatchObject({
		data: { iban, ...settings },
	});
	const movements = [w.movement(cents - 150, invoice.number)];
	const file = semicolonCsv({ iban, number: 1, openingCents: 0, movements });
	expect(await w.imported(file, `?account=${iban}`)).toMatchObject({ format: "CSV", recordedCount: 1 });
	expect(await w.invoice(invoice.number)).toMatchObject({ state: "OPEN", amountDue: 1.5 });
	expect(w.check()).toEqual([]);
});
