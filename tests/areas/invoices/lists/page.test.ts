import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createApp } from "../../../../src/app";
import { listInvoices } from "../../../../src/areas/invoices/lists/operations";
import { listCustomerInvoices } from "../../../../src/areas/invoices/operations";
import { markPaid } from "../../../../src/areas/invoices/payments/operations";
import type { InvoiceListQuery } from "../../../../src/areas/invoices/schema";
import type { InvoiceRow } from "../../../../src/areas/invoices/table";
import { type Instant, toIso } from "../../../../src/kernel/clock";
import type { Page } from "../../../../src/kernel/page";
import { decimal, globex, instant, line } from "../samples";
import { anotherIssuer, invoiceWorld } from "../support";

/** On the day on which some are due: these are not overdue yet. */
const today = instant("2026-01-13T00:00:00Z");
const now = instant("2026-01-13T17:00:00Z");
const start = instant("2026-01-01T00:00:00Z");
const day = (count: number): Instant => (start + count * 86_400_000) as Instant;

/** Few different dates and totals, so that ties are common. */
function filledWorld() {
	const world = invoiceWorld();
	const rows = Array.from({ length: 30 }, (_, at): InvoiceRow => {
		const invoice = world.issue({
			issuedAt: day((at * 7) % 5),
			dueAt: day(10 + ((at * 3) % 4)),
			contractRefId: at % 3 === 0 ? "MSA-1" : null,
			lines: [line({ amount: decimal([10, 9, 100, -5][at % 4] ?? 0) })],
		});
		return at % 6 === 1 && invoice.state === "OPEN"
			? world.transactions.write(world.actor, (work) => markPaid(work, invoice.id, day(20)))
			: invoice;
	});
	const others = [
		world.issue({ customerId: world.other.id, issuedAt: day(3), dueAt: day(11), contractRefId: "MSA-1" }),
	];
	world.clock.at = now;
	return { world, rows, others };
}

const keys = {
	issueDate: (row: InvoiceRow) => row.issuedAt as number,
	dueDate: (row: InvoiceRow) => row.dueAt as number,
	total: (row: InvoiceRow) => Number(row.total),
};

/** The same list, in memory: filter, sort by key and then by id. */
function oracle(rows: readonly InvoiceRow[], query: InvoiceListQuery): string[] {
	const byDue = query.dueBefore !== undefined || query.overdue !== undefined;
	const key = keys[query.orderBy ?? (byDue ? "dueDate" : "issueDate")];
	const isOverdue = (row: InvoiceRow) => row.state === "OPEN" && row.dueAt < today;
	const states = typeof query.stateIn === "string" ? query.stateIn.split(",") : undefined;
	const sorted = rows
		.filter((row) => states === undefined || states.includes(row.state))
		.filter((row) => query.contractExternalId === undefined || row.contractRefId === query.contractExternalId)
		.filter((row) => query.issuedAfter === undefined || row.issuedAt >= Date.parse(query.issuedAfter))
		.filter((row) => query.issuedBefore === undefined || row.issuedAt <= Date.parse(query.issuedBefore))
		.filter((row) => query.dueBefore === undefined || row.dueAt < Date.parse(query.dueBefore))
		.filter((row) => query.number === undefined || row.number === query.number)
		.filter((row) => row.number?.startsWith(query.search ?? "") ?? true)
		.filter((row) => query.overdue === undefined || isOverdue(row) === (query.overdue === "true"))
		.sort((one, other) => key(one) - key(other) || (one.id < other.id ? -1 : 1));
	return (query.orderDir === "DESC" ? sorted.reverse() : sorted).map(({ id }) => id);
}

const queries = fc.record(
	{
		orderBy: fc.constantFrom("issueDate" as const, "dueDate" as const, "total" as const),
		orderDir: fc.constantFrom("ASC" as const, "DESC" as const),
		stateIn: fc.constantFrom("OPEN" as const, "PAID" as const, "OPEN,PAID" as "OPEN", "CANCELED" as const),
		contractExternalId: fc.constantFrom("MSA-1", "MSA-2"),
		issuedAfter: fc.integer({ min: 0, max: 5 }).map((count) => toIso(day(count))),
		issuedBefore: fc.integer({ min: 0, max: 5 }).map((count) => toIso(day(count))),
		dueBefore: fc.integer({ min: 10, max: 14 }).map((count) => toIso(day(count))),
		overdue: fc.constantFrom("true" as const, "false" as const),
		number: fc.constantFrom("INV-000004", "INV-000009", "INV-999999"),
		search: fc.constantFrom("INV-", "INV-00000", "INV-00001", "inv-"),
	},
	{ requiredKeys: [] },
);

