import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { chooseCountry } from "../../../../src/areas/pricing/choice/country";
import { chooseCurrency, offeredCurrency } from "../../../../src/areas/pricing/choice/currency";
import { chargesFor, type OfferedCharge } from "../../../../src/areas/pricing/choice/price";
import { toDecimal } from "../../../../src/kernel/decimal";

// The oracle works on plain rows and tries every row for every thing; it uses nothing of the judged code.

type Period = "MONTHLY" | "ANNUALLY";

interface Row {
	readonly thing: string;
	readonly kind: "fee" | "usage" | "setup";
	readonly period: Period;
	readonly country: string | null;
	readonly currency: string;
	readonly amount: number;
}

interface Sale {
	readonly lists: readonly (readonly Row[])[];
	readonly period: Period;
	readonly named: readonly string[];
	readonly address: string | null;
	readonly payer: string | null;
	readonly former: string | null;
	readonly requested: string | null;
}

const currencies = ["usd", "eur", "gbp"];
const countries = ["DE", "IN"];

/** Returns the row of a thing that is sold in a country, in a currency or (null) in any; undefined if it has none. */
function soldRow(rows: readonly Row[], sale: Sale, country: string | null, currency: string | null): Row | undefined {
	for (const period of sale.period === "MONTHLY" ? ["MONTHLY"] : ["ANNUALLY", "MONTHLY"])
		for (const place of [country, null])
			for (const row of rows) {
				const isShorter = period !== sale.period;
				if (row.period !== period || row.country !== place || (isShorter && row.kind !== "usage")) continue;
				if (currency === null || row.currency === currency) return row;
			}
	return undefined;
}

/** The things of each package that have a price in the country for the period. */
const thingsOf = (sale: Sale, country: string | null): Row[][][] =>
	sale.lists.map((list) =>
		[...new Set(list.map(({ thing }) => thing))]
			.map((thing) => list.filter((row) => row.thing === thing))
			.filter((rows) => soldRow(rows, sale, country, null)),
	);

const decisiveOf = (things: Row[][]): Row[][] => {
	const recurring = things.filter(([row]) => row?.kind !== "setup");
	return recurring.length > 0 ? recurring : things;
};

function isChoice(sale: Sale, country: string | null): boolean {
	for (const things of thingsOf(sale, country))
		for (const rows of things)
			for (const one of rows)
				for (const other of rows) {
					const isReached = [one, other].every(
						(row) =>
							[country, null].includes(row.country) &&
							(row.period === sale.period || (row.kind === "usage" && row.period === "MONTHLY")),
					);
					const isSamePlace = one.country === other.country && one.period === other.period;
					if (isReached && isSamePlace && one.currency !== other.currency) return true;
				}
	return false;
}

/** Whether everything that is nearest to the country has a price in the currency. */
function isNearestIn(sale: Sale, country: string | null, currency: string): boolean {
	return thingsOf(sale, country).every((things) =>
		(isChoice(sale, country) ? decisiveOf(things) : things).every((rows) => {
			const nearest = soldRow(rows, sale, country, null);
			return rows.some(
				(row) => row.country === nearest?.country && row.period === nearest.period && row.currency === currency,
			);
		}),
	);
}

const hasPrices = (sale: Sale, country: string | null) => thingsOf(sale, country).some((things) => things.length > 0);

function countryOf(sale: Sale): string | null {
	const isPriced = (country: string) =>
		sale.lists.flat().some((row) => row.country === country && soldRow([row], sale, country, null));
	const [first = null] = sale.named;
	for (const country of sale.named) if (isPriced(country)) return country;
	const own = sale.address !== null && isPriced(sale.address) ? [sale.address] : [];
	if (sale.payer !== null)
		for (const country of [...own, null, ...countries.filter(isPriced)])
			if (hasPrices(sale, country) && isNearestIn(sale, country, sale.payer)) return country ?? first;
	for (const country of own)
		if (!hasPrices(sale, country) || currencies.some((currency) => isNearestIn(sale, country, currency)))
			return country;
	return first;
}

