import { expect, test } from "bun:test";
import { debitWorld, debtorIban } from "../bank/debits/debit-world";

test("wrong identifiers, foreign rows and wrong states are refused, and leave nothing", async () => {
	const w = await debitWorld();
	await w.mandate();
	const mandate = { customerId: "cust-1", iban: debtorIban, signedOn: "2026-01-15" };
	const refused: Array<[string, object, number, string | null]> = [
		["/mandates", { ...mandate, iban: "DE02120300000000202052" }, 400, "InvalidArgumentError"],
		["/mandates", { ...mandate, iban: "AE070331234567890123456" }, 400, "InvalidArgumentError"],
		["/mandates", { ...mandate, iban: "GB29NWBK60161331926819" }, 400, "InvalidArgumentError"],
		["/mandates", { ...mandate, signedOn: "2026-02-21" }, 400, "InvalidArgumentError"],
		["/mandates", { ...mandate, signedOn: "2026-02-30" }, 400, "InvalidArgumentError"],
		["/mandates", { ...mandate, legalEntityId: "nobody" }, 400, "InvalidArgumentError"],
		["/mandates", { ...mandate, customerId: "nobody" }, 404, "CustomerNotFound"],
		["/mandates", { ...mandate, reference: "m-1" }, 409, "DuplicatedEntityNotAllowed"],
		["/mandates", { ...mandate, reference: "ä" }, 400, "BadUserInput"],
		["/mandates", { ...mandate, surprise: 1 }, 400, "BadUserInput"],
		["/direct-debits", { invoiceId: "nobody" }, 404, "InvoiceNotFound"],
		["/direct-debits", { invoiceId: w.billNow(1, { currency: "usd" }).id }, 400, "InvalidArgumentError"],
		["/direct-debits", { invoiceId: w.bill(1, { customerId: w.other.id }).id }, 400, "InvalidArgumentError"],
		["/direct-debit-files", { collectUntil: "2026-02-19" }, 400, "InvalidArgumentError"],
		["/direct-debit-files", { collectUntil: "2026-12-31" }, 400, "InvalidArgumentError"],
		["/direct-debit-files", {}, 400, "InvalidArgumentError"],
	];
	for (const [path, body, status, code] of refused) {
		const answer = await w.post(path, body);
		expect([JSON.stringify(body), answer.status, answer.code]).toEqual([JSON.stringify(body), status, code]);
	}
	const settings = (body: object) => w.send("PUT", `/direct-debit-creditors/${w.entityId}`, { body });
	expect(await settings({ creditorId: "DE99ZZZ09999999999" })).toMatchObject({
		status: 400,
		code: "InvalidArgumentError",
	});
	expect(await settings({ creditorId: "DE98ZZZ09999999999", leadDays: 0 })).toMatchObject({ status: 400 });
	expect(await settings({ creditorId: "DE98ZZZ09999999999", leadDays: 5 })).toMatchObject({
		data: { leadDays: 5, format: "pain.008.001.08", iban: "DE89370400440532013000" },
	});
	expect((await w.send("GET", "/mandates")).data).toHaveLength(1);
	expect(await w.debits()).toEqual([]);
	const foreign = { key: w.foreignKey };
	const [{ mandateId }] = (await w.send("GET", "/mandates")).data;
	expect((await w.send("GET", `/mandates/${mandateId}`, foreign)).status).toBe(404);
	expect((await w.send("GET", "/mandates", foreign)).data).toEqual([]);
});

test("a planned debit follows due dates, notices and holidays", async () => {
	const w = await debitWorld({ leadDays: 1 });
	await w.mandate();
	w.at("2026-04-01T12:00:00Z");
	w.billNow(1);
	w.billNow(2, { dueAt: Date.parse("2026-04-30T22:00:00Z") as never });
	w.billNow(3, { dueAt: Date.parse("2026-05-01T22:00:00Z") as never });
	// 2 April is the day after; 1 May is closed, and then a weekend follows.
	expect(
		(await w.debits()).map(({ amount, collectionOn }: { amount: number; collectionOn: string }) => [
			amount,
			collectionOn,
		]),
	).toEqual([
		[3, "2026-05-04"],
		[2, "2026-04-30"],
		[1, "2026-04-02"],
	]);
	// A file that is made too late moves the day to the next one that the bank can keep: over Easter.
	w.at("2026-04-02T12:00:00Z");
	const file = await w.file({});
	expect(file.text).toContain("<ReqdColltnDt>2026-04-07</ReqdColltnDt>");
	expect(file.debitsCount).toBe(1);
});