type Read = (query: InvoiceListQuery) => Page<{ readonly id: string }>;

function assertPages(read: Read, query: InvoiceListQuery, limit: number, expected: readonly string[]): void {
	const ask = (cursors: Pick<InvoiceListQuery, "after" | "before">) =>
		read({ ...query, ...cursors, limit: String(limit) });
	const pages: string[][] = [];
	let page = ask({});
	expect(page.prev).toBeNull();
	for (;;) {
		pages.push(page.rows.map(({ id }) => id));
		if (page.next === null) break;
		page = ask({ after: page.next });
	}
	expect(pages.flat()).toEqual([...expected]);
	for (let at = pages.length - 2; at >= 0; at -= 1) {
		expect(page.prev).not.toBeNull();
		page = ask({ before: page.prev ?? "" });
		expect(page.rows.map(({ id }) => id)).toEqual(pages[at] ?? []);
		expect(page.next).not.toBeNull();
	}
	expect(page.prev).toBeNull();
}

test("pages forward and back equal the list in memory, under every order and filter", () => {
	const { world, rows } = filledWorld();
	const read: Read = (query) =>
		world.transactions.read(world.actor, (work) => listCustomerInvoices(work, world.customer.id, query));
	fc.assert(
		fc.property(queries, fc.integer({ min: 1, max: 12 }), (query, limit) =>
			assertPages(read, query, limit, oracle(rows, query)),
		),
		{ numRuns: 150 },
	);
});

test("pages of the invoices of all customers, and of one of them, hold what the oracle holds", () => {
	const { world, rows, others } = filledWorld();
	world.issueForeign();
	const all = { rows: [...rows, ...others], customerId: undefined };
	const whose = fc.constantFrom(all, { rows, customerId: "cust-1" }, { rows: others, customerId: "cust-2" });
	fc.assert(
		fc.property(queries, whose, fc.integer({ min: 1, max: 12 }), ({ orderBy, ...query }, of, limit) => {
			const { customerId } = of;
			const order = orderBy && orderBy !== "total" ? { orderBy } : {};
			const read: Read = (asked) =>
				world.transactions.read(world.actor, (work) => {
					const { orderBy: _, ...others } = asked;
					return listInvoices(work, { ...others, ...order, ...(customerId && { customerId }) });
				});
			assertPages(read, query, limit, oracle(of.rows, { ...query, ...order }));
		}),
		{ numRuns: 150 },
	);
});

