import { expect, setDefaultTimeout, test } from "bun:test";
import { exportCatalogue } from "../../../../src/areas/catalog/operations.export";
import { writeCatalogue } from "../../../../src/areas/catalog/rules.file";
import { viewDifference } from "../../../../src/areas/catalog/rules.summary";
import { creditGrants } from "../../../../src/areas/credits/table";
import { checkSubscriptionBills } from "../../../../src/areas/subscriptions/billing/check/operations";
import { data } from "../../../graphql/ask";
import { apply } from "../../catalog/files";
import { maker } from "../../packages/catalogue";
import { flat, type Till, till } from "../../subscriptions/billing";

setDefaultTimeout(60_000);

const day = (dayOfMonth: number, more: object = {}) => ({
	billingAnchor: { type: "DAY", dayOfMonth, ...more },
});
const ofCustomer = { billingAnchor: { type: "CUSTOMER" } };

const anchor = (ours: Till, billingAnchor: object | null) => ours.insist("PATCH", "/customers/acme", { billingAnchor });
const totals = async (ours: Till) => (await ours.books()).map((text) => text.split(" = ")[0]);
const periodOf = async (ours: Till, id: string): Promise<string> =>
	(await ours.insist("GET", `/subscriptions/${id}`)).currentBillingPeriodEnd;
const drift = ({ transactions, actor }: Till): string[] =>
	transactions.read(actor, (work) => [...checkSubscriptionBills(work)]);

test.each([
	["the subscription's", { subscription: day(10), plan: day(12), customer: day(14) }, "2026-02-10"],
	["else the plan's", { plan: day(12), customer: day(14) }, "2026-02-12"],
	["else the customer's", { plan: {}, customer: day(14) }, "2026-02-14"],
	["else the environment's", { plan: {} }, "2026-02-01"],
	["the customer's where the plan says so", { plan: ofCustomer, customer: day(14) }, "2026-02-14"],
	[
		"the customer's where the subscription says so",
		{ subscription: ofCustomer, plan: day(12), customer: day(14) },
		"2026-02-14",
	],
] as const)("periods count from %s anchor", async (_, { plan, ...terms }, end) => {
	const ours = await till("2026-01-20T10:00:00Z");
	await ours.insist("PATCH", "/environments/current", { billingAnchor: "START_OF_THE_MONTH" });
	await ours.plan("pro", [flat({ month: 31 })], plan);
	if ("customer" in terms) await ours.insist("PATCH", "/customers/acme", terms.customer);
	const id = await ours.buy("pro", "subscription" in terms ? terms.subscription : {});
	expect(await periodOf(ours, id)).toBe(`${end}T00:00:00.000Z`);
	expect(drift(ours)).toEqual([]);
});

test("CUSTOMER without an anchor of the customer counts from its first charged subscription, also after its end", async () => {
	const ours = await till("2026-01-20T10:00:00Z");
	await ours.plan("old", [flat({ month: 10 })]);
	await ours.insist("PATCH", "/products/app", { multipleSubscriptions: true });
	await ours.plan("pro", [flat({ month: 31 })], ofCustomer);
	const first = await ours.buy("old", { resourceId: "site-1" });
	await ours.cancel(first, { cancellationTime: "IMMEDIATE" });
	await ours.advance("2026-02-03T00:00:00Z");
	const second = await ours.buy("pro", { resourceId: "site-2" });
	expect(await periodOf(ours, second)).toBe("2026-02-20T10:00:00.000Z");
	await ours.advance("2026-02-25T00:00:00Z");
	// A new cycle of the first one moves no other subscription.
	await ours.change(second, { billingCycleAnchor: "NOW", priceOverrides: [{ baseCharge: true, amount: 62 }] });
	expect(await periodOf(ours, second)).toBe("2026-03-25T00:00:00.000Z");
	expect(await periodOf(ours, await ours.buy("pro", { resourceId: "site-3" }))).toBe("2026-03-20T10:00:00.000Z");
	expect(drift(ours)).toEqual([]);
});

