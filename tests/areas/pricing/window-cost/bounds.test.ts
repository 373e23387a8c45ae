import { expect, setDefaultTimeout, test } from "bun:test";
import { flat, tiered, till, used } from "../../subscriptions/billing";
import { findings } from "./findings";

setDefaultTimeout(60_000);

const min = (minimumAmount: number) => ({ minimumAmount });
const max = (maximumAmount: number) => ({ maximumAmount });

test("2.15: several bills of one window stop at the maximum together", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	await ours.plan("pro", [used("calls", { month: 0.05 }, max(40))]);
	const id = await ours.buy("pro");
	await ours.use("calls", 600);
	await ours.advance("2026-01-20T00:00:00Z");
	await ours.chargeUsage(id);
	await ours.use("calls", 400);
	await ours.advance("2026-02-01T00:00:00Z");
	await ours.use("calls", 100, "2026-01-31T00:00:00Z");
	await ours.advance("2026-03-01T00:00:00Z");
	expect(await ours.books()).toEqual([
		"2026-01-20: 30 = 600 Calls (pro) 30",
		"2026-02-01: 10 = 400 Calls (pro) 10",
		"2026-03-01: 0 = 100 Calls (pro) 0",
	]);
	expect(findings(ours)).toEqual([]);
});

test("2.13: the end of a window charges what it lacks to its minimum, and late usage consumes it first", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	await ours.plan("pro", [used("calls", { month: 0.5 }, min(10))]);
	await ours.buy("pro");
	await ours.use("calls", 16);
	await ours.advance("2026-02-01T00:00:00Z");
	await ours.use("calls", 3, "2026-01-31T00:00:00Z");
	await ours.advance("2026-02-15T00:00:00Z");
	await ours.use("calls", 4, "2026-01-31T00:00:00Z");
	await ours.use("calls", 30);
	await ours.advance("2026-03-01T00:00:00Z");
	expect(await ours.books()).toEqual([
		"2026-02-01: 10 = 16 Calls (pro) 8 + Minimum: Calls (pro) 2",
		"2026-03-01: 16.5 = 30 Calls (pro) 15 + 7 Calls (pro) 1.5",
	]);
	expect(findings(ours)).toEqual([]);
});

test("2.13: a part of a window owes its share of the minimum", async () => {
	const ours = await till("2026-02-01T00:00:00Z");
	await ours.plan("pro", [used("calls", { month: 1 }, min(10))]);
	const id = await ours.buy("pro");
	await ours.use("calls", 2);
	await ours.advance("2026-02-15T00:00:00Z");
	await ours.cancel(id, { cancellationTime: "IMMEDIATE" });
	await ours.use("calls", 1, "2026-02-10T00:00:00Z");
	await ours.advance("2026-03-15T00:00:00Z");
	expect(await ours.books()).toEqual([
		"2026-02-15: 5 = 2 Calls (pro) 2 + Minimum: Calls (pro) 3",
		expect.stringContaining(": 0 = Calls (pro) 0"),
	]);
	expect(findings(ours)).toEqual([]);
});

test("2.13: the date of an end counts as a whole day of the minimum, where days are counted", async () => {
	const ours = await till("2026-02-01T00:00:00Z");
	await ours.plan("pro", [used("calls", { month: 1 }, min(10))]);
	const id = await ours.buy("pro", { prorationMode: "BY_DAY" });
	await ours.use("calls", 8);
	await ours.advance("2026-02-25T06:00:00Z");
	await ours.cancel(id, { cancellationTime: "IMMEDIATE" });
	expect(await ours.books()).toEqual(["2026-02-25T06:00: 8.93 = 8 Calls (pro) 8 + Minimum: Calls (pro) 0.93"]);
	expect(findings(ours)).toEqual([]);
});

test("a minimum of 0 is no minimum, and an unused window without one costs nothing", async () => {
	const booksOf = async (terms: object) => {
		const ours = await till("2026-01-01T00:00:00Z");
		await ours.plan("pro", [flat({ month: 5 }), used("calls", { month: 0.5 }, terms)]);
		const id = await ours.buy("pro");
		await ours.use("calls", 3);
		await ours.advance("2026-01-10T00:00:00Z");
		await ours.chargeUsage(id);
		await ours.advance("2026-03-01T00:00:00Z");
		await ours.cancel(id, { cancellationTime: "IMMEDIATE" });
		return ours.books();
	};
	expect(await booksOf(min(0))).toEqual(await booksOf({}));
});

test("chargesFlatPriceUnused: the first flat price is due at the end of an unused window, once", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	await ours.plan("pro", [
		{
			...tiered("calls", "GRADUATED", [
				[10, 1, 7],
				[null, 0.5],
			]),
			chargesFlatPriceUnused: true,
		},
	]);
	const id = await ours.buy("pro");
	await ours.advance("2026-01-10T00:00:00Z");
	await ours.chargeUsage(id);
	await ours.advance("2026-02-01T00:00:00Z");
	await ours.use("calls", 2, "2026-01-31T00:00:00Z");
	await ours.use("calls", 1);
	await ours.advance("2026-03-01T00:00:00Z");
	expect(await ours.books()).toEqual([
		"2026-02-01: 7 = 0 Calls (pro) 7",
		"2026-03-01: 10 = Calls (pro) 8 + 2 Calls (pro) 2",
	]);
	expect(findings(ours)).toEqual([]);
});

