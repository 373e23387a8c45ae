import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { balanceOf } from "../../../src/areas/invoices/balance/ledger";
import { adjustBalance } from "../../../src/areas/invoices/balance/operations";
import { checkInvoices } from "../../../src/areas/invoices/check/operations.sums";
import { creditUnusedTime, issueCreditNote } from "../../../src/areas/invoices/credit-notes/operations";
import { amountsDue, cancelInvoice, getInvoice } from "../../../src/areas/invoices/operations";
import { markPaid, recordPayment } from "../../../src/areas/invoices/payments/operations";
import { exact, toDecimal } from "../../../src/kernel/decimal";
import type { Work } from "../../../src/kernel/work";
import { decimal, globex, january, line } from "./samples";
import { invoiceWorld } from "./support";

const cents = (amount: string): number => exact(amount).times(100).toNumber();
const money = (amount: number) => decimal((amount / 100).toFixed(2));
const of = (amount: number) => [line({ kind: "BaseCharge", amount: money(amount), period: january })];

describe("credited amounts", () => {
	test("are deducted from the invoices that charged them, newest first, and the rest pays the next invoices", async () => {
		const world = invoiceWorld();
		const bill = (amount: number) => world.issue({ subscriptionId: "sub", lines: of(amount) });
		const [first, second] = [bill(5998), bill(773)];
		world.issue({ subscriptionId: "another", lines: of(9999) });
		const owner = { customerId: world.customer.id, currency: "usd" };
		const give = (amount: number) =>
			world.transactions.write(world.actor, (work) =>
				creditUnusedTime(work, { ...owner, customer: globex, lines: of(amount) }, ["sub"]),
			);
		give(6000);
		give(1000);
		const { body } = await world.call("GET", "/customers/cust-1/credit-notes");
		const amounts = body.data.map(({ invoiceId, total }: { invoiceId: string; total: number }) => [invoiceId, total]);
		expect(amounts.toReversed()).toEqual([
			[second.id, 7.73],
			[first.id, 52.27],
			[first.id, 7.71],
			[null, 2.29],
		]);
		const balance = async () => (await world.call("GET", "/customers/cust-1/balance")).body.data;
		expect(await balance()).toEqual([{ amount: 2.29, currency: "usd" }]);
		expect(bill(100)).toMatchObject({ state: "PAID", total: "1", balanceApplied: "1" });
		const next = bill(500);
		expect(next).toMatchObject({ state: "OPEN", total: "5", balanceApplied: "1.29" });
		expect(world.transactions.read(world.actor, (work) => amountsDue(work, [next]).get(next.id))).toBe(decimal("3.71"));
		expect(await balance()).toEqual([]);
		expect(world.transactions.read(world.actor, checkInvoices)).toEqual([]);
	});

	test("total to the cent the invoiced amounts less what is due, paid and in credit, whatever happens", () => {
		const acts = fc.array(
			fc.record({
				act: fc.constantFrom("bill", "give", "credit", "pay all", "pay", "refund", "cancel", "adjust"),
				amount: fc.integer({ min: 1, max: 5000 }),
				which: fc.nat(20),
			}),
			{ minLength: 4, maxLength: 25 },
		);
		fc.assert(
			fc.property(acts, (all) => {
				const world = invoiceWorld();
				const owner = { customerId: world.customer.id, currency: "usd" };
				const write = (make: (work: Work) => void): void =>
					world.transactions.write(world.actor, (work) => {
						make(work);
					});
				const ids: string[] = [];
				const books: Book[] = [];
				let balance = 0;
				for (const { act, amount, which } of all) {
					const at = ids.length === 0 ? -1 : which % ids.length;
					const book = books[at];
					const invoiceId = ids[at] ?? "";
					const paying = (kind: "PAYMENT" | "REFUND") => () =>
						write((work) =>
							recordPayment(work, invoiceId, { ...payment, kind, amount: money(amount), paidAt: work.now }),
						);
					if (act === "bill") {
						ids.push(world.issue({ subscriptionId: "sub", lines: of(amount) }).id);
						const fromBalance = Math.min(balance, amount);
						balance -= fromBalance;
						const due = amount - fromBalance;
						books.push({ left: amount, due, settled: fromBalance, received: 0, state: due > 0 ? "OPEN" : "PAID" });
					} else if (act === "give") {
						write((work) => issueCreditNote(work, { ...owner, customer: globex, invoiceId: null, lines: of(amount) }));
						balance += amount;
					} else if (act === "adjust") {
						const change = which % 2 === 0 ? amount : -amount;
						const adjust = () =>
							write((work) =>
								adjustBalance(work, owner.customerId, { amount: change / 100, currency: "usd", reason: "so" }),
							);
						if (balance + change < 0) expect(adjust).toThrow("no more than that can be taken");
						else {
							adjust();
							balance += change;
						}
					} else if (!book) continue;
					else if (act === "credit" && book.left > 0) {
						const given = Math.min(amount, book.left);
						write((work) => issueCreditNote(work, { ...owner, customer: globex, invoiceId, lines: of(given) }));
						const lowered = Math.min(given, book.due);
						book.due -= lowered;
						book.left -= given;
						book.settled -= given - lowered;
						balance += given - lowered;
						if (book.due === 0) book.state = "PAID";
					} else if (act === "pay all" && book.state === "OPEN") {
						write((work) => markPaid(work, invoiceId, work.now));
						Object.assign(book, {
							received: book.received + book.due,
							settled: book.settled + book.due,
							due: 0,
							state: "PAID",
						});
					} else if (act === "pay") {
						if (book.state !== "OPEN") {
							expect(paying("PAYMENT")).toThrow("nothing of it is due");
							continue;
						}
						paying("PAYMENT")();
						const taken = Math.min(amount, book.due);
						book.received += amount;
						book.settled += taken;
						book.due -= taken;
						balance += amount - taken;
						if (book.due === 0) book.state = "PAID";
					} else if (act === "refund") {
						const isOpen = book.state === "OPEN";
						if (amount > book.received || (!isOpen && amount > balance)) {
							expect(paying("REFUND")).toThrow();
							continue;
						}
						paying("REFUND")();
						book.received -= amount;
						if (isOpen) {
							book.due += amount;
							book.settled -= amount;
						} else balance -= amount;
					} else if (act === "cancel" && book.state === "OPEN") {
						write((work) => cancelInvoice(work, invoiceId));
						balance += book.settled;
						Object.assign(book, { left: 0, due: 0, settled: 0, state: "CANCELED" });
					}
				}
				world.transactions.read(world.actor, (work) => {
					expect(cents(balanceOf(work, owner))).toBe(balance);
					const rows = ids.map((id) => getInvoice(work, id));
					const due = amountsDue(work, rows);
					expect(rows.map(({ id }) => cents(due.get(id) ?? toDecimal(-1)))).toEqual(books.map((one) => one.due));
					expect(rows.map(({ state }) => state)).toEqual(books.map(({ state }) => state));
					expect(checkInvoices(work)).toEqual([]);
				});
			}),
			{ numRuns: 40 },
		);
	});
});

const payment = { method: "CASH", reference: null, note: null } as const;

interface Book {
	/** The amount of it that credit notes may still credit. */
	left: number;
	due: number;
	/** The amount that the balance and payments have paid of it and that was not credited. */
	settled: number;
	/** The amount paid by any payment, less refunds. */
	received: number;
	state: "OPEN" | "PAID" | "CANCELED";
}