test("the first charged subscription can be the one that asks for the customer's anchor", async () => {
	const ours = await till("2026-01-20T10:00:00Z");
	await ours.plan("pro", [flat({ month: 31 })], ofCustomer);
	const preview = await ours.insist("POST", "/subscriptions/preview", { customerId: "acme", planId: "pro" });
	expect(preview.billingPeriodRange.end).toBe("2026-02-20T10:00:00.000Z");
	await ours.advance("2026-01-25T00:00:00Z");
	// The preview has kept nothing.
	expect(await periodOf(ours, await ours.buy("pro", { resourceId: "a" }))).toBe("2026-02-25T00:00:00.000Z");
	await ours.advance("2026-01-28T00:00:00Z");
	expect(await periodOf(ours, await ours.buy("pro", { resourceId: "b" }))).toBe("2026-02-25T00:00:00.000Z");
});

test("a later anchor of the customer moves no running subscription; null of the subscription returns to it", async () => {
	const ours = await till("2026-01-20T00:00:00Z");
	await ours.plan("pro", [flat({ month: 31 })]);
	const id = await ours.buy("pro", day(20));
	await anchor(ours, day(5).billingAnchor);
	await ours.advance("2026-02-25T00:00:00Z");
	await ours.change(id, { billingAnchor: null });
	await ours.advance("2026-04-06T00:00:00Z");
	expect(await totals(ours)).toEqual(["2026-01-20: 31", "2026-02-20: 31", "2026-03-20: 16", "2026-04-05: 31"]);
	expect(drift(ours)).toEqual([]);
});

test("an anchor of the customer that the billing period does not fit counts as none", async () => {
	const ours = await till("2026-01-20T00:00:00Z");
	const pricePeriods = [{ billingPeriod: "WEEKLY", price: { amount: 7, currency: "usd" } }];
	await ours.plan("weekly", [{ billingModel: "FLAT_FEE", pricePeriods }]);
	await anchor(ours, day(5).billingAnchor);
	expect(await periodOf(ours, await ours.buy("weekly"))).toBe("2026-01-27T00:00:00.000Z");
});

test.each([
	["FREE", "2026-01-20: 0"],
	["FULL", "2026-01-20: 31"],
] as const)("a plan's first period can be %s", async (firstPeriod, first) => {
	const ours = await till("2026-01-20T00:00:00Z");
	await ours.plan("pro", [flat({ month: 31 })], day(1, { firstPeriod }));
	const id = await ours.buy("pro");
	await ours.advance("2026-01-25T00:00:00Z");
	await ours.change(id, { priceOverrides: [{ baseCharge: true, amount: 31 }] });
	await ours.advance("2026-02-01T00:00:00Z");
	expect(await totals(ours)).toEqual([...(firstPeriod === "FREE" ? [] : [first]), "2026-02-01: 31"]);
});

test("another plan continues the cycle if it states the same anchor, and starts another one if not", async () => {
	const ours = await till("2026-01-20T00:00:00Z");
	await ours.plan("pro", [flat({ month: 31 })], day(5));
	await ours.plan("max", [flat({ month: 62 })], day(5, { firstPeriod: "FREE" }));
	await ours.plan("top", [flat({ month: 93 })], day(12));
	await ours.buy("pro");
	await anchor(ours, day(25).billingAnchor);
	await ours.advance("2026-02-10T00:00:00Z");
	expect(await periodOf(ours, await ours.buy("max"))).toBe("2026-03-05T00:00:00.000Z");
	expect(await periodOf(ours, await ours.buy("top"))).toBe("2026-02-12T00:00:00.000Z");
	expect(drift(ours)).toEqual([]);
});