test("charges of one thing are distinguished by their keys", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	await ours.plan("pro", [
		flat({ month: 10 }),
		flat({ month: 4 }, { key: "support" }),
		used("calls", { month: 1 }),
		{ ...used("calls", { month: 0.25 }, min(3)), key: "tax-authority" },
	]);
	const id = await ours.buy("pro");
	await ours.use("calls", 8);
	await ours.change(id, { priceOverrides: [{ key: "support", amount: 6 }] });
	await ours.advance("2026-02-01T00:00:00Z");
	expect(await ours.books()).toEqual([
		"2026-01-01: 14 = pro 10 + support (pro) 4",
		expect.stringContaining("2026-01-01: 2 = "),
		"2026-02-01: 27 = pro 10 + support (pro) 6 + 8 Calls (pro) 8 + 8 Calls (pro) 2 + Minimum: Calls (pro) 1",
	]);
	expect(findings(ours)).toEqual([]);
});

test("a credit note for an invoice keeps what a window lacked to its minimum: late usage consumes it", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	await ours.plan("pro", [flat({ month: 20 }), used("calls", { month: 0.5 }, min(10))]);
	await ours.buy("pro");
	await ours.use("calls", 16);
	await ours.advance("2026-02-01T00:00:00Z");
	const invoices = (await ours.call("GET", "/customers/acme/invoices")).body.data;
	await ours.insist("POST", `/customers/acme/invoices/${invoices.at(-1).invoiceId}/credit-note`, {});
	expect((await ours.books()).slice(1)).toEqual([
		"2026-02-01: 30 = pro 20 + 16 Calls (pro) 8 + Minimum: Calls (pro) 2",
		"2026-02-01: -20 = pro -20",
	]);
	expect(findings(ours)).toEqual([]);
});

test("an override of tiers with an unused flat price leaves no line of an unused window", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	const unused = { ...tiered("calls", "VOLUME", [[null, 1, 5]]), chargesFlatPriceUnused: true };
	await ours.plan("pro", [flat({ month: 20 }), unused]);
	await ours.buy("pro", { priceOverrides: [{ featureId: "calls", amount: 3 }] });
	await ours.advance("2026-02-01T00:00:00Z");
	expect(await ours.books()).toEqual(["2026-01-01: 20 = pro 20", "2026-02-01: 20 = pro 20"]);
	expect(findings(ours)).toEqual([]);
});

test("a window with less than no usage bills its unused flat price as no usage", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	await ours.plan("pro", [{ ...tiered("calls", "VOLUME", [[null, 1, 5]]), chargesFlatPriceUnused: true }]);
	await ours.buy("pro");
	await ours.use("calls", -13);
	await ours.advance("2026-02-01T00:00:00Z");
	expect(await ours.books()).toEqual(["2026-02-01: 5 = 0 Calls (pro) 5"]);
	expect(findings(ours)).toEqual([]);
});

test("a change at the instant of an interim bill still ends the window, which owes its part of the minimum", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	await ours.plan("pro", [used("calls", { month: 0.5 }, min(31))]);
	const id = await ours.buy("pro");
	await ours.use("calls", 16);
	await ours.advance("2026-01-21T00:00:00Z");
	await ours.chargeUsage(id);
	await ours.change(id, { priceOverrides: [{ featureId: "calls", amount: 1 }] });
	expect(await ours.books()).toEqual(["2026-01-21: 8 = 16 Calls (pro) 8", "2026-01-21: 12 = Minimum: Calls (pro) 12"]);
	expect(findings(ours)).toEqual([]);
});

test("a credit of unused time is not spread over an invoice that only has a true-up of that time", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	await ours.plan("pro", [flat({ year: 365 }), used("calls", { month: 0.5 }, min(31))]);
	await ours.addon("extra", flat({ year: 365 }));
	const billingInformation = { prorationBehavior: "CREATE_PRORATIONS" };
	const addons = [{ id: "extra", quantity: 1 }];
	const id = await ours.buy("pro", { billingPeriod: "ANNUALLY", addons, billingInformation });
	await ours.advance("2026-01-21T00:00:00Z");
	await ours.change(id, { addons: [] });
	await ours.cancel(id, { cancellationTime: "SPECIFIC_DATE", endDate: "2026-02-01T12:00:00Z" });
	await ours.advance("2026-02-02T00:00:00Z");
	const notes = (await ours.call("GET", "/customers/acme/credit-notes")).body.data;
	expect(notes).toHaveLength(1);
	expect(findings(ours)).toEqual([]);
});
