import { expect, test } from "bun:test";
import { savingsBank } from "../../../support/bank/camt-dialects";
import { readPain008 } from "../../../support/bank/pain008-rules";
import { iban } from "../bank-world";
import { creditorId, debitWorld, debtorIban } from "./debit-world";

test("an invoice of a customer with a mandate is collected by one file, 14 days after its announcement on a day of TARGET (money-and-books 3)", async () => {
	const w = await debitWorld();
	const before = w.billNow(10);
	const mandate = await w.mandate({ debtorName: "Müller & Söhne <GmbH>" });
	expect(mandate).toMatchObject({ state: "ACTIVE", creditorId, scheme: "CORE", expiresOn: "2029-01-15" });
	const invoices = [w.billNow(100.1), w.billNow(0.3)];
	// 20 February and 14 days is 6 March, a Friday.
	const planned = await w.debits();
	expect(planned).toMatchObject(
		[0.3, 100.1].map((amount) => ({ state: "PLANNED", amount, collectionOn: "2026-03-06", fileId: null })),
	);
	expect(w.events("direct_debit")).toEqual(["direct_debit.planned", "direct_debit.planned"]);
	// An earlier invoice is collected when somebody says so.
	expect((await w.post("/direct-debits", { invoiceId: before.id })).status).toBe(201);

	const [first, second] = [
		await w.post("/direct-debit-files", { collectUntil: "2026-03-06" }),
		await w.post("/direct-debit-files", { collectUntil: "2026-03-06" }),
	];
	expect(second.data).toEqual(first.data);
	await w.drain();
	const file = (await w.send("GET", `/direct-debit-files/${first.data.fileId}`)).data;
	expect(file).toMatchObject({ state: "READY", debitsCount: 3, total: 110.4, format: "pain.008.001.08" });
	const text = await w.text(file.fileId);
	expect(await w.text(file.fileId)).toBe(text);
	const { groups, broken } = readPain008(text);
	expect(broken).toEqual([]);
	expect(groups).toMatchObject([
		{
			day: "2026-03-06",
			scheme: "CORE",
			sequence: "FRST",
			transactions: [{ cents: 10010, text: invoices[0]?.number }],
		},
		{ day: "2026-03-06", scheme: "CORE", sequence: "RCUR", transactions: [{ cents: 30 }, { cents: 1000 }] },
	]);
	expect(groups[0]?.transactions[0]).toMatchObject({
		...{ mandate: "M-1", signedOn: "2026-01-15", name: "Mueller + Soehne .GmbH.", iban: debtorIban },
	});
	// The same call again makes no second file.
	expect(await w.post("/direct-debit-files", { collectUntil: "2026-03-06" })).toMatchObject({
		...{ status: 400, code: "InvalidArgumentError", message: expect.stringContaining("No direct debit is planned") },
	});
	expect((await w.send("GET", "/direct-debit-files")).data).toHaveLength(1);
	expect(await w.post("/direct-debits", { invoiceId: invoices[0]?.id })).toMatchObject({
		...{ status: 409, code: "DuplicatedEntityNotAllowed", message: expect.stringContaining("2026-03-06") },
	});
	expect(w.checkDebits()).toEqual([]);
});

test("a statement settles debits by their end-to-end ids, and returns reopen invoices and stop mandates for the codes that demand it", async () => {
	const w = await debitWorld({ format: "pain.008.001.02" });
	await w.mandate();
	const invoices = [100, 200, 300].map((amount) => w.billNow(amount));
	const file = await w.file();
	expect(readPain008(file.text).broken).toEqual([]);
	expect(file.text).toContain("urn:iso:std:iso:20022:tech:xsd:pain.008.001.02");
	w.at("2026-03-09T12:00:00Z");
	const debits = (await w.debits()).toReversed();
	const entry = (at: number, cents: number, bankReference: string) =>
		w.movement(cents, "Lastschrift", { endToEndId: debits[at].endToEndId, day: "2026-03-06", bankReference });
	const statement = (number: number, movements: ReturnType<typeof entry>[]) => ({
		iban,
		number,
		openingCents: 0,
		movements,
	});
	await w.imported(savingsBank(statement(1, [entry(0, 10000, "A"), entry(1, 20000, "B")])));
	expect(await w.entries("?state=RECORDED")).toMatchObject([{ isAutomatic: true }, { isAutomatic: true }]);
	expect(await w.debits("?state=SETTLED")).toMatchObject([
		{ amount: 200, returnableUntil: "2026-05-01", unauthorizedUntil: "2027-04-06" },
		{ amount: 100, receiptId: expect.any(String) },
	]);
	expect((await w.invoice(invoices[0]?.number ?? "")).state).toBe("PAID");

	// Returned after it arrived, with the bank's fee; and rejected before it arrived.
	const returning = [...savingsBank(statement(2, [entry(1, -20000 - 350, "C"), entry(2, -30000, "D")]))].join("");
	const coded = ["AM04", "AC04"].reduce(
		(text, code) =>
			text.replace(
				"</TxDtls></NtryDtls></Ntry>",
				`<RtrInf><Rsn><Cd>${code}</Cd></Rsn></RtrInf></TxDtls ></NtryDtls></Ntry>`,
			),
		returning,
	);
	w.at("2026-03-10T12:00:00Z");
	await w.imported([coded]);
	expect(await w.debits("?state=RETURNED")).toMatchObject([
		{ amount: 300, returnCode: "AC04", receiptId: null, returnedOn: "2026-03-06" },
		{ amount: 200, returnCode: "AM04", receiptId: expect.any(String) },
	]);
	for (const at of [1, 2]) expect((await w.invoice(invoices[at]?.number ?? "")).state).toBe("OPEN");
	expect((await w.send("GET", "/mandates")).data).toMatchObject([{ state: "STOPPED", stopCode: "AC04" }]);
	expect(w.events("mandate")).toEqual(["mandate.created", "mandate.stopped"]);
	expect(await w.post("/direct-debits", { invoiceId: invoices[1]?.id })).toMatchObject({ status: 400 });
	// The same statement again changes nothing.
	const all = await w.debits();
	await w.imported([coded]);
	expect(await w.debits()).toEqual(all);
	expect([...w.checkDebits(), ...w.check()]).toEqual([]);
});

