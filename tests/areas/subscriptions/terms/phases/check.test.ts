import { describe, expect, test } from "bun:test";
import type { Till } from "../../billing";
import { found, selling } from "./shop";

/** A subscription in its second phase. */
async function growing(): Promise<Till> {
	const { ours } = await selling("2026-01-15T00:00:00Z");
	await ours.advance("2026-04-20T00:00:00Z");
	expect(found(ours)).toEqual([]);
	return ours;
}

const day = 86_400_000;

describe("the check of invoices finds", () => {
	test("a phase that was lost, so that its end would not come", async () => {
		const ours = await growing();
		ours.db.$client.run("UPDATE subscriptions SET phase = NULL");
		expect(found(ours).join("\n")).toContain("its phase is none, expected growth");
	});

	test("a phase that did not end", async () => {
		const ours = await growing();
		const start = Date.parse("2026-01-15T00:00:00Z");
		const counted = JSON.stringify({ from: start, interval: { unit: "MONTH", count: 2 } });
		ours.db.$client.run(
			`UPDATE subscriptions SET phase = json_set(phase, '$.id', 'start', '$.counted', json('${counted}'), '$.endAt', ${Date.parse("2026-03-15T00:00:00Z")})`,
		);
		expect(found(ours).join("\n")).toContain("its phase is start, expected growth");
	});

	test("a phase that ends at another time", async () => {
		const ours = await growing();
		ours.db.$client.run(`UPDATE subscriptions SET phase = json_set(phase, '$.endAt', phase ->> '$.endAt' + ${day})`);
		expect(found(ours).join("\n")).toContain(
			"its phase growth ends 2026-07-16T00:00:00.000Z, expected 2026-07-15T00:00:00.000Z",
		);
	});

	test("a charge at the price of another phase", async () => {
		const ours = await growing();
		const phases = JSON.stringify([
			{ id: "start", duration: { unit: "MONTH", count: 2 }, percentOff: "75" },
			{ id: "growth", duration: { unit: "MONTH", count: 4 }, percentOff: "0" },
		]);
		ours.db.$client.run(`UPDATE subscriptions SET phases = '${phases}'`);
		expect(found(ours).join("\n")).toMatch(/is charged in the phase growth, expected none/);
	});

	test("a line whose phase does not make its price", async () => {
		const ours = await growing();
		ours.db.$client.run(
			"UPDATE charges SET price = json_set(price, '$.amount', '41') WHERE billing_model = 'FLAT_FEE'",
		);
		expect(found(ours).join("\n")).toContain("is none of version 1 of pro");
	});
});