/** Returns the sold rows by the rules of the design; "PriceNotFound" if no currency is complete. */
function expected(sale: Sale): Row[] | "PriceNotFound" {
	const country = countryOf(sale);
	const things = thingsOf(sale, country);
	const isComplete = (currency: string) =>
		things.every((ofOne) => decisiveOf(ofOne).every((rows) => soldRow(rows, sale, country, currency)));
	const rowsIn = (currency: string | null) =>
		things.flat().flatMap((rows) => soldRow(rows, sale, country, currency) ?? []);
	if (sale.requested !== null && isComplete(sale.requested)) return rowsIn(sale.requested);
	if (!isChoice(sale, country)) return rowsIn(null);
	const all = sale.lists
		.flat()
		.filter((row) => [country, null].includes(row.country) && soldRow([row], sale, country, null));
	const firstRow = all.find((row) => row.country === country) ?? all[0];
	for (const currency of [sale.former, sale.payer, firstRow?.currency ?? null])
		if (currency !== null && isComplete(currency)) return rowsIn(currency);
	return "PriceNotFound";
}

const models = { fee: "FLAT_FEE", usage: "USAGE_BASED", setup: "FLAT_FEE" } as const;

const chargeOf = ({ thing, kind, period, country, currency, amount }: Row): OfferedCharge => ({
	billingModel: models[kind],
	billingCadence: kind === "setup" ? "ONE_OFF" : "RECURRING",
	isOverage: false,
	billingPeriod: period,
	billingCountryCode: country,
	featureId: null,
	key: thing,
	overageCurrencyId: null,
	topUpCurrencyId: null,
	creditCurrencyId: null,
	price: { amount: toDecimal(amount), currency },
	tiersMode: null,
	tiers: null,
	blockSize: null,
	minUnitQuantity: null,
	maxUnitQuantity: null,
});

function sold({ lists, period, named, address, payer, former, requested }: Sale): number[] | string {
	const charges = lists.map((list) => list.map(chargeOf));
	const country = chooseCountry(charges, period, { countries: named, currency: payer, country: address });
	const preferred = [former, payer].filter((currency) => currency !== null);
	try {
		const currency = chooseCurrency(charges, period, country, { requested, preferred, held: null });
		return charges
			.flatMap((list) => chargesFor(list, period, country, currency))
			.map(({ price }) => Number(price?.amount));
	} catch (refusal) {
		return (refusal as { code: string }).code;
	}
}

const anyCountry = fc.constantFrom(null, ...countries);
const anyCurrency = fc.constantFrom(...currencies);

/** Rows that differ in thing, period, country or currency, in any order; the amount tells them apart. */
const anyList = (thing: string) =>
	fc
		.uniqueArray(
			fc.record({
				at: fc.constantFrom(0, 1, 2),
				period: fc.constantFrom<Period>("MONTHLY", "MONTHLY", "ANNUALLY"),
				country: fc.constantFrom(null, null, ...countries),
				currency: anyCurrency,
			}),
			{ minLength: 1, maxLength: 9, selector: (row) => JSON.stringify(row) },
		)
		.map((rows) =>
			rows.map(({ at, ...row }, index): Row => {
				const kind = (["fee", "usage", "setup"] as const)[at] ?? "fee";
				return { ...row, kind, thing: `${thing}-${kind}`, amount: thing === "plan" ? index + 1 : index + 101 };
			}),
		);

const anySale: fc.Arbitrary<Sale> = fc.record({
	lists: fc.oneof(
		anyList("plan").map((list) => [list]),
		fc.tuple(anyList("plan"), anyList("addon")),
	),
	period: fc.constantFrom<Period>("MONTHLY", "ANNUALLY"),
	named: fc.array(fc.constantFrom("DE", "IN", "FR"), { maxLength: 2 }),
	address: anyCountry,
	payer: fc.option(anyCurrency),
	former: fc.option(anyCurrency),
	requested: fc.option(anyCurrency),
});

