import { expect, setDefaultTimeout, test } from "bun:test";
import { checkRates } from "../../../../src/areas/invoices/check/operations.rates";
import { checkSubscriptionBills } from "../../../../src/areas/subscriptions/billing/check/operations";
import { flat, perUnit, type Till, till, units, used } from "../../subscriptions/billing";

setDefaultTimeout(60_000);

const drift = ({ transactions, actor }: Till): string[] =>
	transactions.read(actor, (work) => [...checkRates(work), ...checkSubscriptionBills(work)]);

const by = (billingPeriod: string, amount: number, more: object = {}) => ({
	billingModel: "FLAT_FEE",
	pricePeriods: [{ billingPeriod, price: { amount, currency: "usd" } }],
	...more,
});
const custom = (unit: string, count: number) => ({ billingPeriod: "CUSTOM", billingInterval: { unit, count } });

/** Sells one price from a start on. */
async function sold(start: string, model: object, terms: object, environment: object = {}) {
	const ours = await till(start);
	if (Object.keys(environment).length > 0) await ours.insist("PATCH", "/environments/current", environment);
	await ours.plan("pro", [model]);
	const id = await ours.buy("pro", terms);
	return { ...ours, id, moved: (body: object) => ours.change(id, body) };
}

const day = (dayOfMonth: number, more: object = {}) => ({ billingAnchor: { type: "DAY", dayOfMonth, ...more } });

test("2.2: 30.00 on the 15th from 20 January, moved to the 1st on 2 March", async () => {
	const ours = await sold("2026-01-20T00:00:00Z", by("MONTHLY", 30), day(15));
	await ours.advance("2026-03-02T00:00:00Z");
	await ours.moved(day(1));
	expect(await ours.insist("GET", `/subscriptions/${ours.id}`)).toMatchObject({
		...day(1),
		currentBillingPeriodStart: "2026-02-15T00:00:00.000Z",
		currentBillingPeriodEnd: "2026-03-15T00:00:00.000Z",
	});
	expect(drift(ours)).toEqual([]);
	await ours.advance("2026-03-20T00:00:00Z");
	expect(await ours.insist("GET", `/subscriptions/${ours.id}`)).toMatchObject({
		currentBillingPeriodStart: "2026-03-15T00:00:00.000Z",
		currentBillingPeriodEnd: "2026-04-01T00:00:00.000Z",
	});
	expect(drift(ours)).toEqual([]);
	await ours.advance("2026-05-01T00:00:00Z");
	expect(await ours.books()).toEqual([
		"2026-01-20: 25.16 = pro 25.16",
		"2026-02-15: 30 = pro 30",
		"2026-03-15: 16.45 = pro 16.45",
		"2026-04-01: 30 = pro 30",
		"2026-05-01: 30 = pro 30",
	]);
	expect(drift(ours)).toEqual([]);
});

test("2.2: of two moves the last counts, and a boundary equal to the paid end makes no short period", async () => {
	const ours = await sold("2026-01-15T00:00:00Z", by("MONTHLY", 30), {});
	await ours.moved(day(1));
	await ours.moved({ billingAnchor: { type: "DATE", date: "2026-05-15T00:00:00Z" } });
	await ours.advance("2026-03-15T00:00:00Z");
	expect((await ours.books()).map((text) => text.split(" = ")[0])).toEqual([
		"2026-01-15: 30",
		"2026-02-15: 30",
		"2026-03-15: 30",
	]);
});

test("2.2: usage windows follow the new anchor, and no usage is left out or billed twice", async () => {
	const ours = await till("2026-01-15T00:00:00Z");
	await ours.plan("pro", [flat({ month: 30 }), used("calls", { month: 1 })]);
	const id = await ours.buy("pro");
	await ours.advance("2026-02-20T00:00:00Z");
	await ours.use("calls", 3, "2026-02-14T23:59:59Z");
	await ours.use("calls", 5);
	await ours.change(id, day(1));
	await ours.advance("2026-03-20T00:00:00Z");
	await ours.use("calls", 7);
	await ours.advance("2026-04-02T00:00:00Z");
	await ours.use("calls", 2, "2026-03-16T00:00:00Z");
	await ours.use("calls", 11, "2026-03-14T00:00:00Z");
	await ours.advance("2026-05-01T00:00:00Z");
	const books = await ours.books();
	expect(books.slice(0, 4)).toEqual([
		"2026-01-15: 30 = pro 30",
		"2026-02-15: 30 = pro 30",
		"2026-03-15: 24.45 = pro 16.45 + 5 Calls (pro) 5 + 3 Calls (pro) 3",
		"2026-04-01: 37 = pro 30 + 7 Calls (pro) 7",
	]);
	expect(books[4]).toStartWith("2026-05-01: 43 = pro 30");
	expect(drift(ours)).toEqual([]);
});