describe("GET /invoices", () => {
	test("shows what has become of each", async () => {
		const world = invoiceWorld();
		const make = (changes = {}) =>
			world.issue({ issuedAt: day(0), dueAt: day(11), lines: [line({ amount: decimal(100) })], ...changes });
		const [part, credited] = [make(), make({ poNumber: "PO 7", dueAt: instant("2026-01-13T09:00:00Z") })];
		world.clock.at = now;
		await world.call("POST", `/customers/cust-1/invoices/${part.id}/payments`, { body: { amount: 30 } });
		await world.call("POST", `/customers/cust-1/invoices/${credited.id}/credit-note`, { body: {} });
		make({ dueAt: instant("2026-01-13T09:00:00Z") });
		const { body } = await world.call("GET", "/invoices");
		expect(body.pagination).toEqual({ next: null, prev: null });
		expect(body.data).toMatchObject([
			{ invoiceNumber: part.number, state: "OPEN", amountPaid: 30, amountDue: 70, isOverdue: true, amountCredited: 0 },
			{ state: "PAID", amountPaid: 0, amountDue: 0, isOverdue: false, amountCredited: 100, poNumber: "PO 7" },
			{
				state: "OPEN",
				amountDue: 100,
				isOverdue: false,
				customerExternalId: "cust-1",
				customerName: globex.name,
			},
		]);
		const overdue = await world.call("GET", "/invoices?overdue=true");
		expect(overdue.body.data).toHaveLength(1);
		expect((await world.call("GET", "/invoices", { key: world.foreignKey })).body.data).toEqual([]);
	});

	test("comes as CSV, whole for who follows the links; texts are quoted, and no formula is run", async () => {
		const world = invoiceWorld();
		world.clock.at = now;
		const party = { ...globex, name: '=HYPERLINK("x"), "Ltd"\n' };
		for (let at = 0; at < 3; at += 1)
			world.issue({
				customer: party,
				issuedAt: day(at),
				dueAt: day(9),
				currency: "kwd",
				poNumber: "-7",
				lines: [line({ amount: decimal("1.234") })],
			});
		const app = createApp(world.services);
		const get = (path: string, headers: Record<string, string> = {}) =>
			app.handle(
				new Request(`http://localhost/api/v1/invoices${path}`, {
					headers: { "x-api-key": world.key, ...headers },
				}),
			);
		const first = await get("?limit=2", { accept: "text/csv" });
		expect(first.headers.get("content-type")).toStartWith("text/csv");
		const text = await first.text();
		const [header, row] = text.split("\r\n");
		expect(header).toBe(
			"number,state,issueDate,dueDate,paidDate,periodStart,periodEnd,customerId,customerName,contractId,poNumber,billingReason,currency,subtotal,discount,net,tax,total,fromBalance,credited,paid,due,overdue,invoiceId,taxCurrency,taxInTaxCurrency,exchangeRate,cashDiscount,cashDiscountUntil,creditorReference",
		);
		expect(row).toMatch(
			/^INV-000001,OPEN,2026-01-01,2026-01-10,,[^,]*,[^,]*,cust-1,"'=HYPERLINK\(""x""\), ""Ltd""\n",,-7,BILLING_CYCLE,KWD,1.234,0,1.234,0,1.234,0,0,0,1.234,true,[0-9a-f-]{36},KWD,0,,,,RF[0-9]{2}INV000001$/,
		);
		const link = first.headers.get("link") ?? "";
		const [, next = ""] = /^<\/api\/v1\/invoices(.*)>; rel="next"$/.exec(link) ?? [];
		const second = await get(next, { accept: "text/csv" });
		expect((await second.text()).split("\r\n").filter((one) => one.includes("INV-"))).toHaveLength(1);
		expect(second.headers.get("link")).toBeNull();
		expect((await (await get("?format=csv")).text()).match(/INV-/g)).toHaveLength(3);
	});

	test.each([
		"stateIn=LOST",
		"overdue=perhaps",
		"number=",
		"dueBefore=soon",
		"orderBy=total",
		"format=xml",
		"limit=101",
		"customerId=-",
		"unknown=1",
		`number=${"n".repeat(256)}`,
	])("refuses %s", async (query) => {
		const world = invoiceWorld();
		expect(await world.call("GET", `/invoices?${query}`)).toMatchObject({
			status: 400,
			body: { code: "BadUserInput" },
		});
	});
});

test("a cursor stays where it was while invoices are added", () => {
	const { world, rows } = filledWorld();
	const first = world.transactions.read(world.actor, (work) =>
		listCustomerInvoices(work, world.customer.id, { limit: "10" }),
	);
	// An invoice of another issuer: the first one's dates never contradict its numbers.
	world.issue({ issuedAt: day(-1), legalEntityId: anotherIssuer(world) });
	const late = world.issue({ issuedAt: day(30) });
	const rest = world.transactions.read(world.actor, (work) =>
		listCustomerInvoices(work, world.customer.id, { after: first.next ?? "", limit: "100" }),
	);
	expect([...first.rows, ...rest.rows].map(({ id }) => id)).toEqual([...oracle(rows, {}), late.id]);
});

test("both date bounds are inclusive", () => {
	const { world, rows } = filledWorld();
	const bounds = { issuedAfter: toIso(day(2)), issuedBefore: toIso(day(2)) };
	const page = world.transactions.read(world.actor, (work) => listCustomerInvoices(work, world.customer.id, bounds));
	expect(page.rows).toHaveLength(rows.filter(({ issuedAt }) => issuedAt === day(2)).length);
	expect(page.rows.length).toBeGreaterThan(0);
});

test("a cursor of another customer's invoice is unknown", () => {
	const { world } = filledWorld();
	const foreign = world.issueForeign();
	expect(() =>
		world.transactions.read(world.actor, (work) =>
			listCustomerInvoices(work, world.customer.id, { after: foreign.id }),
		),
	).toThrow("is unknown");
});
