import { expect, setDefaultTimeout, test } from "bun:test";
import { type Till, till } from "../../../subscriptions/billing";
import { findings } from "../../window-cost/findings";
import { segmented, send, variant } from "./events";

setDefaultTimeout(60_000);

const byModel = [
	variant({ model: ["large"], region: ["eu"] }, 12, { id: "large-eu" }),
	variant({ model: ["large"] }, 10, { id: "large" }),
];

async function sold(...price: Parameters<typeof segmented>): Promise<Till & { readonly id: string }> {
	const ours = await till("2026-01-01T00:00:00Z");
	await ours.plan("pro", [segmented(...price)]);
	return { ...ours, id: await ours.buy("pro") };
}

test("2.12: large and eu 12.00, large 10.00, else 2.00; 3.2, 1.5 and 7 make 67.40", async () => {
	const ours = await sold(2, byModel);
	await send(ours, 3.2, { model: "large", region: "eu" });
	await send(ours, 1.5, { model: "large", region: "us" });
	await send(ours, 7, { model: "small", region: "eu" });
	await ours.advance("2026-02-01T00:00:00Z");
	expect(await ours.books()).toEqual([
		"2026-02-01: 67.4 = 3.2 Calls (pro): large-eu 38.4 + 1.5 Calls (pro): large 15 + 7 Calls (pro) 14",
	]);
	expect(findings(ours)).toEqual([]);
});

test("each group is tiered by itself", async () => {
	const ours = await sold(0, [], {
		groupBy: ["region"],
		tiersMode: "GRADUATED",
		period: {
			price: undefined,
			tiers: [{ upTo: 10, unitPrice: { amount: 1 } }, { unitPrice: { amount: 0.5 } }],
		},
	});
	await send(ours, 12, { region: "eu" });
	await send(ours, 6, { region: "us" });
	await send(ours, 6, { region: "us" });
	await send(ours, 1, {});
	await ours.advance("2026-02-01T00:00:00Z");
	expect(await ours.books()).toEqual([
		"2026-02-01: 23 = Calls (pro): no region 1 + 12 Calls (pro): region eu 11 + 12 Calls (pro): region us 11",
	]);
	expect(findings(ours)).toEqual([]);
});

test("the minimum and the maximum apply to the sum of all variants, over several bills", async () => {
	const ours = await sold(1, [variant({ model: ["a"] }, 2), variant({ model: ["b"] }, 3)], {
		period: { minimumAmount: 20, maximumAmount: 40 },
	});
	await send(ours, 5, { model: "a" });
	await ours.advance("2026-02-01T00:00:00Z");
	await send(ours, 10, { model: "a" });
	await ours.advance("2026-02-10T00:00:00Z");
	await ours.chargeUsage(ours.id);
	await send(ours, 8, { model: "b" });
	await send(ours, 3, { model: "c" });
	await ours.advance("2026-03-01T00:00:00Z");
	// Late usage first consumes what the true-up of January has paid.
	await send(ours, 2, { model: "b" }, "2026-01-20T00:00:00Z");
	await ours.advance("2026-04-01T00:00:00Z");
	expect(await ours.books()).toEqual([
		"2026-02-01: 20 = 5 Calls (pro): variant-1 10 + Minimum: Calls (pro) 10",
		"2026-02-10: 20 = 10 Calls (pro): variant-1 20",
		"2026-03-01: 20 = 8 Calls (pro): variant-2 24 + 3 Calls (pro) 3 + Maximum: Calls (pro) -7",
		"2026-04-01: 20 = Minimum: Calls (pro) 20 + 2 Calls (pro): variant-2 6 + Minimum and maximum: Calls (pro) -6",
	]);
	expect(findings(ours)).toEqual([]);
});
