import { beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { assertCharges } from "../../../../src/areas/packages/charges/rules";
import type { World } from "../../../support/world";
import { catalogue } from "../catalogue";
import { isRefusal } from "../guards";
import { annually, flat, listed, monthly, paid, perUnit, set, usage, usd } from "../prices";

describe("charges of a draft", () => {
	/** Refusals leave no trace, so all refusals share one catalogue. */
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
			paid({ ...flat(), pricePeriods: [{ billingPeriod: "FORTNIGHTLY" }] }),
			400,
			"BadUserInput",
			"/billingPeriod",
		],
		["an unknown key", paid({ ...flat(), discount: 1 }), 400, "BadUserInput", "discount"],
		["a price in words", paid(flat("ten" as never)), 400, "BadUserInput", "/price/amount"],
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
		[
			"usage by the year",
			paid(usage({ pricePeriods: [annually({ price: usd(1) })] })),
			400,
			"BadUserInput",
			`${at(0, 0)}: is ANNUALLY`,
		],
		["usage paid once", paid(usage({ billingCadence: "ONE_OFF" })), 400, "BadUserInput", "ONE_OFF"],
		[
			"a cost formula that is none",
			paid(
				usage(
					{ billingModel: "CREDIT_BASED" },
					{ creditRate: { amount: 1, currencyId: "gold", costFormula: "tokens *" } },
				),
			),
			400,
			"BadUserInput",
			"creditRate.costFormula",
		],
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
		["usage by the day", paid(usage({ resetPeriod: "DAY" })), 400, "InvalidEntitlementResetPeriod", at(0)],
		[
			"usage by the calendar's month",
			paid(usage({ resetPeriod: "MONTH", monthlyResetPeriodConfiguration: { accordingTo: "StartOfTheMonth" } })),
			400,
			"InvalidEntitlementResetPeriod",
			at(0),
		],
		["a reset of seats", paid(perUnit({ resetPeriod: "MONTH" })), 400, "InvalidEntitlementResetPeriod", at(0)],
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
