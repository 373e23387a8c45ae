import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { checkInvoices } from "../../../src/areas/invoices/check/operations.sums";
import { issueCreditNote, linesByCreditNote } from "../../../src/areas/invoices/credit-notes/operations";
import { creditInvoice } from "../../../src/areas/invoices/credit-notes/operations.credit";
import { linesToCredit } from "../../../src/areas/invoices/credit-notes/rules";
import type { NewCreditNote, NewInvoiceLine } from "../../../src/areas/invoices/new-documents";
import { cancelInvoice, getInvoice } from "../../../src/areas/invoices/operations";
import { markPaid } from "../../../src/areas/invoices/payments/operations";
import { lineTotal } from "../../../src/areas/invoices/rules";
import { type InvoiceLineKind, invoiceLineKinds } from "../../../src/areas/invoices/schema";
import { lineColumnsOf } from "../../../src/areas/invoices/store";
import type { CreditNoteRow } from "../../../src/areas/invoices/table";
import { exact, sum } from "../../../src/kernel/decimal";
import { acme, creditNoteNumber, decimal, globex, instant, january, line } from "./samples";
import { invoiceWorld } from "./support";

type InvoiceWorld = ReturnType<typeof invoiceWorld>;

const now = instant("2026-02-20T12:00:00Z");

function laterWorld(): InvoiceWorld {
	const world = invoiceWorld();
	world.clock.at = now;
	return world;
}

/** A note over what is given; to the world's customer, of no invoice. */
const issueNote = (world: InvoiceWorld, changes: Partial<NewCreditNote> = {}): CreditNoteRow =>
	world.transactions.write(world.actor, (work) =>
		issueCreditNote(work, {
			customerId: world.customer.id,
			customer: globex,
			invoiceId: null,
			currency: "usd",
			lines: [line({ amount: decimal(10) })],
			...changes,
		}),
	);

const credit = (world: InvoiceWorld, invoiceId: string): CreditNoteRow =>
	world.transactions.write(world.actor, (work) =>
		creditInvoice(work, "cust-1", invoiceId, {}, { waiting: [], reversed: new Set() }),
	);

const linesOf = (world: InvoiceWorld, note: CreditNoteRow) =>
	world.transactions.read(world.actor, (work) => linesByCreditNote(work, [note]).get(note.id) ?? []);

const stateOf = (world: InvoiceWorld, id: string) =>
	world.transactions.read(world.actor, (work) => getInvoice(work, id));

