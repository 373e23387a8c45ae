import { expect, test } from "bun:test";
import { dutchMt940 } from "../../../support/bank/text-dialects";
import { bankWorld, iban, payerIban } from "../bank-world";

/** Two open invoices of cust-1, and an entry of the sum that only the payer's name connects with them. */
async function proposed() {
	const w = bankWorld();
	const [one, two] = [w.bill(100), w.bill(200)];
	const cents = Math.round((Number(one.total) + Number(two.total)) * 100);
	const file = (number: number, text: string) =>
		dutchMt940({ iban, number, openingCents: 0, movements: [w.movement(cents, text)] });
	await w.imported(file(1, "thank you"));
	const [entry] = await w.entries();
	return {
		...w,
		one,
		two,
		cents,
		file,
		entry,
		decide: (verb: string, body?: object) => w.post(`/bank-entries/${entry.entryId}/${verb}`, body),
	};
}

test("a confirmed proposal pays its invoices and makes the payer known; to undo it reverses both", async () => {
	const w = await proposed();
	expect(w.entry).toMatchObject({ state: "PROPOSED", receiptId: null });
	const { data } = await w.decide("confirm", { proposal: 0 });
	expect(data).toMatchObject({ state: "RECORDED", customerId: "cust-1", isAutomatic: false, amount: w.cents / 100 });
	for (const { number } of [w.one, w.two]) expect((await w.invoice(number)).state).toBe("PAID");
	const [three, four] = [w.bill(100), w.bill(200)];
	await w.imported(w.file(2, "again"));
	expect((await w.entries("?state=PROPOSED"))[0].proposals[0]).toMatchObject({
		...{ rule: "KNOWN_PAYER", invoices: [{ invoiceId: three.id }, { invoiceId: four.id }] },
	});
	expect((await w.decide("undo")).data).toMatchObject({ state: "UNDONE", receiptId: data.receiptId });
	for (const { number } of [w.one, w.two]) expect((await w.invoice(number)).state).toBe("OPEN");
	expect((await w.send("GET", `/receipts/${data.receiptId}`)).data.unallocatedAmount).toBe(w.cents / 100);
	await w.imported(w.file(3, "third"));
	expect((await w.entries("?state=PROPOSED"))[0].proposals[0].rule).toBe("PAYER_NAME");
	expect((await w.decide("confirm", { invoiceIds: [w.two.id], excess: "BALANCE" })).data.state).toBe("RECORDED");
	expect((await w.send("GET", "/customers/cust-1/balance")).data[0].amount).toBe(Number(w.one.total));
	expect(w.check()).toEqual([]);
	expect(w.events("bank_entry")).toEqual(["bank_entry.confirmed", "bank_entry.undone", "bank_entry.confirmed"]);
});

test("a customer alone, or other invoices, can be confirmed; a rejected entry can be undone", async () => {
	const w = await proposed();
	expect((await w.decide("reject")).data.state).toBe("REJECTED");
	expect((await w.decide("undo")).data.state).toBe("PROPOSED");
	const { data } = await w.decide("confirm", { customerId: "cust-2" });
	expect(data).toMatchObject({ state: "RECORDED", customerId: "cust-2" });
	expect((await w.send("GET", `/receipts/${data.receiptId}`)).data).toMatchObject({
		...{ unallocatedAmount: w.cents / 100, customerId: "cust-2" },
	});
	expect((await w.entries("?customerId=cust-2")).length).toBe(1);
	expect(w.check()).toEqual([]);
});

test("a decision is refused with its reason in another state, for several targets, and for what is not payable", async () => {
	const w = await proposed();
	const other = w.bill(50, { customerId: w.other.id });
	const dollars = w.bill(50, { currency: "usd" });
	const refusals: Array<[string, object | undefined, number, string, string]> = [
		["confirm", {}, 400, "InvalidArgumentError", "Name one of"],
		["confirm", { proposal: 0, customerId: "cust-1" }, 400, "InvalidArgumentError", "Name one of"],
		["confirm", { proposal: 3 }, 400, "InvalidArgumentError", "'proposal' counts them from 0"],
		["confirm", { proposal: 5 }, 400, "BadUserInput", "proposal"],
		["confirm", { invoiceIds: [] }, 400, "BadUserInput", "invoiceIds"],
		["confirm", { invoiceIds: ["none"] }, 404, "InvoiceNotFound", "none"],
		["confirm", { invoiceIds: [w.one.id, w.one.id] }, 400, "InvalidArgumentError", "twice"],
		["confirm", { invoiceIds: [w.one.id, other.id] }, 400, "InvalidArgumentError", "of another customer"],
		["confirm", { invoiceIds: [dollars.id] }, 400, "InvalidArgumentError", "is in usd"],
		["confirm", { customerId: "none" }, 404, "CustomerNotFound", "none"],
		["confirm", { proposal: 0, why: 1 }, 400, "BadUserInput", "why"],
		["undo", undefined, 400, "InvalidArgumentError", "confirm a proposal, or reject it"],
	];
	for (const [verb, body, status, code, message] of refusals) {
		const answer = await w.decide(verb, body);
		expect([verb, body, answer.status, answer.code]).toEqual([verb, body, status, code]);
		expect(answer.message).toContain(message);
	}
	expect((await w.entries())[0].state).toBe("PROPOSED");
	await w.decide("confirm", { invoiceIds: [w.one.id] });
	expect(await w.decide("confirm", { proposal: 0 })).toMatchObject({ status: 400, code: "InvalidArgumentError" });
	expect(await w.decide("reject")).toMatchObject({ status: 400 });
	await w.decide("undo");
	expect((await w.decide("confirm", { invoiceIds: [other.id] })).message).toContain("a receipt of another customer");
	await w.post(`/customers/cust-1/invoices/${w.two.id}/payments`, { amount: Number(w.two.total) });
	const paid = await w.decide("confirm", { invoiceIds: [w.two.id] });
	expect([paid.status, paid.code]).toEqual([404, "BillingInvoiceStatusError"]);
	expect(await w.post("/bank-entries/none/undo")).toMatchObject({ status: 404 });
	expect(w.check()).toEqual([]);
	expect(payerIban).toBe(w.entry.partyIban);
});