test.each([
	[
		"300.00 quarterly from 10 February",
		"2026-02-10",
		by("QUARTERLY", 300),
		{ billingAnchor: { type: "CALENDAR" } },
		166.67,
		"2026-04-01",
	],
	[
		"1,200.00 yearly from 12 May",
		"2026-05-12",
		by("ANNUALLY", 1200),
		{ billingAnchor: { type: "CALENDAR" } },
		769.32,
		"2027-01-01",
	],
	["quarterly, day 1, from 10 February", "2026-02-10", by("QUARTERLY", 300), day(1), 63.33, "2026-03-01"],
	[
		"quarterly, the 15th of February, from 10 February",
		"2026-02-10",
		by("QUARTERLY", 92),
		day(15, { month: 2 }),
		5,
		"2026-02-15",
	],
	["monthly, day 31, from 10 February", "2026-02-10", by("MONTHLY", 28), day(31), 18, "2026-02-28"],
	["yearly, day 29 of February", "2026-02-10", by("ANNUALLY", 365), day(29, { month: 2 }), 18, "2026-02-28"],
	[
		"weekly on Monday, from Thursday",
		"2026-01-01",
		by("WEEKLY", 7),
		{ billingAnchor: { type: "DAY", dayOfWeek: 1 } },
		4,
		"2026-01-05",
	],
	["weekly by the calendar", "2026-01-01", by("WEEKLY", 7), { billingAnchor: { type: "CALENDAR" } }, 4, "2026-01-05"],
	[
		"the start of the month",
		"2026-04-16",
		by("MONTHLY", 30),
		{ billingAnchor: { type: "START_OF_THE_MONTH" } },
		15,
		"2026-05-01",
	],
	[
		"a date",
		"2026-04-16",
		by("MONTHLY", 30),
		{ billingAnchor: { type: "DATE", date: "2026-01-26T00:00:00Z" } },
		9.68,
		"2026-04-26",
	],
] as const)("2.3, 3.2: %s", async (_, start, model, terms, amount, next) => {
	const ours = await sold(`${start}T00:00:00Z`, model, terms);
	await ours.advance(`${next}T00:00:00Z`);
	expect((await ours.books()).map((text) => text.split(" = ")[0])).toEqual([
		`${start}: ${amount}`,
		`${next}: ${model.pricePeriods[0]?.price.amount}`,
	]);
	expect(drift(ours)).toEqual([]);
});

test("3.2: a chosen day 31 that begins in February does not drift", async () => {
	const ours = await sold("2026-02-10T00:00:00Z", by("MONTHLY", 28), day(31));
	await ours.advance("2026-05-31T00:00:00Z");
	expect((await ours.books()).map((text) => text.slice(0, 10))).toEqual([
		"2026-02-10",
		"2026-02-28",
		"2026-03-31",
		"2026-04-30",
		"2026-05-31",
	]);
});

test.each([
	["PRORATE", ["2026-01-20: 25.16", "2026-02-15: 30"]],
	["FULL", ["2026-01-20: 30", "2026-02-15: 30"]],
	["FREE", ["2026-02-15: 30"]],
] as const)("3.2: the first period is %s", async (firstPeriod, expected) => {
	const ours = await sold("2026-01-20T00:00:00Z", by("MONTHLY", 30), day(15, { firstPeriod }));
	await ours.advance("2026-02-16T00:00:00Z");
	expect((await ours.books()).map((text) => text.split(" = ")[0])).toEqual([...expected]);
	expect(drift(ours)).toEqual([]);
});

test("3.2: changes in a free first period are free; those in a full one share its price", async () => {
	const seats = async (firstPeriod: string) => {
		const ours = await sold("2026-01-20T00:00:00Z", perUnit("seats", { month: 13 }), {
			...units("seats", 2),
			...day(15, { firstPeriod }),
		});
		await ours.advance("2026-02-02T00:00:00Z");
		await ours.moved(units("seats", 4));
		await ours.advance("2026-02-15T00:00:00Z");
		expect(drift(ours)).toEqual([]);
		return (await ours.books()).map((text) => text.split(" = ")[0]);
	};
	expect(await seats("FREE")).toEqual(["2026-02-15: 52"]);
	expect(await seats("FULL")).toEqual(["2026-01-20: 26", "2026-02-02: 13", "2026-02-15: 52"]);
});

