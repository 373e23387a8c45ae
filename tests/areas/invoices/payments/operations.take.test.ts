import { expect, test } from "bun:test";
import fc from "fast-check";
import { cancelInvoice } from "../../../../src/areas/invoices/operations";
import { receiptWorld } from "../receipts/receipt-world";
import { decimal, line } from "../samples";

type World = ReturnType<typeof receiptWorld>;

/** A step: what happens, to which of the rows there are, and with how many cents. */
const step = fc.record({
	kind: fc.constantFrom(
		...(["bill", "receipt", "split", "allocate", "undo", "refund", "return", "credit", "pay", "reverse"] as const),
		...(["toBalance", "adjust", "cancel", "undoAtOnce"] as const),
	),
	one: fc.nat(50),
	two: fc.nat(50),
	cents: fc.integer({ min: 1, max: 12_000 }),
	isWhole: fc.boolean(),
});
type Step = typeof step extends fc.Arbitrary<infer Taken> ? Taken : never;

const euros = (cents: number): number => Number((cents / 100).toFixed(2));
const cents = (amount: number): number => Math.round(amount * 100);

/** Everything that the API shows of the money. All amounts are in cents. */
interface Shown {
	readonly invoices: ReadonlyArray<
		Readonly<Record<"id" | "state", string> & Record<"total" | "due" | "paid" | "applied", number>>
	>;
	readonly notes: ReadonlyArray<{ readonly invoiceId: string; readonly total: number; readonly toBalance: number }>;
	readonly receipts: ReadonlyArray<
		Readonly<Record<"id" | "kind", string> & Record<"amount" | "unallocated" | "refunded", number>>
	>;
	readonly adjusted: number;
	readonly balance: number;
}

// biome-ignore lint/suspicious/noExplicitAny: a row of the API.
type Row = Readonly<Record<string, any>>;

async function shown(world: World): Promise<Shown> {
	const rows = async (path: string): Promise<readonly Row[]> => (await world.send("GET", `${path}limit=100`)).data;
	const entries = await rows("/customers/cust-1/balance/entries?");
	return {
		invoices: (await rows("/invoices?customerId=cust-1&")).map((one) => ({
			...{ id: one.invoiceId, state: one.state, total: cents(one.total), due: cents(one.amountDue) },
			...{ paid: cents(one.amountPaid), applied: cents(one.balanceApplied) },
		})),
		notes: (await rows("/customers/cust-1/credit-notes?"))
			.filter(({ state }) => state !== "VOIDED")
			.map((one) => ({
				...{ invoiceId: one.invoiceId, total: cents(one.total), toBalance: cents(one.balanceAmount) },
			})),
		receipts: (await rows("/receipts?")).map((one) => ({
			...{ id: one.receiptId, kind: one.kind, amount: cents(one.amount) },
			...{ unallocated: cents(one.unallocatedAmount), refunded: cents(one.refundedAmount) },
		})),
		adjusted: sumOf(
			entries.filter(({ kind }) => kind === "ADJUSTED"),
			({ amount }) => cents(amount),
		),
		balance: cents(await world.balance()),
	};
}

const sumOf = <One>(rows: readonly One[], of: (row: One) => number): number =>
	rows.reduce((sum, row) => sum + of(row), 0);

/** The laws of the design, by arithmetic of the API's figures alone. */
function assertLaws({ invoices, notes, receipts, adjusted, balance }: Shown): void {
	const credited = (id: string) => sumOf(notes, (note) => (note.invoiceId === id ? note.total - note.toBalance : 0));
	for (const { id, state, total, due, paid, applied } of invoices)
		if (state !== "CANCELED") expect([id, due + paid + applied + credited(id)]).toEqual([id, total]);
	expect(balance).toBeGreaterThanOrEqual(0);
	const valid = new Set(invoices.flatMap((one) => (one.state === "CANCELED" ? [] : [one.id])));
	const moved = sumOf(receipts, ({ kind, amount }) => (kind === "PAYMENT" ? amount : -amount));
	const onInvoices = sumOf(invoices, ({ id, paid }) => (valid.has(id) ? paid : 0));
	const unallocated = sumOf(receipts, (one) => one.unallocated);
	const ofNotes = sumOf(notes, ({ invoiceId, toBalance }) => (valid.has(invoiceId) ? toBalance : 0));
	const applied = sumOf(invoices, (one) => (valid.has(one.id) ? one.applied : 0));
	// The money in the balance is what neither credit notes nor manual entries put there, before invoices used it.
	expect(onInvoices + unallocated + (balance - ofNotes - adjusted + applied)).toBe(moved);
	for (const { kind, amount, refunded, unallocated: left } of receipts)
		if (kind === "PAYMENT") expect(refunded + left).toBeLessThanOrEqual(amount);
	expect(sumOf(receipts, (one) => one.refunded)).toBe(
		sumOf(receipts, ({ kind, amount }) => (kind === "PAYMENT" ? 0 : amount)),
	);
}

