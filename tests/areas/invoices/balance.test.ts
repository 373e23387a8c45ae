import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { balanceOf } from "../../../src/areas/invoices/balance";
import { amountsDue, cancelInvoice, getInvoice, markPaid } from "../../../src/areas/invoices/operations";
import { checkInvoices } from "../../../src/areas/invoices/operations.check";
import { creditUnusedTime, issueCreditNote } from "../../../src/areas/invoices/operations.credit-notes";
import { exact, toDecimal } from "../../../src/kernel/decimal";
import { decimal, globex, january, line } from "./samples";
import { invoiceWorld } from "./support";

const cents = (amount: string): number => exact(amount).times(100).toNumber();
const money = (amount: number) => decimal((amount / 100).toFixed(2));
const of = (amount: number) => [line({ kind: "BaseCharge", amount: money(amount), period: january })];

describe("what is given back", () => {
	test("is taken off the invoices that charged it, newest first, and the rest pays the next invoices", async () => {
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
		const told = body.data.map(({ invoiceId, total }: { invoiceId: string; total: number }) => [invoiceId, total]);
		expect(told.toReversed()).toEqual([
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

	test("comes to the cent to what was invoiced less what is due, paid and in credit, whatever happens", () => {
		const amounts = fc.integer({ min: 1, max: 5000 });
		const acts = fc.array(
			fc.record({
				act: fc.constantFrom("bill", "give", "credit", "pay", "cancel"),
				amount: amounts,
				which: fc.nat(20),
			}),
			{ minLength: 4, maxLength: 25 },
		);
		fc.assert(
			fc.property(acts, (all) => {
				const world = invoiceWorld();
				const owner = { customerId: world.customer.id, currency: "usd" };
				const ids: string[] = [];
				const books: Array<{ total: number; left: number; due: number; fromBalance: number; isOpen: boolean }> = [];
				let balance = 0;
				for (const { act, amount, which } of all) {
					const at = ids.length === 0 ? -1 : which % ids.length;
					const book = books[at];
					const invoiceId = ids[at] ?? "";
					if (act === "bill") {
						ids.push(world.issue({ subscriptionId: "sub", lines: of(amount) }).id);
						const fromBalance = Math.min(balance, amount);
						balance -= fromBalance;
						const due = amount - fromBalance;
						books.push({ total: amount, left: amount, due, fromBalance, isOpen: due > 0 });
					} else if (act === "give") {
						const input = { ...owner, customer: globex, invoiceId: null, lines: of(amount) };
						world.transactions.write(world.actor, (work) => issueCreditNote(work, input));
						balance += amount;
					} else if (!book) continue;
					else if (act === "credit" && book.left > 0) {
						const given = Math.min(amount, book.left);
						const input = { ...owner, customer: globex, invoiceId, lines: of(given) };
						world.transactions.write(world.actor, (work) => issueCreditNote(work, input));
						const back = book.isOpen ? Math.max(0, given - book.due) : Math.min(given, book.fromBalance);
						if (book.isOpen) book.due -= given - back;
						book.left -= given;
						book.fromBalance -= back;
						balance += back;
						book.isOpen &&= book.due > 0;
					} else if (act === "pay" && book.isOpen) {
						world.transactions.write(world.actor, (work) => markPaid(work, invoiceId, work.now));
						Object.assign(book, { due: 0, isOpen: false });
					} else if (act === "cancel" && book.isOpen) {
						world.transactions.write(world.actor, (work) => cancelInvoice(work, invoiceId));
						balance += book.fromBalance;
						Object.assign(book, { left: 0, due: 0, fromBalance: 0, isOpen: false });
					}
				}
				world.transactions.read(world.actor, (work) => {
					expect(cents(balanceOf(work, owner))).toBe(balance);
					const rows = ids.map((id) => getInvoice(work, id));
					const due = amountsDue(work, rows);
					expect(rows.map(({ id }) => cents(due.get(id) ?? toDecimal(-1)))).toEqual(books.map((one) => one.due));
					expect(rows.map(({ state }) => state === "OPEN")).toEqual(books.map(({ isOpen }) => isOpen));
					expect(checkInvoices(work)).toEqual([]);
				});
			}),
			{ numRuns: 20 },
		);
	});
});