const newYork = { timeZone: "America/New_York" };

test.each([
	["BY_TIME", 16.02],
	["BY_DAY", 16],
])("2.4: 31.00 from the 1st in New York, begun 16 March there, costs its part %s", async (prorationMode, amount) => {
	const terms = { ...day(1), prorationMode };
	const ours = await sold("2026-03-16T04:00:00Z", by("MONTHLY", 31), terms, newYork);
	await ours.advance("2026-04-01T04:00:00Z");
	expect(await ours.books()).toEqual([`2026-03-16T04:00: ${amount} = pro ${amount}`, "2026-04-01T04:00: 31 = pro 31"]);
	expect(await ours.insist("GET", `/subscriptions/${ours.id}`)).toMatchObject({
		...newYork,
		currentBillingPeriodEnd: "2026-05-01T04:00:00.000Z",
	});
	expect(drift(ours)).toEqual([]);
});

test.each([
	["of its own", {}, null, { timeZone: "Asia/Kathmandu" }, "Asia/Kathmandu"],
	["of the customer", { timeZoneSource: "CUSTOMER" }, "Europe/Berlin", {}, "Europe/Berlin"],
	["of the environment, if the customer's is no zone", { timeZoneSource: "CUSTOMER" }, "CET", {}, "America/New_York"],
	["of the environment, if the customer's does not count", {}, "Europe/Berlin", {}, "America/New_York"],
] as const)(
	"2.4: a subscription has the zone %s, fixed at its start",
	async (_, environment, timezone, terms, expected) => {
		const ours = await till("2026-03-16T12:00:00Z");
		await ours.insist("PATCH", "/environments/current", { ...newYork, ...environment });
		await ours.insist("PATCH", "/customers/acme", { timezone });
		await ours.plan("pro", [flat({ month: 31 })]);
		const id = await ours.buy("pro", terms);
		await ours.insist("PATCH", "/environments/current", { timeZone: "UTC", timeZoneSource: "ENVIRONMENT" });
		expect(await ours.insist("GET", `/subscriptions/${id}`)).toMatchObject({ timeZone: expected });
	},
);

test("2.4: after a change of zone the running period ends where it was to end, and the next one is cut", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	await ours.plan("pro", [by("MONTHLY", 31), used("calls", { month: 1 })]);
	const id = await ours.buy("pro", day(1));
	await ours.advance("2026-01-20T00:00:00Z");
	await ours.change(id, newYork);
	await ours.advance("2026-01-31T23:00:00Z");
	await ours.use("calls", 2);
	await ours.advance("2026-02-01T01:00:00Z");
	await ours.use("calls", 4);
	await ours.advance("2026-02-01T06:00:00Z");
	await ours.use("calls", 8);
	await ours.advance("2026-03-01T05:00:00Z");
	expect(await ours.books()).toEqual([
		"2026-01-01: 31 = pro 31",
		"2026-02-01: 2.21 = pro 0.21 + 2 Calls (pro) 2",
		"2026-02-01T05:00: 35 = pro 31 + 4 Calls (pro) 4",
		"2026-03-01T05:00: 39 = pro 31 + 8 Calls (pro) 8",
	]);
	expect(drift(ours)).toEqual([]);
});

test("3.1: Berlin at 02:30 across both clock changes", async () => {
	const ours = await sold("2026-03-29T00:30:00Z", by("DAILY", 1), {
		timeZone: "Europe/Berlin",
		billingAnchor: { type: "DATE", date: "2026-03-28T01:30:00Z" },
	});
	await ours.advance("2026-03-30T12:00:00Z");
	expect((await ours.books()).map((text) => text.split(":").slice(0, 2).join(":"))).toEqual([
		"2026-03-29T00:30",
		"2026-03-29T01:30",
		"2026-03-30T00:30",
	]);
});

test("a zone equal to UTC, and the anchor at the start, bill like no field at all", async () => {
	const booksWith = async (terms: object): Promise<string[]> => {
		const ours = await sold("2026-01-31T10:00:00Z", by("MONTHLY", 30), terms);
		await ours.advance("2026-02-10T00:00:00Z");
		await ours.moved({ priceOverrides: [{ baseCharge: true, amount: 50 }] });
		await ours.advance("2026-05-01T00:00:00Z");
		return ours.books();
	};
	const neutral = { timeZone: "UTC", billingAnchor: { type: "SUBSCRIPTION_START" }, prorationMode: "BY_TIME" };
	expect(await booksWith(neutral)).toEqual(await booksWith({}));
});