test("a file that the bank books as one entry is settled by hand; a debit is returned by hand, collected again, or canceled", async () => {
	const w = await debitWorld();
	const mandate = await w.mandate();
	const invoices = [100, 200, 300].map((amount) => w.billNow(amount));
	const file = await w.file();
	const [last, , first] = await w.debits();
	expect(await w.post(`/direct-debits/${last.debitId}/return`, { code: "AM04" })).toMatchObject({
		data: { state: "RETURNED", returnCode: "AM04", receiptId: null },
	});
	await w.post(`/direct-debit-files/${file.fileId}/settle`, {});
	await w.drain();
	expect((await w.debits()).map(({ state }: { state: string }) => state)).toEqual(["RETURNED", "SETTLED", "SETTLED"]);
	await w.post(`/direct-debit-files/${file.fileId}/settle`, {});
	await w.drain();
	expect((await w.send("GET", "/receipts")).data).toMatchObject([{ method: "DIRECT_DEBIT", source: "BANK" }, {}]);
	expect(await w.post(`/direct-debits/${first.debitId}/return`, { code: "MD06" })).toMatchObject({
		data: { state: "RETURNED", returnCode: "MD06" },
	});
	expect(await w.invoice(invoices[0]?.number ?? "")).toMatchObject({ state: "OPEN", amountDue: 100 });
	// MD06 asks the money back, and the mandate stays.
	expect(await w.post("/direct-debits", { invoiceId: invoices[0]?.id })).toMatchObject({ status: 201 });
	const [again] = await w.debits();
	expect(await w.post(`/direct-debits/${again.debitId}/cancel`)).toMatchObject({ data: { state: "CANCELED" } });
	await w.post("/direct-debits", { invoiceId: invoices[0]?.id });
	expect(await w.post(`/mandates/${mandate.mandateId}/revoke`)).toMatchObject({ data: { state: "REVOKED" } });
	expect((await w.debits("?state=CANCELED")).length).toBe(2);
	for (const [path, body] of [
		[`/direct-debits/${again.debitId}/cancel`, undefined],
		[`/direct-debits/${again.debitId}/return`, { code: "AM04" }],
	] as const)
		expect(await w.post(path, body)).toMatchObject({ status: 404, code: "BillingInvoiceStatusError" });
	expect([...w.checkDebits(), ...w.check()]).toEqual([]);
});

test("a file collects no more than is due, and cancels debits of paid invoices and of mandates that ended", async () => {
	const w = await debitWorld();
	await w.mandate({ kind: "ONE_OFF" });
	const [paid, partly, late] = [100, 200, 300].map((amount) => w.billNow(amount));
	const pay = (invoice: typeof paid, amount: number) =>
		w.post(`/customers/cust-1/invoices/${invoice?.id}/payments`, { amount });
	await pay(paid, 100);
	expect((await w.debits("?state=CANCELED"))[0].amount).toBe(100);
	await pay(partly, 150);
	const file = await w.file();
	expect(readPain008(file.text).groups).toMatchObject([{ sequence: "OOFF", transactions: [{ cents: 5000 }] }]);
	expect(await w.debits("?state=CANCELED")).toMatchObject([{ invoiceId: late?.id }, { invoiceId: paid?.id }]);
	expect((await w.send("GET", "/mandates")).data).toMatchObject([{ state: "USED", lastCollectedOn: "2026-03-06" }]);
	// The customer pays by transfer although the bank has the debit: its money is unallocated.
	await pay(partly, 50);
	await w.post(`/direct-debit-files/${file.fileId}/settle`, {});
	await w.drain();
	expect((await w.send("GET", "/receipts")).data[0]).toMatchObject({ amount: 50, unallocatedAmount: 50 });
	expect([...w.checkDebits(), ...w.check()]).toEqual([]);
});