describe("issueCreditNote", () => {
	test("numbers without a gap, whatever is rolled back, independent of the invoices and separate for each environment", () => {
		const world = laterWorld();
		let expected = 0;
		let foreign = 0;
		fc.assert(
			fc.property(fc.constantFrom("issue", "roll back", "two and roll back", "invoice", "foreign"), (step) => {
				const input = { customer: globex, invoiceId: null, currency: "usd", lines: [line()] };
				if (step === "issue") {
					expected += 1;
					expect(issueNote(world)).toMatchObject({ sequence: expected, number: creditNoteNumber(expected) });
				} else if (step === "invoice") world.issue();
				else if (step === "foreign") {
					foreign += 1;
					const note = world.transactions.write(world.foreignActor, (work) =>
						issueCreditNote(work, { ...input, customerId: world.foreign.id }),
					);
					expect(note.number).toBe(creditNoteNumber(foreign));
				} else
					expect(() =>
						world.transactions.write(world.actor, (work) => {
							for (let count = step === "roll back" ? 1 : 2; count > 0; count -= 1)
								issueCreditNote(work, { ...input, customerId: world.customer.id });
							throw new Error("rolled back");
						}),
					).toThrow("rolled back");
			}),
			{ numRuns: 60 },
		);
		expect([expected, foreign].every((count) => count > 0)).toBe(true);
		expect(world.transactions.read(world.actor, checkInvoices)).toEqual([]);
		expect(world.transactions.read(world.foreignActor, checkInvoices)).toEqual([]);
	});

	test("sums its lines, a charge among them too, and keeps who and what as it was", () => {
		const world = laterWorld();
		const note = issueNote(world, {
			subscriptionId: "sub",
			contractId: "con",
			reasonCode: "WAIVER",
			period: january,
			taxPercentage: decimal(20),
			discountLabel: "WELCOME",
			lines: [
				line({ description: "Unused time: Growth", amount: decimal(30), discount: decimal(3), tax: decimal("5.4") }),
				line({ description: "Remaining time: Starter", amount: decimal("-10"), tax: decimal(-2), taxPercentage: null }),
			],
		});
		expect(note).toMatchObject({
			number: "CN-000001",
			reasonCode: "WAIVER",
			issuedAt: now,
			subTotal: "20",
			discount: "3",
			tax: "3.4",
			total: "20.4",
			periodStart: january.start,
			subscriptionId: "sub",
			contractId: "con",
			invoiceId: null,
			invoiceNumber: null,
			reducesDue: false,
			issuer: acme,
			customer: globex,
		});
		expect(linesOf(world, note)).toMatchObject([
			{ position: 0, description: "Unused time: Growth", total: "32.4", taxPercentage: "20" },
			{ position: 1, amount: "-10", total: "-12", taxPercentage: null },
		]);
	});

	test("is for an order change, now, when the draft says nothing", () => {
		expect(issueNote(laterWorld())).toMatchObject({
			reasonCode: "ORDER_CHANGE",
			issuedAt: now,
			periodStart: null,
			taxPercentage: null,
		});
	});

	test.each([
		["nothing", { lines: [] }, "must credit more than zero"],
		["a charge", { lines: [line({ amount: decimal(-1) })] }, "must credit more than zero"],
		["fractions of the minor unit", { lines: [line({ amount: decimal("0.001") })] }, "whole minor units"],
		["too much", { lines: [line({ amount: decimal("10000000000000.01") })] }, "at most 10000000000000"],
		["an unknown invoice", { invoiceId: "none" }, "no invoice 'none'"],
	])("%s is refused and takes no number", (_, changes, message) => {
		const world = laterWorld();
		expect(() => issueNote(world, changes)).toThrow(message);
		expect(issueNote(world).number).toBe("CN-000001");
	});

	test("corrects an invoice of the same customer, in its currency, that is not CANCELED", () => {
		const world = laterWorld();
		const foreign = world.issueForeign();
		const [canceled, yen, others] = [
			world.issue(),
			world.issue({ currency: "jpy" }),
			world.issue({ customerId: world.other.id }),
		];
		world.transactions.write(world.actor, (work) => cancelInvoice(work, canceled.id));
		for (const [invoice, message] of [
			[canceled, "is CANCELED"],
			[yen, "in the currency of"],
			[others, "to the customer of"],
			[foreign, "no invoice"],
		] as const)
			expect(() => issueNote(world, { invoiceId: invoice.id })).toThrow(message);
	});

	test("an OPEN invoice is PAID once nothing of it is left to collect, and not before", () => {
		const world = laterWorld();
		const invoice = world.issue();
		const at = instant("2026-02-11T00:00:00Z");
		const part = issueNote(world, { invoiceId: invoice.id, lines: [line({ amount: decimal("48.99") })], issuedAt: at });
		expect(part).toMatchObject({ invoiceNumber: invoice.number, reducesDue: true });
		expect(stateOf(world, invoice.id)).toMatchObject({ state: "OPEN", paidAt: null, revision: 2 });
		issueNote(world, { invoiceId: invoice.id, lines: [line({ amount: decimal("0.01") })], issuedAt: at });
		expect(stateOf(world, invoice.id)).toMatchObject({ state: "PAID", paidAt: at, revision: 3, total: "49" });
	});

	test("no credit note exceeds what is left of its invoice: not by a cent, whatever its state", () => {
		const world = laterWorld();
		for (const pays of [false, true]) {
			const invoice = world.issue();
			if (pays) world.transactions.write(world.actor, (work) => markPaid(work, invoice.id, now));
			issueNote(world, { invoiceId: invoice.id, lines: [line({ amount: decimal(40) })] });
			const over = { invoiceId: invoice.id, lines: [line({ amount: decimal("9.01") })] };
			expect(() => issueNote(world, over)).toThrow(`the creditable amount of ${invoice.number}`);
			issueNote(world, { invoiceId: invoice.id, lines: [line({ amount: decimal(9) })] });
			expect(() => credit(world, invoice.id)).toThrow("already credited in full");
		}
	});

	test("a paid amount keeps its date of payment", () => {
		const world = laterWorld();
		const paidAt = instant("2026-02-03T00:00:00Z");
		const { id } = world.issue();
		world.transactions.write(world.actor, (work) => markPaid(work, id, paidAt));
		expect(issueNote(world, { invoiceId: id, lines: [line()] }).reducesDue).toBe(false);
		expect(stateOf(world, id)).toMatchObject({ state: "PAID", paidAt, revision: 3 });
	});
});

