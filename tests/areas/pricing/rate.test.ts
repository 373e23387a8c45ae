import { describe, expect, test } from "bun:test";
import {
	chargesFor,
	chooseBillingPeriod,
	currencyOf,
	type OfferedCharge,
} from "../../../src/areas/pricing/choice/price";
import { assertPurchasable, type PricedCharge, rateCharge } from "../../../src/areas/pricing/models/charge";
import { type ChargeItem, rateInvoice } from "../../../src/areas/pricing/rate";
import type { BillingPeriod } from "../../../src/areas/pricing/rules.billing-period";
import { charge, decimal, refusalOf, usd } from "./samples";

const tiers = [
	{ upTo: decimal(5), unitPrice: usd(20), flatPrice: usd(10) },
	{ upTo: decimal(10), unitPrice: usd(15), flatPrice: usd(8) },
	{ upTo: null, unitPrice: usd(10), flatPrice: usd(5) },
];

const codeOf = (body: () => unknown): string | undefined => refusalOf(body)?.code;

describe("a charge", () => {
	test.each([
		["a flat fee", { price: usd(49.99) }, 1, "49.99"],
		["an addon's flat fee, held three times", { price: usd(5) }, 3, "15"],
		["units", { billingModel: "PER_UNIT", price: usd(1.25) }, 8, "10"],
		["units in blocks of ten", { billingModel: "PER_UNIT", price: usd(9), blockSize: decimal(10) }, 21, "27"],
		[
			"a block of one, and a half unit used",
			{ billingModel: "USAGE_BASED", price: usd(9), blockSize: decimal(1) },
			1.5,
			"18",
		],
		["usage at five decimals", { billingModel: "USAGE_BASED", price: usd(0.00012) }, 1_234_567, "148.14804"],
		["graduated tiers", { billingModel: "USAGE_BASED", tiersMode: "GRADUATED", tiers }, 20, "298"],
		["volume tiers", { billingModel: "PER_UNIT", tiersMode: "VOLUME", tiers }, 20, "205"],
		["tiers of unknown mode are graduated", { billingModel: "USAGE_BASED", tiers }, 20, "298"],
		["tiers over blocks", { billingModel: "USAGE_BASED", tiersMode: "VOLUME", tiers, blockSize: decimal(8) }, 9, "165"],
		["a minimum spend counts nothing", { billingModel: "MINIMUM_SPEND", price: usd(100) }, 7, "100"],
		["credits sold by the unit", { billingModel: "CREDIT_BASED", price: usd(0.1) }, 250, "25"],
	] as Array<[string, Partial<PricedCharge>, number, string]>)("%s", (_, values, quantity, amount) => {
		expect(rateCharge(charge(values), decimal(quantity)).amount.toFixed()).toBe(amount);
	});

	test.each([
		[1, {}, undefined],
		[999_999, {}, undefined],
		[0, {}, "InvalidQuantity"],
		[0, { minUnitQuantity: 0 }, undefined],
		[1_000_000, {}, "InvalidQuantity"],
		[1.5, {}, "InvalidQuantity"],
		[4, { minUnitQuantity: 5 }, "InvalidQuantity"],
		[5, { minUnitQuantity: 5, maxUnitQuantity: 5 }, undefined],
		[6, { maxUnitQuantity: 5 }, "InvalidQuantity"],
	])("buying %p units, case %#", (quantity, bounds, code) => {
		const terms = { minUnitQuantity: null, maxUnitQuantity: null, ...bounds };
		expect(codeOf(() => assertPurchasable(terms, decimal(quantity)))).toBe(code);
		expect(
			codeOf(() => rateCharge(charge({ billingModel: "PER_UNIT", price: usd(1), ...terms }), decimal(quantity))),
		).toBe(code);
	});
});

const offered = (values: Partial<OfferedCharge>): OfferedCharge => ({
	...charge({ price: usd(10) }),
	isOverage: false,
	billingCadence: "RECURRING",
	billingPeriod: "MONTHLY",
	billingCountryCode: null,
	featureId: null,
	overageCurrencyId: null,
	topUpCurrencyId: null,
	creditCurrencyId: null,
	...values,
});

