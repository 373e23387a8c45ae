import { expect, test } from "bun:test";
import { cancelInvoice } from "../../../src/areas/invoices/operations";
import type { Instant } from "../../../src/kernel/clock";
import { decimal, instant, line } from "./samples";
import { invoiceWorld } from "./support";

const start = instant("2026-01-28T12:00:00Z");
const day = (count: number): Instant => (start + count * 86_400_000) as Instant;

function filledWorld() {
	const world = invoiceWorld();
	const rows = Array.from({ length: 20 }, (_, at) =>
		world.issue({
			issuedAt: day(at % 7),
			currency: at % 3 === 0 ? "eur" : "usd",
			lines: [line({ amount: decimal([10.25, 9, 100][at % 3] ?? 0) })],
		}),
	);
	world.clock.at = day(10);
	return { world, rows };
}

/** The same sums, out of the invoices themselves. */
function oracle(rows: ReturnType<typeof filledWorld>["rows"], length: 7 | 10) {
	const sums = new Map<string, { from: string; currency: string; invoices: number; total: number }>();
	for (const { issuedAt, currency, total } of rows) {
		const iso = new Date(issuedAt).toISOString();
		const from = length === 10 ? iso.slice(0, 10) : `${iso.slice(0, 7)}-01`;
		const sum = sums.get(`${from} ${currency}`) ?? { from, currency, invoices: 0, total: 0 };
		sums.set(`${from} ${currency}`, {
			...sum,
			invoices: sum.invoices + 1,
			total: Math.round((sum.total + Number(total)) * 100) / 100,
		});
	}
	return [...sums.values()].sort((one, other) =>
		`${one.from}${one.currency}`.localeCompare(`${other.from}${other.currency}`),
	);
}

test("by days and by months, each currency apart", async () => {
	const { world, rows } = filledWorld();
	for (const [interval, length] of [
		["DAY", 10],
		["MONTH", 7],
	] as const) {
		const { status, body } = await world.call("GET", `/invoices/totals?interval=${interval}`);
		expect([status, body.data]).toEqual([200, oracle(rows, length)]);
	}
});

test("a canceled invoice is taken out again", async () => {
	const { world, rows } = filledWorld();
	const [gone, ...kept] = rows;
	if (!gone) throw new Error("There is one.");
	world.transactions.write(world.actor, (work) => cancelInvoice(work, gone.id));
	expect((await world.call("GET", "/invoices/totals")).body.data).toEqual(oracle(kept, 10));
});

test("only the requested days; none of another environment", async () => {
	const { world, rows } = filledWorld();
	const within = rows.filter(({ issuedAt }) => issuedAt >= day(2) && issuedAt < day(4));
	const range = "from=2026-01-30T00:00:00Z&to=2026-02-01T00:00:00Z";
	expect((await world.call("GET", `/invoices/totals?${range}`)).body.data).toEqual(oracle(within, 10));
	expect((await world.call("GET", "/invoices/totals", { key: world.foreignKey })).body.data).toEqual([]);
});

const refused = [
	"from=2020-01-01T00:00:00Z",
	"from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z",
	"from=yesterday",
	"interval=YEAR",
	"currency=usd",
];
for (const query of refused)
	test(`?${query}: 400`, async () => {
		expect((await invoiceWorld().call("GET", `/invoices/totals?${query}`)).status).toBe(400);
	});
