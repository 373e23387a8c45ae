import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { tiered, used } from "../../billing";
import { site } from "../site";

setDefaultTimeout(60_000);

const atEvent = (price: number, more: object = {}, terms: object = {}) => ({
	...used("calls", { month: price }, terms),
	paymentTime: "AT_EVENT",
	...more,
});

/** A plan whose events are charged, and the steps of an event at a time of 10 April. */
async function shop(...models: readonly object[]) {
	const ours = await site();
	await ours.plan("api", models);
	const id = await ours.buy("api");
	await ours.advance("2026-04-10T00:00:00Z");
	let seconds = 0;
	return {
		...ours,
		id,
		/** Uses units, and waits a second. */
		event: async (n: number, name = "calls", at?: string) => {
			seconds += 1;
			const sent = await ours.use(name, n, at);
			await ours.advance(new Date(Date.parse("2026-04-10T00:00:00Z") + seconds * 1000).toISOString());
			return sent;
		},
	};
}

const amounts = (books: readonly string[]) => books.map((text) => Number(text.split(": ")[1]?.split(" ")[0]));

describe("usage that each event charges (2.7)", () => {
	test("costs the rounded cost with the event minus the rounded cost without it", async () => {
		const ours = await shop(atEvent(0.015));
		for (let event = 0; event < 3; event += 1) await ours.event(1);
		expect(await ours.books()).toEqual([
			"2026-04-10T00:00:00.500Z: 0.02 = Calls (api) 0.02",
			"2026-04-10T00:00:01.500Z: 0.01 = Calls (api) 0.01",
			"2026-04-10T00:00:02.500Z: 0.02 = Calls (api) 0.02",
		]);
		expect(await ours.reason(ours.id)).toBe("OTHER");
		await ours.advance("2026-05-01T00:00:00Z");
		expect(await ours.books()).toHaveLength(3);
	});

	test("is on the invoice of the period with PERIOD_END", async () => {
		const ours = await shop(atEvent(0.015, { eventInvoicing: "PERIOD_END" }));
		for (let event = 0; event < 3; event += 1) await ours.event(1);
		expect(await ours.books()).toEqual([]);
		await ours.advance("2026-05-01T00:00:00Z");
		expect(await ours.books()).toEqual(["2026-05-01: 0.05 = 3 Calls (api) 0.05"]);
	});

	test("charges above the highest total only, whatever is billed in between", async () => {
		for (const eventInvoicing of ["EACH_EVENT", "PERIOD_END"]) {
			const ours = await shop(atEvent(1, { eventInvoicing }));
			for (const n of [10, -4, 3, 2]) await ours.event(n);
			await ours.use("calls", 5, "2026-04-10T00:00:01Z");
			await ours.use("calls", -8, "2026-04-10T00:00:01Z");
			await ours.event(1);
			await ours.advance("2026-05-01T00:00:00Z");
			expect(amounts(await ours.books())).toEqual(eventInvoicing === "PERIOD_END" ? [16] : [10, 1, 5]);
		}
	});

	test("reaches the tiers of the window, and its maximum", async () => {
		const tiers = tiered("calls", "GRADUATED", [
			[2, 1],
			[null, 0.5],
		]);
		const ours = await shop({ ...tiers, paymentTime: "AT_EVENT" });
		for (let event = 0; event < 4; event += 1) await ours.event(1);
		expect(amounts(await ours.books())).toEqual([1, 1, 0.5, 0.5]);
		const capped = await shop(atEvent(1, {}, { maximumAmount: 2.5 }));
		for (let event = 0; event < 4; event += 1) await capped.event(1);
		expect(amounts(await capped.books())).toEqual([1, 1, 0.5]);
	});

	test("leaves other usage of the subscription to the end of the period", async () => {
		const ours = await shop(atEvent(0.5), used("tokens", { month: 2 }));
		await ours.event(3000, "tokens");
		await ours.event(1);
		expect(amounts(await ours.books())).toEqual([0.5]);
		await ours.advance("2026-05-01T00:00:00Z");
		expect(await ours.books()).toEqual([
			"2026-04-10T00:00:01.500Z: 0.5 = Calls (api) 0.5",
			"2026-05-01: 6 = 3 Tokens (api) 6",
		]);
	});
});

test("steady events of a subscription are invoiced at most twice a second", async () => {
	const ours = await site("2026-04-01T00:00:00Z", "wall");
	await ours.plan("api", [atEvent(1)]);
	await ours.buy("api");
	const base = Date.parse("2026-04-10T00:00:00Z");
	for (let ms = 0; ms <= 2_000; ms += 50) {
		ours.clock.at = (base + ms) as typeof ours.clock.at;
		await ours.use("calls", 1, "2026-04-09T00:00:00Z");
		await ours.noticed();
	}
	const books = await ours.books();
	expect(books.map((text) => text.split(": ")[0])).toEqual([
		"2026-04-10",
		"2026-04-10T00:00:00.500Z",
		"2026-04-10T00:00:01.000Z",
		"2026-04-10T00:00:01.500Z",
		"2026-04-10T00:00:02.000Z",
	]);
	expect(amounts(books)).toEqual([1, 10, 10, 10, 10]);
});
