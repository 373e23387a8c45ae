import { describe, expect, test } from "bun:test";
import type { Till } from "../../billing";
import { found, selling } from "./agreed";

const day = 86_400_000;

/** A subscription in its second term. */
async function renewed(more: object = {}): Promise<{ ours: Till; id: string }> {
	const sold = await selling("2026-01-01T00:00:00Z", { months: 2, upliftPercentage: 10, ...more });
	await sold.ours.advance("2026-03-20T00:00:00Z");
	expect(found(sold.ours)).toEqual([]);
	return sold;
}

const change = ({ db }: Till, sql: string) => db.$client.run(`UPDATE subscriptions SET ${sql}`);

describe("the check of invoices finds", () => {
	test("a term that was lost, so that it would not be renewed", async () => {
		const { ours } = await renewed();
		change(ours, "running_term = NULL");
		expect(found(ours).join("\n")).toContain("no term runs, expected one until 2026-05-01T00:00:00.000Z");
	});

	test("a term that ends at another time", async () => {
		const { ours } = await renewed();
		change(ours, `running_term = json_set(running_term, '$.endAt', running_term ->> '$.endAt' + ${day})`);
		expect(found(ours).join("\n")).toContain(
			"its term 2 ends 2026-05-02T00:00:00.000Z, expected 2026-05-01T00:00:00.000Z",
		);
	});

	test("a renewal that was left out", async () => {
		const { ours } = await renewed();
		const first = `'$.number', 1, '$.startAt', ${Date.parse("2026-01-01")}, '$.endAt', ${Date.parse("2026-03-01")}, '$.counted.months', 2`;
		change(ours, `running_term = json_set(running_term, ${first})`);
		expect(found(ours).join("\n")).toContain(
			"its next step is due 2026-04-01T00:00:00.000Z, expected 2026-03-01T00:00:00.000Z",
		);
	});

	test("a price increase that was lost, or has another percentage", async () => {
		for (const [sql, expected] of [
			["uplifts = NULL", "its price is increased by 10 %, expected 0 %"],
			["uplifts = json_set(uplifts, '$.all[0].percentage', '12')", "its price is increased by 10 %, expected 12 %"],
		] as const) {
			const { ours } = await renewed();
			change(ours, sql);
			expect(found(ours).join("\n")).toContain(expected);
		}
	});

	test("a line whose increase does not make its price", async () => {
		const { ours } = await renewed();
		ours.db.$client.run("UPDATE charges SET price = json_set(price, '$.amount', '101')");
		expect(found(ours).join("\n")).toContain("is none of version 1 of pro");
	});

	test("a part of the rest that no invoice charges", async () => {
		const { ours, id } = await renewed({ earlyCancellation: "PAY_REMAINDER" });
		await ours.cancel(id, { cancellationTime: "IMMEDIATE" });
		expect(found(ours)).toEqual([]);
		change(ours, `running_term = json_set(running_term, '$.owedUntil', ${Date.parse("2026-06-01")})`);
		expect(found(ours).join("\n")).toContain(
			"the rest of its term, 2026-05-01T00:00:00.000Z to 2026-06-01T00:00:00.000Z, is on no invoice",
		);
	});
});

test("the charge of a replaced subscription keeps the increases of its own term (2.21)", async () => {
	const { ours } = await selling("2026-01-01T00:00:00Z", { months: 1, upliftPercentage: 10 });
	await ours.advance("2026-02-10T00:00:00Z");
	await ours.buy("pro", { billingInformation: { prorationBehavior: "NONE" } });
	expect(await ours.books()).toEqual(["2026-01-01: 100 = pro 100", "2026-02-01: 110 = pro 110"]);
	expect(found(ours)).toEqual([]);
});