test("country, currency and rows are those of a brute force over all rows", () => {
	const seen = { refused: 0, chosen: 0 };
	fc.assert(
		fc.property(anySale, (sale) => {
			const rows = expected(sale);
			seen[rows === "PriceNotFound" ? "refused" : "chosen"]++;
			const amounts = rows === "PriceNotFound" ? rows : rows.map(({ amount }) => amount).sort((a, b) => a - b);
			const is = sold(sale);
			expect(typeof is === "string" ? is : is.sort((a, b) => a - b)).toEqual(amounts);
		}),
		{ numRuns: 4000 },
	);
	expect(seen.refused).toBeGreaterThan(100);
	expect(seen.chosen).toBeGreaterThan(1000);
});

test("a price list with one currency for each country is sold as if nobody had named a currency", () => {
	fc.assert(
		fc.property(anySale, (sale) => {
			const one = (row: Row): Row => ({ ...row, currency: row.country === null ? "usd" : "eur" });
			const lists = sale.lists.map((list) =>
				list.map(one).filter((row, at, all) => at === all.findIndex((other) => sameRow(row, other))),
			);
			const unnamed = { ...sale, lists, requested: null };
			expect(sold({ ...unnamed, former: "gbp" })).toEqual(sold({ ...unnamed, former: null }));
			expect(sold({ ...unnamed, requested: "gbp" })).toEqual(sold(unnamed));
		}),
		{ numRuns: 2000 },
	);
});

const sameRow = (one: Row, other: Row): boolean =>
	one.thing === other.thing && one.period === other.period && one.country === other.country;

describe("the currency of a subscription that is changed", () => {
	const row = (currency: string, country: string | null = null): Row => ({
		...{ thing: "fee", kind: "fee", period: "MONTHLY", amount: 1 },
		...{ country, currency },
	});
	const kept = (rows: readonly Row[], currency: string, isFixed: boolean) => () =>
		chooseCurrency([rows.map(chargeOf)], "MONTHLY", null, {
			...{ requested: "gbp", preferred: ["usd"] },
			held: { currency, isFixed },
		});

	test("stays, whatever is preferred", () => {
		expect(kept([row("usd"), row("eur")], "eur", true)()).toBe("eur");
		expect(kept([row("usd"), row("eur")], "eur", false)()).toBe("eur");
	});
	test("is refused where it has no price", () => {
		expect(kept([row("usd")], "eur", true)).toThrow("keeps this currency");
		expect(kept([row("usd"), row("gbp")], "eur", false)).toThrow("keeps this currency");
	});
	test("follows a price list that leaves no choice, if nobody has chosen it", () => {
		expect(kept([row("usd")], "eur", false)()).toBeNull();
	});
	test("is the named one as long as nothing is priced", () => {
		const terms = { requested: "eur", preferred: [], held: null };
		expect(chooseCurrency([[]], null, null, terms)).toBe("eur");
		expect(chooseCurrency([[]], "MONTHLY", null, terms)).toBe("eur");
	});
});

test("an offer shows the nearest prices where a sale is refused", () => {
	const rows: Row[] = ["usd", "eur"].map((currency) => ({
		...{ thing: "fee", kind: "fee", period: "MONTHLY", country: null, amount: 1 },
		currency,
	}));
	const usage: Row = { thing: "use", kind: "usage", period: "MONTHLY", country: null, currency: "gbp", amount: 2 };
	const lists = [[...rows, usage].map(chargeOf)];
	const terms = { requested: null, preferred: [], held: null };
	expect(() => chooseCurrency(lists, "MONTHLY", null, terms)).toThrow("choose packages with prices in one currency");
	expect(offeredCurrency(lists, "MONTHLY", null, terms)).toBeNull();
});