test("a subscription that began in UTC keeps UTC when its cycle starts again, when its plan changes, and when it moves", async () => {
	const ours = await till("2026-01-20T00:00:00Z");
	await ours.plan("pro", [flat({ month: 31, year: 310 })]);
	await ours.plan("max", [flat({ month: 62, year: 620 })]);
	await ours.insist("PATCH", "/products/app", { multipleSubscriptions: true });
	const monthly = { billingPeriod: "MONTHLY" };
	const ids = [];
	for (const resourceId of ["a", "b", "c"]) ids.push(await ours.buy("pro", { resourceId, ...monthly }));
	const [reset = "", , moved = ""] = ids;
	await ours.insist("PATCH", "/environments/current", { timeZone: "America/New_York" });
	await ours.advance("2026-02-10T00:00:00Z");
	await ours.change(reset, { billingPeriod: "ANNUALLY", ...day(1) });
	expect(await periodOf(ours, reset)).toBe("2026-03-01T00:00:00.000Z");
	const max = await ours.insist(
		"GET",
		`/subscriptions/${await ours.buy("max", { resourceId: "b", ...monthly, ...day(1) })}`,
	);
	expect(max.currentBillingPeriodEnd).toBe("2026-03-01T00:00:00.000Z");
	expect(max).not.toHaveProperty("timeZone");
	await ours.change(moved, day(1));
	await ours.advance("2026-02-21T00:00:00Z");
	expect(await periodOf(ours, moved)).toBe("2026-03-01T00:00:00.000Z");
	// A first purchase takes the zone of the environment.
	expect(await periodOf(ours, await ours.buy("pro", { resourceId: "d", ...monthly, ...day(1) }))).toBe(
		"2026-03-01T05:00:00.000Z",
	);
	expect(drift(ours)).toEqual([]);
});

test("recurring credits are granted in full in the short period after a move, once", async () => {
	const ours = await till("2026-01-15T00:00:00Z");
	await maker(ours).currency("tokens");
	await ours.insist("POST", "/plans", { id: "pro", displayName: "pro", productId: "app" });
	await maker(ours).entitle("/plans/pro", { type: "CREDIT", id: "tokens", amount: 100, cadence: "MONTH" });
	await maker(ours).charge("/plans/pro", { pricingType: "PAID", pricingModels: [flat({ month: 31 })] });
	await maker(ours).publish("/plans/pro");
	await ours.change(await ours.buy("pro"), day(1));
	await ours.advance("2026-04-02T00:00:00Z");
	const granted = ours.transactions
		.read(ours.actor, ({ tx }) => tx.select().from(creditGrants).all())
		.map(({ amount, effectiveAt, expireAt }) => [
			amount,
			...[effectiveAt, expireAt].map((at) => new Date(at ?? 0).toISOString().slice(5, 10)),
		]);
	expect(granted.map((one) => one.join(" "))).toEqual([
		"100 01-15 02-15",
		"100 02-15 03-01",
		"100 03-01 04-01",
		"100 04-01 05-01",
	]);
});

test("the catalogue file states the anchor of a plan, and a default first period changes nothing", async () => {
	const ours = await till("2026-01-20T00:00:00Z");
	await ours.plan("pro", [flat({ month: 31 })], day(5));
	const text = writeCatalogue(ours.transactions.read(ours.actor, exportCatalogue), "yaml");
	expect(text).toContain("dayOfMonth: 5");
	expect(apply(ours, text).changes).toEqual([]);
	expect(apply(ours, text.replace("dayOfMonth: 5", "dayOfMonth: 5\n        firstPeriod: PRORATE")).changes).toEqual([]);
	const changed = viewDifference(apply(ours, text.replace("dayOfMonth: 5", "dayOfMonth: 6")), true);
	expect(changed).toContain("charges.billingAnchor");
});

