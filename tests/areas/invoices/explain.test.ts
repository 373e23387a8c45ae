import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { flat, perUnit, till, units, used } from "../subscriptions/billing";
import { invoiceWorld } from "./support";

setDefaultTimeout(60_000);

const explain = async ({ insist }: Awaited<ReturnType<typeof till>>, nth: number, line: number) => {
	const invoices = await insist("GET", "/customers/acme/invoices?limit=100");
	return insist("GET", `/customers/acme/invoices/${invoices[nth].invoiceId}/lines/${line}/explain`);
};

describe("a line is explained", () => {
	test("by its version, the part of the period with its instants, and the arithmetic", async () => {
		const ours = await till("2026-04-01T00:00:00Z");
		await ours.plan("seats", [perUnit("seats", { month: 10 })]);
		const id = await ours.buy("seats", { ...units("seats", 3), billingInformation: { taxPercentage: 19 } });
		await ours.advance("2026-04-16T00:00:00Z");
		await ours.change(id, units("seats", 5));
		expect(await explain(ours, 0, 1)).toMatchObject({
			line: 1,
			price: { packageId: "seats", version: 1, billingModel: "PER_UNIT", price: 10, tiers: [] },
			usage: null,
			proration: null,
			taxPercentage: 19,
			amount: 30,
			tax: 5.7,
			steps: [
				{ of: "cost", arithmetic: "10 * 3", value: 30 },
				{ of: "amount", arithmetic: "round(30, 2)", value: 30 },
				{ of: "discount", arithmetic: "0", value: 0 },
				{ of: "tax", arithmetic: "round((30 - 0) * 19 / 100, 2)", value: 5.7 },
				{ of: "total", arithmetic: "30 - 0 + 5.7", value: 35.7 },
			],
		});
		const back = await explain(ours, 1, 1);
		expect(back).toMatchObject({
			amount: -15,
			proration: { from: "2026-04-16T00:00:00.000Z", to: "2026-05-01T00:00:00.000Z", fraction: 0.5 },
		});
		expect(back.steps[1].arithmetic).toBe("round(-1 * 30 * 1296000000 / 2592000000, 2)");
		expect(back.description).toStartWith("Unused time");
	});

	test("by what its window has used, and what of it was billed before", async () => {
		const ours = await till("2026-04-01T00:00:00Z");
		await ours.plan("metered", [flat({ month: 5 }), used("calls", { month: 2 })]);
		const id = await ours.buy("metered");
		await ours.use("calls", 7);
		await ours.advance("2026-04-10T00:00:00Z");
		await ours.insist("POST", `/subscriptions/${id}/usage/charge`, {});
		await ours.use("calls", 4);
		await ours.advance("2026-05-01T00:00:00Z");
		const invoices = await ours.insist("GET", "/customers/acme/invoices?limit=100");
		const { lineItems } = invoices.at(-1);
		const at = lineItems.findIndex(({ description }: { description: string }) => description.startsWith("Calls")) + 1;
		expect(await explain(ours, invoices.length - 1, at)).toMatchObject({
			price: { packageId: "metered", billingModel: "USAGE_BASED" },
			usage: { featureId: "calls", used: 11, billedBefore: 7, included: null, unitTransformation: null },
			steps: [
				{ of: "units", arithmetic: "max(11, 0)", value: 11 },
				{ of: "cost", arithmetic: "2 * 11", value: 22 },
				{ of: "unitsBilledBefore", value: 7 },
				{ of: "costBilledBefore", value: 14 },
				{ of: "amount", arithmetic: "round(22, 2) - round(14, 2)", value: 8 },
				{ of: "discount" },
				{ of: "tax" },
				{ of: "total", value: 8 },
			],
		});
	});

	test.each([
		["cust-1", "2", 404, null, "its lines are 1 to 1"],
		["cust-1", "0", 400, "BadUserInput", "line"],
		["cust-1", "one", 400, "BadUserInput", "line"],
		["cust-1", "10000", 400, "BadUserInput", "line"],
		["cust-2", "1", 404, "InvoiceNotFound", "cust-2"],
	])("for %s, line %s: %i", async (customer, line, status, code, message) => {
		const world = invoiceWorld();
		const { id } = world.issue();
		const path = `/customers/${customer}/invoices/${id}/lines/${line}/explain`;
		expect(await world.call("GET", path)).toMatchObject({
			status,
			body: { code, message: expect.stringContaining(message) },
		});
		expect((await world.call("GET", path, { key: world.foreignKey })).status).toBeGreaterThanOrEqual(400);
	});

	test("as far as it says itself, where it was not rated here", async () => {
		const world = invoiceWorld();
		const { id } = world.issue();
		const { body } = await world.call("GET", `/customers/cust-1/invoices/${id}/lines/1/explain`);
		expect(body.data).toMatchObject({
			price: null,
			usage: null,
			proration: null,
			steps: [{ of: "amount", arithmetic: "round(49 * 1, 2)", value: 49 }, {}, {}, { of: "total", value: 49 }],
		});
	});
});