describe("the choice of prices", () => {
	const base = offered({});
	const yearly = offered({ billingPeriod: "ANNUALLY", price: usd(100) });
	const german = offered({ billingCountryCode: "DE", price: usd(9, "eur") });
	const seats = offered({ billingModel: "PER_UNIT", featureId: "seats" });

	test.each([
		["the default", "MONTHLY", null, [base, seats]],
		["a country's own price replaces the default, the rest keeps it", "MONTHLY", "DE", [german, seats]],
		["a country without one uses the default", "MONTHLY", "FR", [base, seats]],
		["the other period", "ANNUALLY", "DE", [yearly]],
	] as const)("%s", (_, period, country, expected) => {
		for (const rows of [
			[base, yearly, german, seats],
			[seats, german, yearly, base],
		])
			expect(new Set(chargesFor(rows, period, country))).toEqual(new Set(expected));
	});

	test.each([
		["the only one", [base, seats], undefined, "MONTHLY"],
		["the one asked for", [base, yearly], "ANNUALLY", "ANNUALLY"],
		["none where nothing is priced", [], undefined, null],
		["overage alone offers none", [offered({ isOverage: true })], undefined, null],
	] as Array<[string, OfferedCharge[], BillingPeriod | undefined, BillingPeriod | null]>)(
		"the period: %s",
		(_, rows, asked, period) => {
			expect(chooseBillingPeriod(rows, asked)).toBe(period);
		},
	);

	test("an ambiguous or missing period is refused, not guessed", () => {
		expect(codeOf(() => chooseBillingPeriod([base, yearly], undefined))).toBe("BillingPeriodMissingError");
		expect(codeOf(() => chooseBillingPeriod([base], "ANNUALLY"))).toBe("BillingPeriodMissingError");
	});

	test("prices of two currencies do not mix", () => {
		expect(currencyOf([base, seats])).toBe("usd");
		expect(currencyOf([charge({ billingModel: "CREDIT_BASED" })])).toBeUndefined();
		expect(currencyOf([charge({ tiers: [{ upTo: null, unitPrice: null, flatPrice: usd(1, "gbp") }] })])).toBe("gbp");
		expect(codeOf(() => currencyOf([base, german]))).toBe("InvalidArgumentError");
	});
});

describe("an invoice", () => {
	const item = (values: Partial<ChargeItem>): ChargeItem => ({
		charge: charge({ price: usd(100) }),
		quantity: decimal(1),
		description: "Pro",
		...values,
	});
	const seats = charge({ billingModel: "PER_UNIT", price: usd(10) });

	test("rates, prorates, discounts, taxes and sums", () => {
		const invoice = rateInvoice({
			currency: "usd",
			coupon: { percentOff: decimal(10), amountsOff: null },
			taxPercentage: decimal(20),
			items: [
				item({ productRefId: "product" }),
				item({
					description: "Seats",
					charge: seats,
					quantity: decimal(3),
					featureRefId: "seats",
					share: { partMs: 1, wholeMs: 3 },
				}),
				item({ description: "Unused", share: { partMs: 1, wholeMs: 3 }, isCredit: true }),
			],
		});
		expect(
			invoice.lines.map(({ kind, quantity, unitPrice, amount, discount, tax, total }) =>
				[kind, quantity, unitPrice, amount, discount, tax, total].map(String),
			),
		).toEqual([
			["BaseCharge", "1", "100", "100", "10", "18", "108"],
			["InAdvanceCommitmentCharge", "3", "10", "10", "1", "1.8", "10.8"],
			["BaseCharge", "1", "100", "-33.33", "-3.33", "-6", "-36"],
		]);
		expect([invoice.subTotal, invoice.discount, invoice.tax, invoice.total].map(String)).toEqual([
			"76.67",
			"7.67",
			"13.8",
			"82.8",
		]);
		expect(invoice.lines[0]).toMatchObject({
			productRefId: "product",
			featureRefId: null,
			addonRefId: null,
			period: null,
		});
	});

	test.each([
		["BaseCharge", item({})],
		["ZeroAmountBaseCharge", item({ charge: charge({ price: usd(0) }) })],
		["AddonCharge", item({ isAddon: true })],
		["AddonCharge", item({ charge: seats, isAddon: true })],
		["InAdvanceCommitmentCharge", item({ charge: seats })],
		["PayAsYouGoCharge", item({ charge: charge({ billingModel: "USAGE_BASED", price: usd(1) }) })],
		["OverageCharge", item({ charge: { ...charge({ billingModel: "USAGE_BASED", price: usd(1) }), isOverage: true } })],
		["MinimumSpendCharge", item({ charge: charge({ billingModel: "MINIMUM_SPEND", price: usd(1) }) })],
		["Other", item({ kind: "Other" })],
	] as const)("the kind %s", (kind, given) => {
		expect(rateInvoice({ currency: "usd", items: [given] }).lines.map((line) => String(line.kind))).toEqual([kind]);
	});

	test("prices in credits alone make no line; another currency is refused", () => {
		const credits = item({ charge: charge({ billingModel: "CREDIT_BASED" }) });
		expect(rateInvoice({ currency: "usd", items: [credits] })).toMatchObject({ lines: [], total: decimal(0) });
		expect(codeOf(() => rateInvoice({ currency: "eur", items: [item({})] }))).toBe("InvalidArgumentError");
	});
});