test("GraphQL sets and shows the anchors of plans and customers", async () => {
	const ours = await till("2026-01-20T00:00:00Z");
	await ours.plan("pro", [flat({ month: 31 })], day(5, { firstPeriod: "FULL" }));
	const shown = "billingAnchor { type dayOfMonth firstPeriod }";
	const { updateCustomer } = await data(
		ours,
		`mutation { updateCustomer(input: { refId: "acme", billingAnchor: { type: CALENDAR } }) { ${shown} } }`,
	);
	expect(updateCustomer.billingAnchor).toEqual({ type: "CALENDAR", dayOfMonth: null, firstPeriod: null });
	expect(await ours.insist("GET", "/customers/acme")).toMatchObject({ billingAnchor: { type: "CALENDAR" } });
	const { plans } = await data(ours, `{ plans(filter: { refId: { eq: "pro" } }) { edges { node { ${shown} } } } }`);
	expect(plans.edges[0].node.billingAnchor).toEqual({ type: "DAY", dayOfMonth: 5, firstPeriod: "FULL" });
	expect(await ours.insist("GET", "/plans/pro")).toMatchObject(day(5, { firstPeriod: "FULL" }));
	await anchor(ours, null);
	expect(await ours.insist("GET", "/customers/acme")).not.toHaveProperty("billingAnchor");
});

const monthly = {
	billingModel: "FLAT_FEE",
	pricePeriods: [{ billingPeriod: "MONTHLY", price: { amount: 1, currency: "usd" } }],
};
const by45Days = {
	billingModel: "FLAT_FEE",
	pricePeriods: [
		{ billingPeriod: "CUSTOM", billingInterval: { unit: "DAY", count: 45 }, price: { amount: 1, currency: "usd" } },
	],
};
test.each([
	["an addon", "/addons/extra", { pricingModels: [monthly], ...day(1) }, "BadUserInput", "plan"],
	["a free plan", "/plans/pro", { pricingType: "FREE", ...day(1) }, "BadUserInput", "FREE"],
	[
		"a plan of contracts",
		"/plans/pro",
		{ pricingType: "CUSTOM", pricingModels: [monthly], ...day(1) },
		"UnsupportedParameter",
		"contract",
	],
	[
		"a day that 45 days have not",
		"/plans/pro",
		{ pricingModels: [by45Days], billingAnchor: { type: "DAY", dayOfWeek: 1 } },
		"UnsupportedParameter",
		"weeks",
	],
	[
		"a calendar of 45 days",
		"/plans/pro",
		{ pricingModels: [by45Days], billingAnchor: { type: "CALENDAR" } },
		"UnsupportedParameter",
		"CALENDAR",
	],
	[
		"a weekday of months",
		"/plans/pro",
		{ pricingModels: [monthly], ...day(1, { dayOfWeek: 1 }) },
		"BadUserInput",
		"dayOfWeek",
	],
	[
		"months without a day",
		"/plans/pro",
		{ pricingModels: [monthly], billingAnchor: { type: "DAY", dayOfWeek: 1 } },
		"BadUserInput",
		"dayOfWeek",
	],
	[
		"CUSTOMER with a day",
		"/plans/pro",
		{ pricingModels: [monthly], billingAnchor: { type: "CUSTOMER", dayOfMonth: 1 } },
		"BadUserInput",
		"CUSTOMER",
	],
] as const)("a draft refuses an anchor of %s", async (_, path, charges, code, place) => {
	const ours = await till("2026-01-20T00:00:00Z");
	for (const [kind, id] of [
		["plans", "pro"],
		["addons", "extra"],
	])
		await ours.insist("POST", `/${kind}`, { id, displayName: id, productId: "product-main" }).catch(() => undefined);
	const answer = await ours.call("PATCH", path, { body: { charges: { pricingType: "PAID", ...charges } } });
	expect([answer.status, answer.body.code]).toEqual([400, code]);
	expect(answer.body.message).toContain(place);
});

test("a customer refuses CUSTOMER and missing parts", async () => {
	const ours = await till("2026-01-20T00:00:00Z");
	for (const billingAnchor of [{ type: "CUSTOMER" }, { type: "DAY" }, { type: "DATE" }]) {
		const answer = await ours.call("PATCH", "/customers/acme", { body: { billingAnchor } });
		expect([answer.status, answer.body.code]).toEqual([400, "BadUserInput"]);
	}
	expect(await ours.insist("GET", "/customers/acme")).not.toHaveProperty("billingAnchor");
});