const pick = <Row>(rows: readonly Row[], at: number): Row | undefined => rows[at % Math.max(1, rows.length)];

/** Takes a step. Where the outcome follows from the figures before it, the answer must agree. */
async function take(world: World, { kind, one, two, cents: amount, isWhole }: Step): Promise<void> {
	const before = await shown(world);
	const invoice = pick(before.invoices, one);
	const arrived = before.receipts.filter((row) => row.kind === "PAYMENT");
	const receipt = pick(arrived, two);
	const path = `/customers/cust-1/invoices/${invoice?.id}`;
	if (kind === "bill") {
		world.bill(euros(amount), { lines: [line({ amount: decimal(euros(amount)) })] });
	} else if (kind === "adjust") {
		await world.post("/customers/cust-1/balance/entries", {
			amount: euros(amount),
			currency: "usd",
			reason: "goodwill",
		});
	} else if (kind === "receipt") {
		await world.record({ amount: euros(amount), ...(isWhole && { excess: "BALANCE" }) });
	} else if (kind === "split") {
		const open = before.invoices.filter(({ state }) => state === "OPEN").slice(0, 3);
		const allocations = open.map((row) => ({ invoiceId: row.id, amount: euros(row.due) }));
		const needed = sumOf(open, ({ due }) => due);
		const recorded = await world.record({ amount: euros(amount), allocations });
		expect(recorded.status).toBe(needed <= amount ? 201 : 400);
	} else if (invoice && receipt && (kind === "allocate" || kind === "undoAtOnce")) {
		const part = isWhole ? Math.min(invoice.due, receipt.unallocated) || amount : amount;
		const allocations = [{ invoiceId: invoice.id, amount: euros(part) }];
		const allocated = await world.post(`/receipts/${receipt.id}/allocations`, { allocations });
		const isRight = invoice.state === "OPEN" && part <= invoice.due && part <= receipt.unallocated;
		expect(allocated.status === 201).toBe(isRight);
		if (kind === "undoAtOnce" && isRight) {
			const made = allocated.data.allocations.at(-1).allocationId;
			expect((await world.post(`/receipts/${receipt.id}/allocations/${made}/reverse`, {})).status).toBe(201);
			expect(await shown(world)).toEqual(before);
		}
	} else if (receipt && kind === "toBalance") {
		await world.post(`/receipts/${receipt.id}/allocations`, { excess: "BALANCE" });
	} else if (receipt && kind === "undo") {
		const made = pick<{ allocationId: string }>((await world.receipt(receipt.id)).allocations, one);
		const body = isWhole ? {} : { amount: euros(amount) };
		await world.post(`/receipts/${receipt.id}/allocations/${made?.allocationId}/reverse`, body);
	} else if (receipt && kind === "refund") {
		const refunded = await world.post(`/receipts/${receipt.id}/refunds`, { amount: euros(amount) });
		const isRight = amount <= receipt.amount - receipt.refunded && amount <= receipt.unallocated + before.balance;
		expect(refunded.status).toBe(isRight ? 201 : 400);
	} else if (receipt && kind === "return") {
		const body = { reason: "RETURNED", ...(!isWhole && { amount: euros(amount) }) };
		const { status } = await world.post(`/receipts/${receipt.id}/return`, body);
		if (receipt.amount === receipt.refunded) expect(status).toBe(400);
	} else if (invoice && kind === "credit") {
		await world.credit(invoice.id, isWhole ? {} : { amount: euros(amount) });
	} else if (invoice && kind === "pay") {
		const paid = await world.post(`${path}/payments`, { amount: euros(amount), ...(isWhole && { kind: "REFUND" }) });
		if (!isWhole) expect(paid.status === 201).toBe(invoice.state === "OPEN");
	} else if (invoice && kind === "reverse") {
		const made = pick<{ paymentId: string }>((await world.send("GET", `${path}/payments`)).data, two);
		const reason = pick(["RETURNED", "MISALLOCATED"], two);
		await world.post(`${path}/payments/${made?.paymentId}/reverse`, {
			reason,
			...(!isWhole && { amount: euros(amount) }),
		});
	} else if (invoice && kind === "cancel") {
		if (invoice.state === "OPEN" && before.receipts.length % 3 === 0)
			try {
				world.transactions.write(world.actor, (work) => cancelInvoice(work, invoice.id));
			} catch (error) {
				expect(String(error)).toContain("cannot be canceled");
			}
	}
}

test("random receipts, allocations, reversals, refunds and credit notes keep the laws of payments", async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 30 }), async (steps) => {
			const world = receiptWorld();
			world.bill(80);
			world.bill(45.5);
			for (const one of steps) {
				await take(world, one);
				assertLaws(await shown(world));
			}
			expect(world.check()).toEqual([]);
		}),
		{ numRuns: Number(process.env.RECEIPT_RUNS ?? 12) },
	);
}, 120_000);
