import fc from "fast-check";
import type {
	Catalogue,
	CatalogueAddon,
	CatalogueCoupon,
	CatalogueFeature,
	CataloguePlan,
} from "../../../src/areas/catalog/schema";

/** Random catalogues that the areas accept: two of them differ by what may be changed, never by what is fixed for good. */

const amounts = fc.oneof(
	fc.integer({ min: 0, max: 100_000 }).map((minor) => minor / 100),
	fc.constantFrom(0.00033, 1e-7, 0.123456789012345, 999_999_999_999),
);
/** Includes values that YAML likes to parse as another type. */
const texts = fc.oneof(
	fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }).filter((text) => text.length <= 40),
	fc.constantFrom(
		"yes",
		"null",
		"1.0",
		"~",
		"0x1F",
		"- a",
		"a: b",
		"#",
		"'",
		'"',
		"2026-01-31",
		" x ",
		"a\nb",
		"ü✦",
		"<<",
	),
);
const metadata = fc.dictionary(texts, texts, { maxKeys: 3 });
const maybe = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined });

/** Keys that came out undefined are left out, as in a file. */
const stated = <T extends object>(of: fc.Arbitrary<T>): fc.Arbitrary<T> =>
	of.map((value) => JSON.parse(JSON.stringify(value)));

const price = (currency: string) => amounts.map((amount) => ({ amount, currency }));
const blocks = fc.constantFrom(undefined, 1, 10, 2.5);

/** One model's periods: the default price, perhaps one for Germany, for one or both billing periods. */
const periods = (of: (currency: string) => fc.Arbitrary<object>) =>
	fc
		.tuple(fc.constantFrom(["MONTHLY"], ["ANNUALLY"], ["MONTHLY", "ANNUALLY"]), fc.boolean())
		.chain(([names, german]) =>
			fc.tuple(
				...names.flatMap((billingPeriod) => [
					of("usd").map((terms) => ({ billingPeriod, ...terms })),
					...(german ? [of("eur").map((terms) => ({ billingPeriod, billingCountryCode: "DE", ...terms }))] : []),
				]),
			),
		);

const flat = periods((currency) => fc.record({ price: price(currency) }));
const byUnit = periods((currency) => fc.record({ price: price(currency), blockSize: blocks }));
const tiered = fc
	.uniqueArray(fc.integer({ min: 1, max: 1000 }), { maxLength: 3 })
	.chain((bounds) =>
		periods((currency) =>
			fc
				.tuple(
					...[...bounds.sort((one, other) => one - other), null].map((upTo) =>
						fc.record({ upTo: fc.constant(upTo), unitPrice: price(currency), flatPrice: maybe(price(currency)) }),
					),
				)
				.map((tiers) => ({ tiers })),
		),
	);
const units = (billingModel: string, featureId: string) =>
	fc.oneof(
		byUnit.map((pricePeriods) => ({ billingModel, featureId, pricePeriods })),
		fc
			.tuple(fc.constantFrom("VOLUME", "GRADUATED"), tiered)
			.map(([tiersMode, pricePeriods]) => ({ billingModel, featureId, tiersMode, pricePeriods })),
	);
const credits = periods(() =>
	fc.record({ creditRate: fc.record({ amount: fc.constantFrom(1, 0.25), currencyId: fc.constantFrom("c0", "c1") }) }),
);

const models = fc
	.tuple(
		flat.map((pricePeriods) => ({ billingModel: "FLAT_FEE", pricePeriods })),
		maybe(flat.map((pricePeriods) => ({ billingModel: "FLAT_FEE", billingCadence: "ONE_OFF", pricePeriods }))),
		maybe(units("PER_UNIT", "seats")),
		maybe(units("USAGE_BASED", "calls")),
		maybe(credits.map((pricePeriods) => ({ billingModel: "CREDIT_BASED", featureId: "calls", pricePeriods }))),
		maybe(byUnit.map((pricePeriods) => ({ billingModel: "PER_UNIT", topUpCustomCurrencyId: "c0", pricePeriods }))),
	)
	.map((list) => list.filter((model) => model !== undefined));

const priced = fc.record({
	pricingType: fc.constantFrom("PAID", "CUSTOM"),
	pricingModels: models,
	minimumSpend: maybe(
		fc
			.uniqueArray(fc.constantFrom("MONTHLY", "ANNUALLY"), { minLength: 1 })
			.chain((names) =>
				fc.tuple(...names.map((billingPeriod) => price("usd").map((minimum) => ({ billingPeriod, minimum })))),
			),
	),
});
/** Pay as you go is by the month, and units are sold by a billing period that the fee, which comes first, is for too. */
const paid = priced.map((charges) => {
	const isFor = (model: object, period: string) => JSON.stringify(model).includes(period);
	const [fee = {}] = charges.pricingModels;
	const kept = charges.pricingModels.filter((model) => {
		if (model.billingModel === "USAGE_BASED") return !isFor(model, "ANNUALLY");
		const isSeats = model.billingModel === "PER_UNIT" && "featureId" in model;
		return !isSeats || ["MONTHLY", "ANNUALLY"].some((period) => isFor(model, period) && isFor(fee, period));
	});
	return { ...charges, pricingModels: kept };
});

