import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { systemActor } from "../../../src/areas/access/rules.actors";
import { checkInvoices } from "../../../src/areas/invoices/check/operations.sums";
import type { NewInvoice } from "../../../src/areas/invoices/new-documents";
import {
	cancelInvoice,
	getInvoice,
	issueInvoice,
	latestInvoiceOf,
	latestInvoicesOf,
	linesByInvoice,
} from "../../../src/areas/invoices/operations";
import { markPaid } from "../../../src/areas/invoices/payments/operations";
import { assertMayBecome, nextStates, totalsOf } from "../../../src/areas/invoices/rules";
import { type InvoiceState, invoiceStates, linesMax } from "../../../src/areas/invoices/schema";
import { invoices } from "../../../src/areas/invoices/table";
import { exact } from "../../../src/kernel/decimal";
import { acme, decimal, input, instant, invoiceNumber, line, tieredLine } from "./samples";
import { invoiceWorld } from "./support";

describe("issueInvoice", () => {
	test("numbers without a gap, whatever is rolled back, and each environment by itself", () => {
		const world = invoiceWorld();
		let expected = 0;
		let foreign = 0;
		fc.assert(
			fc.property(fc.constantFrom("issue", "roll back", "two and roll back", "foreign"), (step) => {
				const issueAndThrow = (count: number) =>
					world.transactions.write(world.actor, (work) => {
						for (let at = 0; at < count; at += 1) issueInvoice(work, input({ customerId: world.customer.id }));
						throw new Error("rolled back");
					});
				if (step === "foreign") {
					foreign += 1;
					expect(world.issueForeign().number).toBe(invoiceNumber(foreign));
				} else if (step === "issue") {
					expected += 1;
					expect(world.issue()).toMatchObject({ sequence: expected, number: invoiceNumber(expected) });
				} else expect(() => issueAndThrow(step === "roll back" ? 1 : 2)).toThrow("rolled back");
			}),
			{ numRuns: 60 },
		);
		const sequences = world.transactions.read(world.actor, (work) => work.tx.select().from(invoices).all());
		expect(sequences.filter(({ environmentId }) => environmentId === world.environmentId)).toHaveLength(expected);
		expect(world.transactions.read(world.actor, checkInvoices)).toEqual([]);
		expect(world.transactions.read(world.foreignActor, checkInvoices)).toEqual([]);
	});

	test("sums the lines exactly and keeps them in order, issuer and customer as they were", () => {
		const world = invoiceWorld();
		const invoice = world.issue({
			taxPercentage: decimal(20),
			lines: [
				line({ amount: decimal("0.1"), tax: decimal("0.02") }),
				line({ amount: decimal("0.2"), discount: decimal("0.1"), tax: decimal("0.02"), taxPercentage: decimal(7) }),
				tieredLine(),
				line({ amount: decimal("-5"), quantity: null, unitPrice: null, taxPercentage: null }),
			],
		});
		expect(invoice).toMatchObject({
			state: "OPEN",
			revision: 1,
			subTotal: "140.3",
			discount: "0.1",
			tax: "0.04",
			total: "140.24",
			totalHundredths: 14024,
			issuer: acme,
		});
		const lines = world.transactions.read(world.actor, (work) => linesByInvoice(work, [invoice]).get(invoice.id) ?? []);
		expect(lines.map(({ position }) => position)).toEqual([0, 1, 2, 3]);
		expect(lines.map(({ total }) => Number(total))).toEqual([0.12, 0.12, 145, -5]);
		expect(lines.map(({ taxPercentage }) => taxPercentage)).toEqual([decimal(20), decimal(7), decimal(20), null]);
		expect(lines[2]?.tiers).toHaveLength(3);
	});

	test("dates by the clock, and is due at once when the draft says nothing", () => {
		const world = invoiceWorld();
		const invoice = world.transactions.write(world.actor, (work) =>
			issueInvoice(work, {
				customerId: world.customer.id,
				customer: { name: "Buyer", email: null, address: null, taxIds: [] },
				billingReason: "MANUAL",
				currency: "jpy",
				lines: [line({ amount: decimal(1200) })],
			}),
		);
		expect(invoice).toMatchObject({
			issuedAt: world.clock.at,
			dueAt: world.clock.at,
			paidAt: null,
			periodStart: null,
			totalHundredths: 120_000,
		});
	});

	test.each([
		["a total of zero", { lines: [line({ amount: decimal(0) })] }, "PAID"],
		["a credit", { lines: [line({ amount: decimal(-1) })] }, "PAID"],
		["no line at all", { lines: [] }, "PAID"],
		["a draft that says paid", { paidAt: instant("2026-02-01T00:00:00Z") }, "PAID"],
		["something to collect", {}, "OPEN"],
	] as ReadonlyArray<[string, Partial<NewInvoice>, InvoiceState]>)("%s comes in its state", (_, changes, state) => {
		expect(invoiceWorld().issue(changes).state).toBe(state);
	});

	test.each([
		[
			"more lines than an invoice holds",
			{ lines: Array.from({ length: linesMax + 1 }, () => line()) },
			"at most 5000 lines",
		],
		[
			"an amount beyond the exact range",
			{ lines: [line({ amount: decimal("10000000000000.01") })] },
			"at most 10000000000000",
		],
		["a line in fractions of the minor unit", { lines: [line({ amount: decimal("0.001") })] }, "whole minor units"],
		["a yen with decimals", { currency: "jpy", lines: [line({ amount: decimal("0.5") })] }, "whole minor units"],
	])("%s is refused and takes no number", (_, changes, message) => {
		const world = invoiceWorld();
		expect(() => world.issue(changes)).toThrow(message);
		expect(world.issue().number).toBe("INV-000001");
	});

	test("as many lines as an invoice holds are kept", () => {
		const world = invoiceWorld();
		const invoice = world.issue({ lines: Array.from({ length: linesMax }, () => line({ amount: decimal("0.01") })) });
		expect(invoice.total).toBe(decimal(50));
		expect(
			world.transactions.read(world.actor, (work) => linesByInvoice(work, [invoice]).get(invoice.id)),
		).toHaveLength(linesMax);
	});
});

