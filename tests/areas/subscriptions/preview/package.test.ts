import { beforeAll, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import type { Answer, World } from "../../../support/world";
import { isRefusal } from "../../packages/guards";
import { flat, graduated, paid, perUnit, usage, usd } from "../../packages/prices";
import { provision, shop } from "../shop";

let here: World;
beforeAll(async () => {
	here = await shop();
}, 60_000);

const insist = async (method: string, path: string, body?: object): Promise<Answer["body"]> => {
	const { status, body: answer } = await here.call(method, path, body === undefined ? {} : { body });
	if (status >= 300) throw new Error(JSON.stringify(answer));
	return answer.data;
};
const planOf = (pricing: object) => async (id: string) => {
	await insist("POST", "/plans", { id, displayName: id, productId: "app" });
	await insist("PATCH", `/plans/${id}`, { charges: pricing });
};
const previewOf = (path: string, { pricing, ...body }: Record<string, unknown>) =>
	insist("POST", `${path}/preview`, { ...body, draft: { ...(pricing !== undefined && { pricing }) } });
const linesOf = ({ lines }: Answer["body"]) =>
	lines.map((line: Answer["body"]) => [line.description, line.quantity, line.subTotal]);
const seats = (quantity: number) => ({ charges: [{ id: "seats", quantity, type: "FEATURE" }] });

/** Every row of every table, except for the number of writes, which also counts writes without a change. */
const everything = () =>
	here.transactions.read(here.actor, ({ tx }) =>
		tx
			.all<{ name: string }>(sql`select name from main.sqlite_master where type = 'table' order by name`)
			.filter(({ name }) => name !== "main_revision")
			.map(({ name }) => [name, tx.all(sql.raw(`select * from main."${name}"`))] as const),
	);

test("previews an unpublished draft: the amount due at once, and each month with estimated usage", async () => {
	await planOf(paid(flat(20), perUnit({}), usage({}, { price: usd(0.01) })))("fresh");
	const shown = await previewOf("/plans/fresh", {
		...seats(3),
		billableFeatures: [{ featureId: "calls", quantity: 1000 }],
	});
	expect(linesOf(shown.immediateInvoice)).toEqual([
		["fresh", 1, 20],
		["Seats (fresh)", 3, 15],
	]);
	expect(linesOf(shown.recurringInvoice)).toEqual([
		["fresh", 1, 20],
		["Seats (fresh)", 3, 15],
		["calls (fresh)", 1000, 10],
	]);
	expect(shown.recurringInvoice.total).toBe(45);
});

describe("estimates usage beyond a limit", () => {
	beforeAll(() => planOf(paid(flat(20)))("limited"));
	const overage = (blockSize?: number) => ({
		...paid(flat(20)),
		overagePricingModels: [
			{
				billingModel: "USAGE_BASED",
				featureId: "calls",
				entitlement: { featureId: "calls", usageLimit: 1000, resetPeriod: "MONTH" },
				pricePeriods: [{ billingPeriod: "MONTHLY", price: usd(0.5), ...(blockSize && { blockSize }) }],
			},
		],
	});
	const rows: Array<[used: number, blockSize: number | undefined, lines: unknown[]]> = [
		[999, undefined, []],
		[1000, undefined, []],
		[1003, undefined, [["calls (limited)", 3, 1.5]]],
		[1003, 2, [["calls (limited)", 3, 1]]],
	];
	test.each(rows)("with %d used, in blocks of %j", async (quantity, blockSize, lines) => {
		const shown = await previewOf("/plans/limited", {
			pricing: overage(blockSize),
			billableFeatures: [{ featureId: "calls", quantity }],
		});
		expect(linesOf(shown.recurringInvoice)).toEqual([["limited", 1, 20], ...lines]);
	});
});

test("replaces prices of the draft by the requested ones", async () => {
	const pricing = paid(flat(7), perUnit({ tiersMode: "GRADUATED" }, { tiers: graduated }));
	const shown = await previewOf("/plans/fresh", { ...seats(7), pricing });
	// Five at 20 and the flat 10 of the first tier, two at 15.
	expect(linesOf(shown.immediateInvoice)).toEqual([
		["fresh", 1, 7],
		["Seats (fresh)", 7, 140],
	]);
	expect(linesOf((await previewOf("/plans/fresh", seats(7))).immediateInvoice)).toEqual([
		["fresh", 1, 20],
		["Seats (fresh)", 7, 35],
	]);
});

test("previews a new version for a customer on the former one, as after the publication", async () => {
	const version = { customerId: "acme", planId: "pro", billingPeriod: "MONTHLY" };
	await provision(here, { ...version, ...seats(2) });
	await insist("POST", "/plans/pro/draft");
	await insist("PATCH", "/plans/pro", { charges: paid(flat(30), perUnit({}, { price: usd(6) })) });
	const { planId: _, ...asked } = { ...version, ...seats(4) };
	const before = await previewOf("/plans/pro", asked);
	expect(before.immediateInvoice.lines.length).toBeGreaterThan(2);
	await insist("POST", "/plans/pro/publish", { migrationType: "NEW_CUSTOMERS" });
	expect(before).toEqual(await insist("POST", "/subscriptions/preview", { ...version, ...seats(4) }));
});

test("previews published prices for a new customer without subscriptions", async () => {
	await insist("POST", "/customers", { id: "nothing-yet" });
	const sale = { billingPeriod: "MONTHLY", ...seats(3), appliedCoupon: { couponId: "TEN" } };
	const asked = { ...sale, customerId: "nothing-yet", planId: "pro" };
	const shown = await insist("POST", "/plans/pro/preview", sale);
	expect(shown.immediateInvoice.lines.length).toBe(2);
	expect(shown).toEqual(await insist("POST", "/subscriptions/preview", asked));
	const withAddon = await insist("POST", "/addons/extra/preview", { ...sale, planId: "pro", quantity: 2 });
	expect(withAddon).toEqual(
		await insist("POST", "/subscriptions/preview", { ...asked, addons: [{ id: "extra", quantity: 2 }] }),
	);
});

test("previews the draft of an addon with a published plan", async () => {
	await insist("POST", "/addons/extra/draft");
	const pricing = paid(flat(4.5));
	const sale = { planId: "pro", billingPeriod: "MONTHLY", ...seats(1) };
	expect(linesOf((await previewOf("/addons/extra", { ...sale, pricing, quantity: 2 })).immediateInvoice)).toEqual([
		["Pro", 1, 30],
		["Seats (Pro)", 1, 6],
		["extra", 2, 9],
	]);
	expect(linesOf((await previewOf("/addons/extra", sale)).immediateInvoice).at(-1)).toEqual(["extra", 1, 3.33]);
});

test("writes nothing at all", async () => {
	const before = everything();
	expect(before.length).toBeGreaterThan(20);
	await previewOf("/plans/fresh", { ...seats(7), pricing: paid(flat(7), perUnit({})), resourceId: "a-new-one" });
	await previewOf("/addons/extra", { planId: "pro", billingPeriod: "MONTHLY", customerId: "acme", ...seats(1) });
	expect(everything()).toEqual(before);
});

describe("rejects", () => {
	const refused: Array<[path: string, body: object, status: number, code: string]> = [
		["/plans/none", {}, 404, "PlanNotFound"],
		["/plans/none", { draft: { pricing: { pricingType: "FREE" } } }, 404, "PlanNotFound"],
		["/plans/basic", { draft: {} }, 400, "PackageAlreadyPublished"],
		["/plans/draft", {}, 400, "UnPublishedPackage"],
		["/plans/draft", { draft: {} }, 400, "PackagePricingTypeNotSet"],
		["/plans/fresh", { draft: {}, customerId: "nobody" }, 404, "CustomerNotFound"],
		["/plans/fresh", { draft: {}, billingPeriod: "ANNUALLY", ...seats(1) }, 400, "BillingPeriodMissingError"],
		["/plans/fresh", { planId: "pro" }, 400, "BadUserInput"],
		["/plans/fresh", { quantity: 2 }, 400, "BadUserInput"],
		["/plans/fresh", { draft: { pricing: null } }, 400, "BadUserInput"],
		["/plans/fresh", { draft: { pricing: { pricingModels: [] } } }, 400, "BadUserInput"],
		["/plans/fresh", { draft: {}, billableFeatures: [{ featureId: "sso", quantity: 1 }] }, 404, "PriceNotFound"],
		["/plans/fresh", { draft: true }, 400, "BadUserInput"],
		["/plans/fresh", { draft: { charges: {} } }, 400, "BadUserInput"],
		["/addons/none", { planId: "pro" }, 404, "AddonNotFound"],
		["/addons/extra", {}, 400, "BadUserInput"],
		["/addons/extra", { planId: "none" }, 404, "PlanNotFound"],
		["/addons/extra", { planId: "draft" }, 400, "UnPublishedPackage"],
		["/addons/extra", { planId: "pro", quantity: 1.5 }, 400, "BadUserInput"],
		["/addons/extra", { planId: "pro", quantity: -1 }, 400, "BadUserInput"],
	];
	test.each(refused)("%s %j with %d %s", async (path, body, status, code) => {
		isRefusal(await here.call("POST", `${path}/preview`, { body }), status, code);
	});
});