/** A charge beyond a limit is billed monthly, or yearly if everything else has yearly prices too. */
const isBilledWith = ({ pricingModels }: { readonly pricingModels: readonly object[] }, beyond: object): boolean =>
	JSON.stringify(beyond).includes('"billingPeriod":"MONTHLY"') ||
	pricingModels
		.filter((model) => "billingModel" in model && ["FLAT_FEE", "PER_UNIT"].includes(String(model.billingModel)))
		.every((model) => JSON.stringify(model).includes("ANNUALLY"));

const overage = fc.record({
	overagePricingModels: byUnit.map((pricePeriods) => [
		{
			billingModel: "USAGE_BASED",
			featureId: "calls",
			entitlement: { featureId: "calls", usageLimit: 10, hasUnlimitedUsage: false },
			pricePeriods,
		},
	]),
	overageBillingPeriod: fc.constantFrom(undefined, "ON_SUBSCRIPTION_RENEWAL", "MONTHLY"),
});

const display = {
	description: maybe(texts),
	displayNameOverride: maybe(texts),
	hiddenFromWidgets: maybe(fc.uniqueArray(fc.constantFrom("PAYWALL", "CUSTOMER_PORTAL", "CHECKOUT"))),
	isCustom: maybe(fc.boolean()),
	isGranted: maybe(fc.boolean()),
	order: maybe(fc.constantFrom(0, -0, 1.5, -3)),
};
const resets = fc.constantFrom(
	{},
	{ resetPeriod: "HOUR" },
	{ resetPeriod: "YEAR", yearlyResetPeriodConfiguration: { accordingTo: "SubscriptionStart" } },
	{ resetPeriod: "MONTH", monthlyResetPeriodConfiguration: { accordingTo: "StartOfTheMonth" } },
	{ resetPeriod: "MONTH", weeklyResetPeriodConfiguration: null },
	{ resetPeriod: "WEEK", weeklyResetPeriodConfiguration: { accordingTo: "EveryFriday" } },
);
const limits = fc.record({
	usageLimit: maybe(fc.nat(1000)),
	hasUnlimitedUsage: maybe(fc.boolean()),
	hasSoftLimit: maybe(fc.boolean()),
});
const entitled = (type: string, id: string, more: fc.Arbitrary<object>) =>
	maybe(fc.tuple(fc.record(display), more).map(([shown, terms]) => ({ type, id, ...shown, ...terms })));
const entitlements = fc
	.tuple(
		entitled("FEATURE", "sso", fc.constant({})),
		entitled("FEATURE", "depth", limits),
		entitled(
			"FEATURE",
			"calls",
			fc.tuple(limits, resets).map(([limit, reset]) => ({ ...limit, ...reset })),
		),
		entitled("FEATURE", "seats", limits),
		entitled("FEATURE", "region", fc.record({ enumValues: maybe(fc.uniqueArray(fc.constantFrom("eu", "us"))) })),
		entitled(
			"CREDIT",
			"c1",
			fc.record({
				amount: fc.option(fc.nat(1000)),
				cadence: fc.constantFrom("MONTH", "YEAR"),
				dependencyFeatureId: fc.constantFrom(undefined, "seats"),
				hasSoftLimit: maybe(fc.boolean()),
			}),
		),
	)
	.map((list) => list.filter((entitlement) => entitlement !== undefined));

const sold = (id: string) => ({
	id: fc.constant(id),
	productId: fc.constant("app"),
	displayName: texts,
	description: maybe(texts),
	billingId: maybe(texts),
	metadata: maybe(metadata),
	entitlements: maybe(entitlements),
});

const addon = (id: string): fc.Arbitrary<CatalogueAddon> =>
	stated(
		fc.record({
			...sold(id),
			maxQuantity: maybe(fc.integer({ min: 1, max: 9 })),
			dependencies: id === "a1" ? maybe(fc.constantFrom(["a0"], [])) : fc.constant(undefined),
			charges: paid,
		}),
	) as fc.Arbitrary<CatalogueAddon>;

/** Based on a plan with a lower number, if on any. */
const plan = (id: string, bases: readonly string[]): fc.Arbitrary<CataloguePlan> =>
	stated(
		fc.record({
			...sold(id),
			parentPlanId: fc.constantFrom(undefined, ...bases),
			compatibleAddonIds: fc.constantFrom(undefined, null, [], ["a1"], ["a1", "a0"]),
			defaultTrialConfig: fc.constantFrom(
				undefined,
				null,
				{ duration: 14, units: "DAY" },
				{
					duration: 1,
					units: "MONTH",
					budget: { limit: 12.5, hasSoftLimit: false },
					trialEndBehavior: "CONVERT_TO_PAID",
				},
			),
			charges: fc.oneof(
				fc.constant({ pricingType: "FREE" }),
				paid,
				fc.tuple(paid, overage).map(([own, beyond]) => (isBilledWith(own, beyond) ? { ...own, ...beyond } : own)),
			),
		}),
	) as fc.Arbitrary<CataloguePlan>;

