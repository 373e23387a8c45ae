import { beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { chargesOf, getShownVersion } from "../../../src/areas/packages/operations";
import { assertCharges } from "../../../src/areas/packages/rules.charges";
import type { World } from "../../support/world";
import { catalogue, maker } from "./catalogue";
import { isRefusal } from "./guards";

const set = ({ call }: World, charges: object) => call("PATCH", "/plans/pro", { body: { charges } });
const usd = (amount: number) => ({ amount, currency: "usd" });
const monthly = (terms: object) => ({ billingPeriod: "MONTHLY", ...terms });
const annually = (terms: object) => ({ billingPeriod: "ANNUALLY", ...terms });
const flat = (amount = 10, ...more: object[]) => ({
	billingModel: "FLAT_FEE",
	pricePeriods: [monthly({ price: usd(amount) }), ...more],
});
const perUnit = (terms: object, period: object = { price: usd(5) }) => ({
	billingModel: "PER_UNIT",
	featureId: "seats",
	pricePeriods: [monthly(period)],
	...terms,
});
const usage = (terms: object, period: object = { price: usd(0.00025) }) =>
	perUnit({ billingModel: "USAGE_BASED", featureId: "calls", ...terms }, period);
const paid = (...pricingModels: object[]) => ({ pricingType: "PAID", pricingModels });
const graduated = [
	{ upTo: 5, unitPrice: usd(20), flatPrice: usd(10) },
	{ upTo: 10, unitPrice: usd(15) },
	{ flatPrice: usd(5) },
];

const blank = {
	billingCadence: "RECURRING",
	billingCountryCode: null,
	featureId: null,
	price: null,
	tiersMode: null,
	tiers: null,
	blockSize: null,
	minUnitQuantity: null,
	maxUnitQuantity: null,
	creditRate: null,
	creditGrantCadence: null,
	topUpCustomCurrencyId: null,
	billingId: null,
	crmId: null,
	crmLinkUrl: null,
	usedInSubscriptions: null,
	createdAt: "2026-01-31T00:00:00.000Z",
};

/** The charges as listed, newest first, without their ids; reversed, so that they stand as they were sent. */
async function listed({ call }: World, path = "/plans/pro/charges"): Promise<object[]> {
	const { status, body } = await call("GET", `${path}?limit=100`);
	expect(status).toBe(200);
	return body.data.map(({ id: _, ...charge }: { id: string }) => charge).reverse();
}

describe("charges of a draft", () => {
	test("one row for each model and price period, with every field of the contract", async () => {
		const ours = await catalogue();
		const answer = await set(ours, {
			pricingType: "PAID",
			billingId: "provider-1",
			minimumSpend: [{ billingPeriod: "MONTHLY", minimum: { amount: 50 } }],
			pricingModels: [
				flat(
					10,
					annually({ price: usd(100) }),
					monthly({ price: { amount: 9, currency: "eur" }, billingCountryCode: "DE" }),
				),
				perUnit({ minUnitQuantity: 1, maxUnitQuantity: 50, tiersMode: "GRADUATED" }, { tiers: graduated }),
				usage({ resetPeriod: "MONTH" }, { price: usd(0.00025), blockSize: 1000 }),
				{
					billingModel: "CREDIT_BASED",
					featureId: "calls",
					pricePeriods: [
						monthly({
							creditRate: { amount: 0.5, currencyId: "gold", costFormula: "tokens / 1000" },
							creditGrantCadence: "MONTHLY",
						}),
					],
				},
				{
					billingModel: "PER_UNIT",
					billingCadence: "ONE_OFF",
					topUpCustomCurrencyId: "gold",
					pricePeriods: [monthly({ price: usd(0.01) })],
				},
			],
		});
		expect(answer).toMatchObject({ status: 200, body: { data: { pricingType: "PAID", billingId: "provider-1" } } });
		const charge = (billingModel: string, terms: object) => ({
			...blank,
			billingPeriod: "MONTHLY",
			billingModel,
			...terms,
		});
		expect(await listed(ours)).toEqual([
			charge("FLAT_FEE", { price: usd(10) }),
			charge("FLAT_FEE", { price: usd(100), billingPeriod: "ANNUALLY" }),
			charge("FLAT_FEE", { price: { amount: 9, currency: "eur" }, billingCountryCode: "DE" }),
			charge("PER_UNIT", {
				featureId: "seats",
				minUnitQuantity: 1,
				maxUnitQuantity: 50,
				tiersMode: "GRADUATED",
				tiers: [
					{ upTo: 5, unitPrice: usd(20), flatPrice: usd(10) },
					{ upTo: 10, unitPrice: usd(15), flatPrice: null },
					{ upTo: null, unitPrice: null, flatPrice: usd(5) },
				],
			}),
			charge("USAGE_BASED", { featureId: "calls", price: usd(0.00025), blockSize: 1000 }),
			charge("CREDIT_BASED", {
				featureId: "calls",
				creditRate: { amount: 0.5, currencyId: "gold", costFormula: "tokens / 1000" },
				creditGrantCadence: "MONTHLY",
			}),
			charge("PER_UNIT", { billingCadence: "ONE_OFF", topUpCustomCurrencyId: "gold", price: usd(0.01) }),
			charge("MINIMUM_SPEND", { price: usd(50) }),
		]);
	});

	test("prices are kept exactly as written", async () => {
		const ours = await catalogue();
		await set(ours, paid(flat(0.1), usage({}, { price: usd(0.00001) })));
		const prices = ours.doors.read(ours.actor, (work) =>
			chargesOf(work, getShownVersion(work, "PLAN", "pro").id).map(({ price }) => price?.amount),
		);
		expect(prices as unknown[]).toEqual(["0.1", "0.00001"]);
	});

	test("what is sent takes the place of all that was there, and frees what it priced", async () => {
		const ours = await catalogue();
		await set(ours, paid(flat(10), perUnit({})));
		await set(ours, paid(flat(20)));
		expect(await listed(ours)).toMatchObject([{ price: usd(20) }]);
		await set(ours, { pricingType: "FREE" });
		expect(await listed(ours)).toEqual([]);
		expect((await ours.call("GET", "/plans/pro")).body.data.pricingType).toBe("FREE");
	});

	test("display data and charges change together or not at all", async () => {
		const ours = await catalogue();
		const body = { displayName: "Changed", charges: paid(perUnit({ featureId: "none" })) };
		isRefusal(await ours.call("PATCH", "/plans/pro", { body }), 404, "FeatureNotFound", "'none'");
		expect((await ours.call("GET", "/plans/pro")).body.data).toMatchObject({ displayName: "pro", pricingType: null });
	});

	test("pages both ways", async () => {
		const ours = await catalogue();
		await set(ours, paid(flat(1, annually({ price: usd(2) })), perUnit({})));
		const first = await ours.call("GET", "/plans/pro/charges?limit=2");
		expect(first.body.data).toMatchObject([{ billingModel: "PER_UNIT" }, { price: usd(2) }]);
		const second = await ours.call("GET", `/plans/pro/charges?limit=2&after=${first.body.pagination.next}`);
		expect(second.body.data).toMatchObject([{ price: usd(1) }]);
		const back = await ours.call("GET", `/plans/pro/charges?limit=2&before=${second.body.pagination.prev}`);
		expect(back.body.data).toEqual(first.body.data);
		isRefusal(
			await ours.call("GET", `/plans/pro/overage-charges?after=${first.body.pagination.next}`),
			400,
			"BadUserInput",
		);
	});

	/** What is refused leaves nothing behind, so all refusals are asked of one catalogue. */
	let ours: World;
	beforeAll(async () => {
		ours = await catalogue();
		await set(ours, paid(flat(7)));
	});

	const at = (model: number, period?: number) =>
		`charges.pricingModels[${model}]${period === undefined ? "" : `.pricePeriods[${period}]`}`;
	const tiers = (...list: object[]) => paid(flat(), perUnit({ tiersMode: "VOLUME" }, { tiers: list }));
	const open = { unitPrice: usd(1) };
	test.each([
		["no pricing type", { pricingModels: [flat()] }, 400, "BadUserInput", "pricingType"],
		["an unknown model", paid({ ...flat(), billingModel: "BARTER" }), 400, "BadUserInput", "/billingModel"],
		["no price period", paid({ ...flat(), pricePeriods: [] }), 400, "BadUserInput", "/pricePeriods"],
		[
			"an unknown period",
			paid({ ...flat(), pricePeriods: [{ billingPeriod: "WEEKLY" }] }),
			400,
			"BadUserInput",
			"/billingPeriod",
		],
		["an unknown key", paid({ ...flat(), discount: 1 }), 400, "BadUserInput", "discount"],
		["a price in quotes", paid(flat("10" as never)), 400, "BadUserInput", "/price/amount"],
		["a price below nothing", paid(flat(-1)), 400, "BadUserInput", "/price/amount"],
		[
			"a country in small letters",
			paid(flat(1, monthly({ price: usd(1), billingCountryCode: "de" }))),
			400,
			"BadUserInput",
			"/billingCountryCode",
		],
		[
			"more units than the contract has",
			paid(perUnit({ maxUnitQuantity: 1_000_000 })),
			400,
			"BadUserInput",
			"/maxUnitQuantity",
		],
		[
			"a credit rate of nothing",
			paid(usage({ billingModel: "CREDIT_BASED" }, { creditRate: { amount: 0, currencyId: "gold" } })),
			400,
			"BadUserInput",
			"/creditRate/amount",
		],
		["prices of a free plan", { pricingType: "FREE", pricingModels: [flat()] }, 400, "BadUserInput", "FREE"],
		[
			"a minimum of a free plan",
			{ pricingType: "FREE", minimumSpend: [{ billingPeriod: "MONTHLY", minimum: usd(1) }] },
			400,
			"BadUserInput",
			"FREE",
		],
		[
			"a flat fee without price",
			paid(flat(), { billingModel: "FLAT_FEE", pricePeriods: [annually({})] }),
			400,
			"BadUserInput",
			`${at(1, 0)}: FLAT_FEE needs 'price'`,
		],
		[
			"a flat fee of a feature",
			paid({ ...flat(), featureId: "calls" }),
			400,
			"BadUserInput",
			`${at(0)}: FLAT_FEE counts no feature`,
		],
		[
			"a flat fee in blocks",
			paid({ billingModel: "FLAT_FEE", pricePeriods: [monthly({ price: usd(1), blockSize: 2 })] }),
			400,
			"BadUserInput",
			at(0, 0),
		],
		[
			"units of no feature",
			paid(perUnit({ featureId: undefined })),
			400,
			"BadUserInput",
			`${at(0)}: PER_UNIT needs 'featureId'`,
		],
		["units without price", paid(perUnit({}, {})), 400, "BadUserInput", "exactly one of 'price' and 'tiers'"],
		[
			"units with price and tiers",
			paid(perUnit({ tiersMode: "VOLUME" }, { price: usd(1), tiers: [open] })),
			400,
			"BadUserInput",
			at(0, 0),
		],
		["tiers without a mode", paid(perUnit({}, { tiers: [open] })), 400, "BadUserInput", "tiersMode"],
		["a mode without tiers", paid(perUnit({ tiersMode: "VOLUME" })), 400, "BadUserInput", "'tiers'"],
		[
			"tiers in blocks",
			paid(perUnit({ tiersMode: "VOLUME" }, { tiers: [open], blockSize: 5 })),
			400,
			"BadUserInput",
			"blockSize",
		],
		["a closed last tier", tiers({ upTo: 5, ...open }), 400, "BadUserInput", `${at(1, 0)}.tiers[0]`],
		["an open tier before the last", tiers(open, open), 400, "BadUserInput", `${at(1, 0)}.tiers[0]`],
		[
			"tiers that fall",
			tiers({ upTo: 5, ...open }, { upTo: 5, ...open }, open),
			400,
			"BadUserInput",
			`${at(1, 0)}.tiers[1]: 'upTo' 5`,
		],
		["a tier up to nothing", tiers({ upTo: 0, ...open }, open), 400, "BadUserInput", `${at(1, 0)}.tiers[0]`],
		["a tier without price", tiers({ upTo: 5 }, open), 400, "BadUserInput", `${at(1, 0)}.tiers[0]: a tier needs`],
		["no tiers at all", tiers(), 400, "BadUserInput", "/tiers"],
		[
			"tiers that differ by period",
			paid(
				perUnit({
					tiersMode: "VOLUME",
					pricePeriods: [monthly({ tiers: [open] }), annually({ tiers: [{ upTo: 1, ...open }, open] })],
				}),
			),
			400,
			"BadUserInput",
			`${at(0, 1)}: the bounds`,
		],
		[
			"fewer at most than at least",
			paid(perUnit({ minUnitQuantity: 5, maxUnitQuantity: 4 })),
			400,
			"BadUserInput",
			"'minUnitQuantity' 5",
		],
		["units at least of usage", paid(usage({ minUnitQuantity: 5 })), 400, "BadUserInput", "PER_UNIT"],
		["usage paid once", paid(usage({ billingCadence: "ONE_OFF" })), 400, "BadUserInput", "ONE_OFF"],
		["credits without a rate", paid(usage({ billingModel: "CREDIT_BASED" }, {})), 400, "BadUserInput", "creditRate"],
		[
			"credits with a price",
			paid(usage({ billingModel: "CREDIT_BASED" }, { price: usd(1), creditRate: { amount: 1, currencyId: "gold" } })),
			400,
			"BadUserInput",
			"paid in credits",
		],
		[
			"a rate of money",
			paid(usage({}, { price: usd(1), creditRate: { amount: 1, currencyId: "gold" } })),
			400,
			"BadUserInput",
			"CREDIT_BASED",
		],
		[
			"the same price twice",
			paid(flat(), flat(20)),
			400,
			"BadUserInput",
			`${at(1, 0)}: prices the same as ${at(0, 0)}`,
		],
		[
			"a minimum twice",
			{
				pricingType: "PAID",
				minimumSpend: [
					{ billingPeriod: "MONTHLY", minimum: usd(1) },
					{ billingPeriod: "MONTHLY", minimum: usd(2) },
				],
			},
			400,
			"BadUserInput",
			"charges.minimumSpend[1]",
		],
		[
			"two currencies",
			paid(flat(), perUnit({}, { price: { amount: 1, currency: "eur" } })),
			400,
			"BadUserInput",
			`${at(1, 0)}: is in 'eur'`,
		],
		[
			"a country without a default",
			paid({ billingModel: "FLAT_FEE", pricePeriods: [monthly({ price: usd(1), billingCountryCode: "DE" })] }),
			400,
			"BadUserInput",
			"'DE'",
		],
		["more than a trillion", paid(flat(1e12 + 1)), 400, "AmountTooLarge", `${at(0, 0)}.price`],
		["an unknown feature", paid(perUnit({ featureId: "none" })), 404, "FeatureNotFound", "'none'"],
		[
			"an unknown currency",
			paid(usage({ billingModel: "CREDIT_BASED" }, { creditRate: { amount: 1, currencyId: "silver" } })),
			404,
			"CustomCurrencyNotFound",
			"'silver'",
		],
		[
			"top-ups of an unknown currency",
			paid(perUnit({ featureId: undefined, topUpCustomCurrencyId: "silver" })),
			404,
			"CustomCurrencyNotFound",
			"'silver'",
		],
		["units of a boolean", paid(perUnit({ featureId: "sso" })), 400, "UnsupportedFeatureType", `${at(0)}: PER_UNIT`],
		["usage of a setting", paid(usage({ featureId: "depth" })), 400, "MeteringNotAvailableForFeatureType", "'depth'"],
		[
			"a reset that does not fit",
			paid(usage({ resetPeriod: "DAY", monthlyResetPeriodConfiguration: { accordingTo: "StartOfTheMonth" } })),
			400,
			"InvalidEntitlementResetPeriod",
			at(0),
		],
	] as const)("refuses %s, and keeps what was there", async (_, charges, status, code, message) => {
		isRefusal(await set(ours, charges), status, code, message);
		expect(await listed(ours)).toMatchObject([{ price: usd(7) }]);
	});
});

describe("overage", () => {
	const over = (terms: object, period: object = { price: usd(0.5), blockSize: 10 }) => ({
		billingModel: "USAGE_BASED",
		pricePeriods: [monthly(period)],
		...terms,
	});
	let ours: World;
	beforeAll(async () => {
		ours = await catalogue();
	});
	const withOver = (...overagePricingModels: object[]) => ({ ...paid(flat()), overagePricingModels });

	test("makes or softens the entitlement whose limit it begins at", async () => {
		const ours = await catalogue();
		await maker(ours).entitle("/plans/pro", { type: "FEATURE", id: "calls", usageLimit: 100, resetPeriod: "MONTH" });
		const seats = { featureId: "seats", usageLimit: 5 };
		const answer = await set(ours, {
			...withOver(over({ featureId: "calls" }), over({ entitlement: seats })),
			overageBillingPeriod: "MONTHLY",
		});
		expect(answer.status).toBe(200);
		expect(await listed(ours, "/plans/pro/overage-charges")).toMatchObject([
			{ ...blank, billingModel: "USAGE_BASED", featureId: "calls", price: usd(0.5), blockSize: 10 },
			{ featureId: "seats" },
		]);
		expect(await listed(ours)).toHaveLength(1);
		expect((await ours.call("GET", "/plans/pro/entitlements")).body.data).toMatchObject([
			{ id: "calls", usageLimit: 100, hasSoftLimit: true, resetPeriod: "MONTH" },
			{ id: "seats", usageLimit: 5, hasSoftLimit: true },
		]);
	});

	test("of credits begins where the plan's grant ends, or brings the grant along", async () => {
		const ours = await catalogue();
		const gold = over({ currencyId: "gold" });
		isRefusal(await set(ours, withOver(gold)), 400, "CreditOveragePriceCurrencyNotFound", "does not grant 'gold'");
		const creditEntitlement = { amount: 50, cadence: "MONTH", customCurrencyId: "gold" };
		expect((await set(ours, withOver({ ...gold, creditEntitlement }))).status).toBe(200);
		expect((await ours.call("GET", "/plans/pro/entitlements")).body.data).toMatchObject([
			{ id: "gold", type: "CREDIT", amount: 50, cadence: "MONTH", hasSoftLimit: true },
		]);
		expect((await set(ours, withOver(gold))).status).toBe(200);
	});

	test.each([
		["of nothing", over({}), 400, "BadUserInput", "exactly one"],
		["of two things", over({ featureId: "calls", currencyId: "gold" }), 400, "BadUserInput", "exactly one"],
		["paid flat", over({ featureId: "calls", billingModel: "FLAT_FEE" }), 400, "BadUserInput", "USAGE_BASED"],
		[
			"of credits paid flat",
			over({ currencyId: "gold", billingModel: "FLAT_FEE" }),
			400,
			"InvalidCreditOverageBillingModel",
			"USAGE_BASED",
		],
		["of an unknown feature", over({ featureId: "none" }), 404, "FeatureNotFound", "'none'"],
		["of an unknown currency", over({ currencyId: "silver" }), 400, "CreditOveragePriceCurrencyNotFound", "'silver'"],
		["without a limit", over({ featureId: "calls" }), 400, "OveragePriceRequiresUsageLimit", "'calls'"],
		[
			"of what has no limit",
			over({ entitlement: { featureId: "calls", hasUnlimitedUsage: true, usageLimit: 1 } }),
			400,
			"OveragePriceRequiresUsageLimit",
			"'calls'",
		],
		[
			"of two features",
			over({ featureId: "calls", entitlement: { featureId: "seats" } }),
			400,
			"BadUserInput",
			"must agree",
		],
		[
			"of two currencies",
			over({ currencyId: "gold", creditEntitlement: { amount: 1, cadence: "MONTH", customCurrencyId: "silver" } }),
			400,
			"BadUserInput",
			"must agree",
		],
		[
			"without a price",
			over({ featureId: "calls" }, {}),
			400,
			"BadUserInput",
			"charges.overagePricingModels[0].pricePeriods[0]",
		],
		["in tiers", over({ featureId: "calls" }, { tiers: [{ unitPrice: usd(1) }] }), 400, "BadUserInput", "'tiers'"],
		[
			"of a setting",
			over({ entitlement: { featureId: "depth", usageLimit: 1 } }),
			400,
			"MeteringNotAvailableForFeatureType",
			"'depth'",
		],
	] as const)("refuses overage %s, and keeps no entitlement of it", async (_, model, status, code, message) => {
		isRefusal(await set(ours, withOver(model)), status, code, message);
		expect((await ours.call("GET", "/plans/pro/entitlements")).body.data).toEqual([]);
	});
});

test("tiers are accepted exactly when they rise to one open end and each has a price", () => {
	const tier = fc.record(
		{
			upTo: fc.option(fc.integer({ min: 0, max: 6 })),
			unitPrice: fc.constant(usd(1)),
			flatPrice: fc.constant(usd(2)),
		},
		{ requiredKeys: [] },
	);
	/** Half of the lists are made to rise, so that both verdicts are common. */
	const lists = fc
		.tuple(fc.array(tier, { minLength: 1, maxLength: 4 }), fc.boolean())
		.map(([list, rising]) =>
			rising ? list.map((one, at) => ({ ...one, upTo: at === list.length - 1 ? null : (at + 1) * 2 })) : list,
		);
	let accepted = 0;
	fc.assert(
		fc.property(lists, (list) => {
			const bounds = list.map(({ upTo }) => upTo ?? Number.POSITIVE_INFINITY);
			const rises = bounds.every((bound, at) => bound > (bounds[at - 1] ?? 0));
			const endsOpen = bounds.at(-1) === Number.POSITIVE_INFINITY;
			const priced = list.every(({ unitPrice, flatPrice }) => unitPrice || flatPrice);
			const check = () =>
				assertCharges("PLAN", {
					pricingType: "PAID",
					pricingModels: [
						{
							billingModel: "PER_UNIT",
							featureId: "seats",
							tiersMode: "VOLUME",
							pricePeriods: [{ billingPeriod: "MONTHLY", tiers: list }],
						},
					],
				});
			if (!(rises && endsOpen && priced))
				return expect(check).toThrow("charges.pricingModels[0].pricePeriods[0].tiers[");
			accepted += 1;
			return expect(check).not.toThrow();
		}),
		{ numRuns: 300 },
	);
	expect(accepted).toBeGreaterThan(10);
});