describe("totals", () => {
	const cents = fc.integer({ min: -1_000_000, max: 1_000_000 });
	test("total is subTotal less discount plus tax, for any lines", () => {
		fc.assert(
			fc.property(fc.array(fc.tuple(cents, cents, cents), { maxLength: 30 }), (parts) => {
				const money = (value: number) => decimal(exact(value).div(100).toFixed());
				const lines = parts.map(([amount, discount, tax]) =>
					line({ amount: money(amount), discount: money(discount), tax: money(tax) }),
				);
				const totals = totalsOf({ lines, currency: "usd" });
				// The oracle counts whole cents.
				const hundredths = parts.reduce((sum, [amount, discount, tax]) => sum + amount - discount + tax, 0);
				expect(totals.totalHundredths).toBe(hundredths);
				expect(exact(totals.subTotal).minus(totals.discount).plus(totals.tax).eq(totals.total)).toBe(true);
			}),
			{ numRuns: 200 },
		);
	});
});

describe("states", () => {
	test("OPEN ends PAID or CANCELED, PAID opens again when its payment is reversed, and nothing else happens", () => {
		for (const from of invoiceStates)
			for (const to of invoiceStates) {
				const move = () => assertMayBecome({ id: "one", number: "INV-000001", state: from }, to);
				if (from !== "DRAFT" && nextStates[from].includes(to)) expect(move).not.toThrow();
				else expect(move).toThrow(from === "DRAFT" ? "finalize it first" : "only an OPEN invoice");
			}
		expect(nextStates).toEqual({
			DRAFT: ["OPEN", "PAID"],
			OPEN: ["PAID", "CANCELED"],
			PAID: ["OPEN"],
			CANCELED: [],
		});
	});

	test("a payment raises the revision and is recorded once", () => {
		const world = invoiceWorld();
		const { id } = world.issue();
		const paidAt = instant("2026-02-03T10:00:00Z");
		const pay = () => world.transactions.write(world.actor, (work) => markPaid(work, id, paidAt));
		expect(pay()).toMatchObject({ state: "PAID", paidAt, revision: 2 });
		expect(pay).toThrow("is PAID");
		expect(world.transactions.read(world.actor, (work) => getInvoice(work, id).revision)).toBe(2);
		const foreign = systemActor(world.foreignEnvironmentId);
		expect(() => world.transactions.write(foreign, (work) => markPaid(work, id, paidAt))).toThrow("no invoice");
	});

	test("a canceled invoice keeps its number and its amounts", () => {
		const world = invoiceWorld();
		const { id } = world.issue();
		const canceled = world.transactions.write(world.actor, (work) => cancelInvoice(work, id));
		expect(canceled).toMatchObject({ state: "CANCELED", canceledAt: world.clock.at, revision: 2, total: "49" });
		expect(world.issue().number).toBe("INV-000002");
	});
});

test("the latest invoice of a subscription or a contract is the one with the highest number", () => {
	const world = invoiceWorld();
	world.issue({ subscriptionId: "sub", contractId: "con", issuedAt: instant("2026-05-01T00:00:00Z") });
	const second = world.issue({ subscriptionId: "sub", contractId: "con", issuedAt: instant("2026-03-01T00:00:00Z") });
	const another = world.issue({ subscriptionId: "another" });
	world.issue();
	world.transactions.read(world.actor, (work) => {
		expect(latestInvoicesOf(work, ["sub", "another", "none"])).toEqual(
			new Map([
				["sub", second],
				["another", another],
			]),
		);
		expect(latestInvoicesOf(work, ["sub"])).toEqual(new Map([["sub", second]]));
		expect(latestInvoicesOf(work, [])).toEqual(new Map());
		expect(latestInvoiceOf(work, "sub")?.id).toBe(second.id);
		expect(latestInvoiceOf(work, "none")).toBeUndefined();
	});
	expect(world.transactions.read(world.foreignActor, (work) => latestInvoiceOf(work, "sub"))).toBeUndefined();
	expect(world.transactions.read(world.foreignActor, (work) => latestInvoicesOf(work, ["sub"]))).toEqual(new Map());
});

test("the check finds a gap in the numbers and sums that do not add up", () => {
	const world = invoiceWorld();
	for (let count = 0; count < 3; count += 1) world.issue();
	world.db.$client.run("UPDATE invoices SET total = '50' WHERE number = 'INV-000003'");
	world.db.$client.run("UPDATE invoices SET sequence = 9 WHERE number = 'INV-000002'");
	expect(world.transactions.read(world.actor, checkInvoices)).toEqual([
		"before the invoice INV-000003 a number is missing",
		"the invoice INV-000003: total is 50, its lines make 49",
		"before the invoice INV-000002 a number is missing",
		"the last invoice number given is 3, the last invoice's is 9",
	]);
});
