import { expect, setDefaultTimeout, test } from "bun:test";
import { till } from "../../../subscriptions/billing";
import { findings } from "../../window-cost/findings";
import { measured } from "./levels";

setDefaultTimeout(120_000);

const minuteMs = 60_000;
const april = Date.parse("2026-04-01T00:00:00Z");
const may = Date.parse("2026-05-01T00:00:00Z");

/** The level is 2 for ten minutes and 0 for the next ten. */
const changes = Array.from({ length: (may - april) / (10 * minuteMs) }, (_, at) => ({
	...{ customerId: "acme", featureId: "seats", value: at % 2 === 0 ? 2 : -2, updateBehavior: "DELTA" },
	createdAt: new Date(april + at * 10 * minuteMs).toISOString(),
}));

test("2.9: thousands of changes are charged as a few are, read ahead of the bill", async () => {
	const ours = await till("2026-04-01T00:00:00Z");
	await ours.plan("pro", [measured("TIME_WEIGHTED", { price: { amount: 10, currency: "usd" } })]);
	const id = await ours.buy("pro");
	for (let at = 0; at < changes.length; at += 100) {
		const usages = changes.slice(at, at + 100);
		await ours.advance(usages.at(-1)?.createdAt ?? "");
		await ours.insist("POST", "/usage", { usages });
	}
	expect(changes.length).toBe(4320);
	await ours.advance("2026-05-01T00:00:00Z");
	expect(await ours.books()).toEqual(["2026-05-01: 10 = Seats (pro) 10"]);
	const [{ invoiceId }] = await ours.insist("GET", "/customers/acme/invoices");
	const { steps } = await ours.insist("GET", `/customers/acme/invoices/${invoiceId}/lines/1/explain`);
	expect(JSON.stringify(steps)).toContain("(20 * 1296000000 + 0 * 1296000000) / 2592000000");
	expect(findings(ours)).toEqual([]);
	// A late change of the first day: eight more seats, for all of April.
	await ours.insist("POST", "/usage", {
		usages: [{ ...changes[0], value: 8, createdAt: "2026-04-01T00:00:00.000Z" }],
	});
	await ours.chargeUsage(id);
	expect((await ours.books()).at(-1)).toContain(" 80");
	expect(findings(ours)).toEqual([]);
});