const feature = (id: string, more: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<CatalogueFeature> =>
	stated(
		fc.record({
			id: fc.constant(id),
			displayName: texts,
			description: maybe(texts),
			metadata: maybe(metadata),
			...more,
		}),
	) as fc.Arbitrary<CatalogueFeature>;

const meter = fc.record({
	aggregation: fc.constantFrom(
		{ function: "COUNT" },
		{ function: "SUM", field: "n" },
		{ function: "COUNT", field: "n" },
	),
	filters: fc.constantFrom([], [{ conditions: [{ field: "eventName", operation: "IN", values: ["b", "a"] }] }]),
});

const coupon = (id: string, terms: object): fc.Arbitrary<CatalogueCoupon> =>
	stated(
		fc
			.record({ id: fc.constant(id), name: texts, description: maybe(texts), metadata: maybe(metadata) })
			.map((entry) => ({ ...entry, ...terms })),
	) as fc.Arbitrary<CatalogueCoupon>;

export const catalogues = fc.record({
	version: fc.constant(1 as const),
	products: fc.tuple(
		stated(
			fc.record({
				id: fc.constant("app"),
				displayName: texts,
				description: maybe(texts),
				metadata: maybe(metadata),
				multipleSubscriptions: maybe(fc.boolean()),
				usageResetCutoffRule: fc.constantFrom(
					undefined,
					{ behavior: "NEVER_RESET" as const },
					{ behavior: "ALWAYS_RESET" as const },
				),
				portalSettings: maybe(
					fc.record(
						{
							changePlan: fc.boolean(),
							changeQuantities: fc.boolean(),
							changeAddons: fc.boolean(),
							cancel: fc.boolean(),
						},
						{ requiredKeys: [] },
					),
				),
				productSettings: fc.constantFrom(undefined, {
					subscriptionStartSetup: "FREE_PLAN" as const,
					subscriptionStartPlanId: "p0",
					subscriptionEndSetup: "CANCEL_SUBSCRIPTION" as const,
					subscriptionCancellationTime: "IMMEDIATE" as const,
				}),
			}),
		),
	),
	currencies: fc.tuple(
		...["c0", "c1"].map((id) =>
			stated(fc.record({ id: fc.constant(id), displayName: texts, symbol: maybe(texts), metadata: maybe(metadata) })),
		),
	),
	features: fc.tuple(
		feature("sso", { featureType: fc.constant("BOOLEAN") }),
		feature("depth", { featureType: fc.constant("NUMBER") }),
		feature("calls", {
			featureType: fc.constant("NUMBER"),
			meterType: fc.constant("INCREMENTAL"),
			meter,
			unitTransformation: fc.constantFrom(
				undefined,
				null,
				{ divide: 1000 },
				{ divide: 0.5, round: "DOWN", featureUnits: "k" },
			),
		}),
		feature("seats", { featureType: fc.constant("NUMBER"), meterType: fc.constant("FLUCTUATING") }),
		feature("region", {
			featureType: fc.constant("ENUM"),
			enumConfiguration: fc.tuple(texts, texts, fc.boolean()).map(([eu, us, turned]) => {
				const values = [
					{ value: "eu", displayName: eu },
					{ value: "us", displayName: us },
				];
				return turned ? values.reverse() : values;
			}),
		}),
	),
	addons: fc.tuple(addon("a0"), addon("a1")),
	plans: fc.tuple(plan("p0", []), plan("p1", ["p0"]), plan("p2", ["p0", "p1"])),
	coupons: fc.tuple(
		coupon("percent", { percentOff: 12.5 }),
		coupon("fixed", {
			amountsOff: [
				{ amount: 5, currency: "usd" },
				{ amount: 4.5, currency: "eur" },
			],
			durationInMonths: 3,
		}),
	),
}) as fc.Arbitrary<Catalogue>;

/** The same catalogue written the other way round: its lists backwards, its keys too. */
export function turned(catalogue: Catalogue): Catalogue {
	const lists = new Set([
		"products",
		"currencies",
		"features",
		"addons",
		"plans",
		"coupons",
		"entitlements",
		"pricingModels",
		"pricePeriods",
		"amountsOff",
		"compatibleAddonIds",
		"enumValues",
	]);
	const turn = (value: unknown, key: string): unknown => {
		if (Array.isArray(value)) {
			const items = value.map((item) => turn(item, ""));
			return lists.has(key) ? items.reverse() : items;
		}
		if (typeof value !== "object" || value === null) return value;
		return Object.fromEntries(
			Object.entries(value)
				.reverse()
				.map(([name, inner]) => [name, turn(inner, name)]),
		);
	};
	return turn(catalogue, "") as Catalogue;
}
