import { describe, expect, test } from "bun:test";
import { checkSubscriptionBills } from "../../../../../src/areas/subscriptions/billing/check/operations";
import { flat, perUnit, type Till, till, units, used } from "../../billing";

const found = ({ transactions, actor }: Till) => transactions.read(actor, (work) => [...checkSubscriptionBills(work)]);

/** Returns each credit note as "the date of its invoice: total = line amounts". */
async function notes(ours: Till): Promise<string[]> {
	const list = async (path: string) => (await ours.call("GET", `/customers/acme/${path}?limit=100`)).body.data;
	const dates = new Map<string, string>(
		(await list("invoices")).map(({ invoiceNumber, issueDate }: Record<string, string>) => [invoiceNumber, issueDate]),
	);
	return (await list("credit-notes"))
		.map(({ invoiceNumber, total, lineItems }: { invoiceNumber: string; total: number; lineItems: Line[] }) => {
			const lines = lineItems.map(({ description, amount }) => `${description} ${amount}`);
			return `${dates.get(invoiceNumber)?.slice(0, 10)}: ${total} = ${lines.join(" + ")}`;
		})
		.toReversed();
}

type Line = Readonly<{ description: string; amount: number }>;

describe("a credit refers to the invoice that billed it (1.4, 2.22)", () => {
	test("where the newest invoice charges usage too, at a backdated end", async () => {
		const ours = await till("2026-04-01T00:00:00Z");
		await ours.plan("pro", [flat({ month: 30 }), used("calls", { month: 0.5 })]);
		const id = await ours.buy("pro");
		await ours.advance("2026-04-06T00:00:00Z");
		await ours.use("calls", 30, "2026-04-05T00:00:00Z");
		await ours.advance("2026-05-05T00:00:00Z");
		const body = { cancellationTime: "SPECIFIC_DATE", endDate: "2026-04-11T00:00:00Z", isBackdated: true };
		expect((await ours.call("POST", `/subscriptions/${id}/cancel`, { body })).status).toBe(200);
		expect(await notes(ours)).toEqual([
			"2026-05-01: 30 = Reversed: Calls (pro) 15 + Unused time: pro 30 + Calls (pro) -15",
			"2026-04-01: 20 = Unused time: pro 20",
		]);
		expect(found(ours)).toEqual([]);
	});

	test("where the newest invoice charges more, at a change with an earlier date", async () => {
		const ours = await till("2026-04-01T00:00:00Z");
		await ours.plan("pro", [perUnit("seats", { month: 30 }), used("calls", { month: 0.5 })]);
		const id = await ours.buy("pro", units("seats", 2));
		await ours.advance("2026-04-06T00:00:00Z");
		await ours.use("calls", 100, "2026-04-05T00:00:00Z");
		await ours.advance("2026-05-05T00:00:00Z");
		await ours.change(id, { effectiveDate: "2026-04-11T00:00:00Z", ...units("seats", 1) });
		expect(await notes(ours)).toEqual([
			"2026-05-01: 30 = Unused time: Seats (pro) 60 + Seats (pro) -30",
			"2026-04-01: 20 = Unused time: Seats (pro) 40 + Seats (pro) -20",
		]);
		expect(found(ours)).toEqual([]);
	});

	test("where another thing was bought later", async () => {
		const ours = await till("2026-04-01T00:00:00Z");
		await ours.plan("pro", [flat({ month: 30 }), perUnit("seats", { month: 60 })]);
		const id = await ours.buy("pro", units("seats", 2));
		await ours.advance("2026-04-11T00:00:00Z");
		await ours.change(id, units("seats", 3));
		await ours.advance("2026-04-21T00:00:00Z");
		await ours.change(id, { priceOverrides: [{ baseCharge: true, amount: 15 }] });
		expect(await notes(ours)).toEqual(["2026-04-01: 5 = Unused time: pro 10 + pro -5"]);
		expect(found(ours)).toEqual([]);
	});
});