test("a plan of the same length continues the chosen day, and the pending move", async () => {
	const ours = await sold("2026-01-20T00:00:00Z", by("MONTHLY", 30), day(15));
	await ours.plan("max", [by("MONTHLY", 60)]);
	await ours.moved(day(1));
	await ours.advance("2026-02-01T00:00:00Z");
	const id = await ours.buy("max");
	await ours.advance("2026-03-01T00:00:00Z");
	expect((await ours.books()).map((text) => text.split(" = ")[0])).toEqual([
		"2026-01-20: 25.16",
		"2026-02-01: 13.55",
		"2026-02-15: 30",
		"2026-03-01: 60",
	]);
	expect(await ours.insist("GET", `/subscriptions/${id}`)).toMatchObject(day(1));
	expect(drift(ours)).toEqual([]);
});

const at = { customerId: "acme", planId: "pro" };
test.each([
	["DAY without a part", { billingAnchor: { type: "DAY" } }, "BadUserInput", "dayOfMonth"],
	["DAY of a week for months", { billingAnchor: { type: "DAY", dayOfWeek: 1 } }, "BadUserInput", "dayOfWeek"],
	["an unneeded weekday", day(1, { dayOfWeek: 1 }), "BadUserInput", "dayOfWeek"],
	["a month without a day", { billingAnchor: { type: "DAY", dayOfWeek: 1, month: 2 } }, "BadUserInput", "dayOfMonth"],
	["a day of another type", { billingAnchor: { type: "CALENDAR", dayOfMonth: 1 } }, "BadUserInput", "DAY"],
	["DATE without a date", { billingAnchor: { type: "DATE" } }, "BadUserInput", "date"],
	[
		"a date of another type",
		{ billingAnchor: { type: "DAY", dayOfMonth: 1, date: "2026-01-01T00:00:00Z" } },
		"BadUserInput",
		"date",
	],
	["day 32", day(32), "BadUserInput", "dayOfMonth"],
	["an anchor and NOW", { ...day(1), billingCycleAnchor: "NOW" }, "BadUserInput", "billingCycleAnchor"],
	["an abbreviation", { timeZone: "EST" }, "BadUserInput", "timeZone"],
	["an offset", { timeZone: "+01:00" }, "BadUserInput", "timeZone"],
	["an unknown place", { timeZone: "Europe/Atlantis" }, "BadUserInput", "timeZone"],
] as const)("refuses %s, and leaves no trace", async (_, terms, code, place) => {
	const ours = await till("2026-01-20T00:00:00Z");
	await ours.plan("pro", [by("MONTHLY", 30)]);
	for (const path of ["/subscriptions", "/subscriptions/preview"]) {
		const answer = await ours.call("POST", path, { body: { ...at, ...terms } });
		expect([answer.status, answer.body.code]).toEqual([400, code]);
		expect(answer.body.message).toContain(place);
	}
	expect(await ours.insist("GET", "/subscriptions")).toEqual([]);
	const id = await ours.buy("pro");
	const change = await ours.call("PATCH", `/subscriptions/${id}`, { body: terms });
	expect([change.status, change.body.code]).toEqual([400, code]);
});

test.each([
	["CALENDAR", { billingAnchor: { type: "CALENDAR" } }],
	["DAY", { billingAnchor: { type: "DAY", dayOfWeek: 1 } }],
])("refuses %s for a length that it does not fit", async (_, terms) => {
	const ours = await till("2026-01-20T00:00:00Z");
	const pricePeriods = [{ ...custom("DAY", 45), price: { amount: 1, currency: "usd" } }];
	await ours.plan("pro", [{ billingModel: "FLAT_FEE", pricePeriods }]);
	const answer = await ours.call("POST", "/subscriptions", { body: { ...at, ...terms } });
	expect([answer.status, answer.body.code]).toEqual([400, "UnsupportedParameter"]);
	expect(await ours.insist("GET", "/subscriptions")).toEqual([]);
});

test("a free plan and a subscription of a contract refuse an anchor and a zone", async () => {
	const ours = await till("2026-01-20T00:00:00Z");
	await ours.plan("free", []);
	await ours.plan("pro", [by("MONTHLY", 30)]);
	for (const terms of [day(1), newYork])
		for (const body of [{ planId: "free" }, { planId: "pro", paymentCollectionMethod: "NONE" }]) {
			const answer = await ours.call("POST", "/subscriptions", { body: { customerId: "acme", ...body, ...terms } });
			expect(answer.body.code).toBe("UnsupportedParameter");
		}
});