describe("crediting an invoice", () => {
	const cents = (value: number) => decimal(exact(value).div(100).toFixed());
	const usage: readonly InvoiceLineKind[] = ["PayAsYouGoCharge", "OverageCharge", "MinimumSpendAdjustmentCharge"];
	const anyLine = fc
		.record({
			kind: fc.constantFrom(...invoiceLineKinds),
			amount: fc.integer({ min: -500, max: 5000 }),
			discount: fc.integer({ min: 0, max: 300 }),
			tax: fc.integer({ min: 0, max: 900 }),
			rate: fc.constantFrom(null, "7", "19"),
		})
		.map(({ kind, amount, discount, tax, rate }) =>
			line({
				kind,
				amount: cents(amount),
				discount: cents(discount),
				tax: cents(tax),
				taxPercentage: rate === null ? null : decimal(rate),
			}),
		);
	const totalOf = (lines: readonly NewInvoiceLine[]) => sum(lines.map(lineTotal));

	const notes = fc.array(fc.array(anyLine, { minLength: 1, maxLength: 3 }), { maxLength: 3 });
	const invoiced = fc.array(anyLine, { minLength: 1, maxLength: 8 });
	const taxOf = (lines: readonly NewInvoiceLine[], rate: string | null) =>
		sum(lines.filter(({ taxPercentage }) => taxPercentage === rate).map(({ tax }) => exact(tax ?? 0)));

	/** A charge within a note is no part of the invoice that it corrects. */
	const creditedBy = (given: readonly NewInvoiceLine[][]) =>
		given.flat().filter((one) => !usage.includes(one.kind) && lineTotal(one).gt(0));

	test("credits exactly the lines that are not usage, less earlier credits, by tax rate too, and once", () => {
		const rowsOf = (lines: readonly NewInvoiceLine[]) =>
			lines.map((one, at) => lineColumnsOf({ environmentId: "", taxPercentage: null }, one, at));
		fc.assert(
			fc.property(invoiced, notes, (lines, given) => {
				const creditable = lines.filter(({ kind }) => !usage.includes(kind));
				const earlier = given.map((note, at) => ({ number: creditNoteNumber(at + 1), lines: rowsOf(note) }));
				const back = creditedBy(given);
				const left = totalOf(creditable).minus(totalOf(back));
				const decide = (credited: typeof earlier) =>
					linesToCredit({ number: "INV-000001", state: "OPEN" }, rowsOf(lines), credited);
				if (creditable.length === 0) return expect(() => decide(earlier)).toThrow("usage only");
				if (totalOf(creditable).lte(0)) return expect(() => decide(earlier)).toThrow("nothing to credit");
				if (left.lte(0)) return expect(() => decide(earlier)).toThrow("already credited in full");
				const rest = decide(earlier);
				expect(totalOf(rest).eq(left)).toBe(true);
				for (const rate of [null, "7", "19"])
					expect(taxOf(rest, rate).eq(taxOf(creditable, rate).minus(taxOf(back, rate)))).toBe(true);
				expect(rest.slice(0, creditable.length).map(({ kind, amount }) => [kind, amount])).toEqual(
					creditable.map(({ kind, amount }) => [kind, amount]),
				);
				const now = [...earlier, { number: "CN-000099", lines: rowsOf(rest) }];
				expect(() => decide(now)).toThrow("CN-000099");
			}),
			{ numRuns: 500 },
		);
	});

	test("the note, the invoice's state and the check agree with it", () => {
		const world = laterWorld();
		fc.assert(
			fc.property(invoiced, notes, (lines, given) => {
				const creditable = lines.filter(({ kind }) => !usage.includes(kind));
				const earlier = given.filter((note) => totalOf(note).gt(0));
				const rest = totalOf(creditable).minus(totalOf(creditedBy(earlier)));
				const ofInvoice = totalOf(lines).minus(totalOf(earlier.flat()));
				const left = rest.lt(ofInvoice) ? rest : ofInvoice;
				fc.pre(totalOf(creditable).gt(0) && left.gt(0));
				const invoice = world.issue({ lines });
				for (const note of earlier) issueNote(world, { invoiceId: invoice.id, lines: note });
				const note = credit(world, invoice.id);
				expect(note.total).toBe(decimal(left.toFixed()));
				expect(exact(note.subTotal).minus(note.discount).plus(note.tax).eq(note.total)).toBe(true);
				const isSettled = exact(invoice.total).lte(left.plus(totalOf(earlier.flat())));
				expect(stateOf(world, invoice.id).state).toBe(isSettled ? "PAID" : "OPEN");
			}),
			{ numRuns: 25 },
		);
		expect(world.transactions.read(world.actor, checkInvoices)).toEqual([]);
	});

	test("an OPEN invoice with usage stays OPEN for what was used", () => {
		const world = laterWorld();
		const { id } = world.issue({ lines: [line(), line({ kind: "PayAsYouGoCharge", amount: decimal("0.5") })] });
		expect(credit(world, id)).toMatchObject({ total: "49", reducesDue: true });
		expect(stateOf(world, id)).toMatchObject({ state: "OPEN", total: "49.5" });
		expect(() => credit(world, id)).toThrow("already credited in full, by CN-000001");
	});

	test("the additional charge of a proration stays owed", () => {
		const world = laterWorld();
		const { id } = world.issue({ lines: [line({ amount: decimal(100) })] });
		const kept = line({ kind: "OverageCharge", amount: decimal(-20) });
		issueNote(world, { invoiceId: id, lines: [line({ description: "Unused time", amount: decimal(50) }), kept] });
		expect(credit(world, id).total).toBe(decimal(50));
		// 100 less 30 and 50: the usage.
		expect(stateOf(world, id).state).toBe("OPEN");
	});

	test("keeps what the line said, and says what was credited before", () => {
		const world = laterWorld();
		const charged = line({
			kind: "AddonCharge",
			quantity: decimal(3),
			unitPrice: decimal("16.33"),
			discount: decimal(4),
			tax: decimal(9),
			taxPercentage: decimal(20),
			period: january,
			productRefId: "app",
			featureRefId: "seats",
			addonRefId: "extra",
		});
		const invoice = world.issue({ subscriptionId: "sub", taxPercentage: decimal(20), lines: [charged] });
		issueNote(world, { invoiceId: invoice.id, lines: [line({ amount: decimal(5), taxPercentage: decimal(20) })] });
		const note = credit(world, invoice.id);
		expect(note).toMatchObject({
			number: "CN-000002",
			total: "49",
			subscriptionId: "sub",
			issuer: acme,
			customer: globex,
			periodStart: january.start,
			reasonCode: "ORDER_CHANGE",
		});
		const { period: _, ...said } = charged;
		expect(linesOf(world, note)).toMatchObject([
			{ ...said, periodStart: january.start, periodEnd: january.end, total: "54" },
			{ kind: "Other", description: "Already credited by CN-000001", amount: "-5", taxPercentage: "20" },
		]);
	});
});

test("the check finds a gap in the numbers of credit notes and sums that do not add up", () => {
	const world = laterWorld();
	for (let count = 0; count < 3; count += 1) issueNote(world);
	world.db.$client.run(
		"UPDATE credit_note_lines SET tax = '1' WHERE credit_note_id IN (SELECT id FROM credit_notes WHERE sequence = 1)",
	);
	world.db.$client.run("UPDATE credit_notes SET sequence = 9 WHERE sequence = 2");
	expect(world.transactions.read(world.actor, checkInvoices)).toEqual([
		"the credit note CN-000001: tax is 0, its lines make 1",
		"the credit note CN-000001: total is 10, its lines make 11",
		"before the credit note CN-000003 a number is missing",
		"before the credit note CN-000002 a number is missing",
		"the last credit note number given is 3, the last credit note's is 9",
	]);
	expect(world.transactions.read(world.foreignActor, checkInvoices)).toEqual([]);
});
