import { expect, test } from "bun:test";
import { must, site } from "../site";

const drafter = { agentId: "drafter" };

/** A budget of 5 from 2026-01-31T00:00Z, in an environment whose zone has a clock change on 29 March. */
async function governed(cadence: string) {
	const ours = await site();
	await must(ours.call("PATCH", "/environments/current", { body: { timeZone: "Europe/Berlin" } }));
	await ours.budget({ entityId: "drafter", usageLimit: 5, cadence });
	const window = async () => {
		const { data } = (await must(ours.call("GET", "/customers/acme/governance?featureIds=tokens"))).body;
		return [data[0].usagePeriodStart, data[0].usagePeriodEnd, data[0].currentUsage];
	};
	const isGranted = async (amount: number) => (await must(ours.consume(amount, drafter))).body.data.isGranted;
	return { ...ours, window, isGranted };
}

const instant = (text: string) => `${text}.000Z`;

test.each([
	["PT7H", ["2026-01-31T00:00:00", "2026-01-31T07:00:00", "2026-01-31T14:00:00"]],
	["P1D", ["2026-03-28T00:00:00", "2026-03-29T00:00:00", "2026-03-30T00:00:00"]],
	["P1W", ["2026-03-28T00:00:00", "2026-04-04T00:00:00", "2026-04-11T00:00:00"]],
	["P1M", ["2026-01-31T00:00:00", "2026-02-28T00:00:00", "2026-03-31T00:00:00"]],
	["P1Y", ["2026-01-31T00:00:00", "2027-01-31T00:00:00", "2028-01-31T00:00:00"]],
])("a window of %s ends at its instant: usage of a millisecond before counts in the old one", async (cadence, ends) => {
	const ours = await governed(cadence);
	const [start = "", end = "", next = ""] = ends.map(instant);
	const before = new Date(Date.parse(end) - 1).toISOString();
	await ours.advance(before);
	expect(await ours.window()).toEqual([start, end, 0]);
	expect([await ours.isGranted(5), await ours.isGranted(1)]).toEqual([true, false]);
	expect(await ours.window()).toEqual([start, end, 5]);
	await ours.advance(end);
	expect(await ours.window()).toEqual([end, next, 0]);
	expect([await ours.isGranted(5), await ours.isGranted(1)]).toEqual([true, false]);
	// A late report counts in the window of its time.
	await must(ours.report({ value: 2, dimensions: drafter, createdAt: before }));
	expect(await ours.window()).toEqual([end, next, 5]);
	const counters = ours.db.$client.query("SELECT used FROM budget_counters ORDER BY window_start").all();
	expect(counters).toEqual([{ used: "7" }, { used: "5" }]);
});

test("a lifetime has one window, whatever the time", async () => {
	const ours = await governed("LIFETIME");
	expect(await ours.isGranted(5)).toBe(true);
	await ours.advance("P2Y");
	expect(await ours.isGranted(1)).toBe(false);
	expect(await ours.window()).toEqual([instant("2026-01-31T00:00:00"), null, 5]);
});
