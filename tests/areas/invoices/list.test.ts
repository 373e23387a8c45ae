import { expect, test } from "bun:test";
import fc from "fast-check";
import { listCustomerInvoices } from "../../../src/areas/invoices/operations";
import { markPaid } from "../../../src/areas/invoices/payments/operations";
import type { InvoiceListQuery } from "../../../src/areas/invoices/schema";
import type { InvoiceRow } from "../../../src/areas/invoices/table";
import { type Instant, toIso } from "../../../src/kernel/clock";
import { decimal, instant, line } from "./samples";
import { invoiceWorld } from "./support";

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
	world.issue({ customerId: world.other.id });
	return { world, rows };
}

const keys = {
	issueDate: (row: InvoiceRow) => row.issuedAt as number,
	dueDate: (row: InvoiceRow) => row.dueAt as number,
	total: (row: InvoiceRow) => Number(row.total),
};

/** The same list, in memory: filter, sort by key and then by id. */
function oracle(rows: readonly InvoiceRow[], query: InvoiceListQuery): string[] {
	const key = keys[query.orderBy ?? "issueDate"];
	const states = typeof query.stateIn === "string" ? query.stateIn.split(",") : undefined;
	const sorted = rows
		.filter((row) => states === undefined || states.includes(row.state))
		.filter((row) => query.contractExternalId === undefined || row.contractRefId === query.contractExternalId)
		.filter((row) => query.issuedAfter === undefined || row.issuedAt >= Date.parse(query.issuedAfter))
		.filter((row) => query.issuedBefore === undefined || row.issuedAt <= Date.parse(query.issuedBefore))
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
	},
	{ requiredKeys: [] },
);

test("pages forward and back equal the list in memory, under every order and filter", () => {
	const { world, rows } = filledWorld();
	fc.assert(
		fc.property(queries, fc.integer({ min: 1, max: 12 }), (query, limit) => {
			const read = (cursors: Pick<InvoiceListQuery, "after" | "before">) =>
				world.transactions.read(world.actor, (work) =>
					listCustomerInvoices(work, world.customer.id, { ...query, ...cursors, limit: String(limit) }),
				);
			const expected = oracle(rows, query);
			const pages: string[][] = [];
			let page = read({});
			expect(page.prev).toBeNull();
			for (;;) {
				pages.push(page.rows.map(({ id }) => id));
				if (page.next === null) break;
				page = read({ after: page.next });
			}
			expect(pages.flat()).toEqual(expected);
			for (let at = pages.length - 2; at >= 0; at -= 1) {
				expect(page.prev).not.toBeNull();
				page = read({ before: page.prev ?? "" });
				expect(page.rows.map(({ id }) => id)).toEqual(pages[at] ?? []);
				expect(page.next).not.toBeNull();
			}
			expect(page.prev).toBeNull();
		}),
		{ numRuns: 150 },
	);
});

test("a cursor stays where it was while invoices are added", () => {
	const { world, rows } = filledWorld();
	const first = world.transactions.read(world.actor, (work) =>
		listCustomerInvoices(work, world.customer.id, { limit: "10" }),
	);
	world.issue({ issuedAt: day(-1) });
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
