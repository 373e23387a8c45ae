import { expect, setDefaultTimeout, test } from "bun:test";
import { portalOf } from "../../../portal/links";
import { flat, type Till, used } from "../../billing";
import { sold, usd } from "./committed";

setDefaultTimeout(60_000);

async function shown(ours: Till) {
	const call = await portalOf(ours);
	const [subscription] = (await call("GET", "/portal")).body.data.subscriptions;
	return subscription;
}

const window = (counted: number, missing: number, more: object = {}) => ({
	...{ scope: "ALL", currency: "usd", amount: 500, counted, missing, endDate: "2026-05-01T00:00:00.000Z" },
	...more,
});

test("2.13: the portal shows what counts towards 500.00, invoiced or not, what is missing, and the end of the window", async () => {
	const ours = await sold([usd(500)]);
	expect((await shown(ours)).commitments).toEqual([window(300, 200)]);
	await ours.advance("2026-04-10T00:00:00Z");
	await ours.use("calls", 120);
	await ours.advance("2026-04-11T00:00:00Z");
	expect((await shown(ours)).commitments).toEqual([window(420, 80)]);
	await ours.chargeUsage(ours.id);
	await ours.use("calls", 30);
	await ours.advance("2026-04-20T00:00:00Z");
	expect((await shown(ours)).commitments).toEqual([window(450, 50)]);
	await ours.use("calls", 200);
	await ours.advance("2026-04-21T00:00:00Z");
	expect((await shown(ours)).commitments).toEqual([window(650, 0)]);
	await ours.advance("2026-05-01T00:00:00Z");
	expect((await shown(ours)).commitments).toEqual([window(300, 200, { endDate: "2026-06-01T00:00:00.000Z" })]);
	expect(await ours.books()).toHaveLength(3);
});

test("a commitment of usage alone counts no fee, and a quarter runs to its own end", async () => {
	const ours = await sold([usd(500, { scope: "ON_DEMAND", interval: { unit: "MONTH", count: 3 } })]);
	await ours.use("calls", 120);
	await ours.advance("2026-05-15T00:00:00Z");
	const end = { scope: "ON_DEMAND", endDate: "2026-07-01T00:00:00.000Z" };
	expect((await shown(ours)).commitments).toEqual([window(120, 380, end)]);
});

test("a subscription without commitments and bounds has neither field; bounds are those of its own prices", async () => {
	const ours = await sold([]);
	const plain = await shown(ours);
	expect(["commitments", "bounds", "term"].filter((key) => key in plain)).toEqual([]);
	await ours.change(ours.id, { priceOverrides: [{ featureId: "calls", minimumAmount: 10, maximumAmount: 40 }] });
	expect((await shown(ours)).bounds).toEqual([
		{ featureName: "Calls", currency: "usd", minimumAmount: 10, maximumAmount: 40 },
	]);
	await ours.plan("other", [flat({ month: 1 }), used("calls", { month: 1 }, { maximumAmount: 7 })]);
	await ours.buy("other");
	expect((await shown(ours)).bounds).toEqual([
		{ featureName: "Calls", currency: "usd", minimumAmount: null, maximumAmount: 7 },
	]);
});
