import { withAgreements } from "./agreements/random";
import { addMonths, dayMs } from "./calendar";
import { repricedPrices, withCurrencies } from "./currencies.random";
import {
	type Cycle,
	cyclesOf,
	type ListedAnchor,
	type ListedCharge,
	type ListedCoupon,
	type ListedPackage,
	type ListedPrice,
	type ListedTier,
	type PriceList,
	type Reset,
} from "./price-list";
import type { Random } from "./random";

const both: readonly Cycle[] = ["MONTHLY", "ANNUALLY"];

/** Returns six plans, four addons and four coupons, with every kind of price. */
export function randomPriceList(random: Random): PriceList {
	const currency = random.oneOf(["usd", "usd", "eur", "jpy", "kwd"]);
	const other = random.chance(0.15) ? "gbp" : currency;
	const list = withAnchors(
		random,
		withLongPeriod(
			listIn(random, currency, other),
			random.oneOf(["ANNUALLY", "ANNUALLY", "HALF_YEARLY", "QUARTERLY"] as const),
		),
	);
	return withAgreements(random, withCurrencies(random, withArrears(random, withCountry(random, list))));
}

function withCountry(random: Random, list: PriceList): PriceList {
	if (list.country === null) return list;
	const abroad = (one: ListedPackage) =>
		one.charges.length === 0 ? one : { ...one, abroad: repricedCharges(random, one.charges) };
	return { ...list, plans: list.plans.map(abroad), addons: list.addons.map(abroad) };
}

/** Returns the list with some fees and units in arrears. */
function withArrears(random: Random, list: PriceList): PriceList {
	if (random.chance(0.6)) return list;
	const inArrears = (one: ListedPackage) => packageInArrears(random, one, 0.5);
	return { ...list, plans: list.plans.map(inArrears), addons: list.addons.map(inArrears) };
}

/** Returns the package with each fee and unit in arrears with a probability, else in advance. */
export function packageInArrears(random: Random, one: ListedPackage, probability: number): ListedPackage {
	const flags = one.charges.map(
		({ model, isOnce, keepsPaid }) => model !== "USAGE_BASED" && !isOnce && !keepsPaid && random.chance(probability),
	);
	const paid = ({ inArrears: _, ...charge }: ListedCharge, at: number): ListedCharge => ({
		...charge,
		...(flags[at] && { inArrears: true as const }),
	});
	return { ...one, charges: one.charges.map(paid), ...(one.abroad && { abroad: one.abroad.map(paid) }) };
}

/** Returns the list with a half-year or a quarter in place of the year. */
function withLongPeriod(list: PriceList, long: Cycle): PriceList {
	const inPeriods = <Priced extends { readonly cycle: Cycle }>(rows: readonly Priced[]): Priced[] =>
		rows.map((row) => ({ ...row, cycle: row.cycle === "ANNUALLY" ? long : row.cycle }));
	const inPackage = (one: ListedPackage): ListedPackage => ({
		...one,
		charges: one.charges.map((charge) => ({ ...charge, prices: inPeriods(charge.prices) })),
		minimums: inPeriods(one.minimums),
	});
	return { ...list, plans: list.plans.map(inPackage), addons: list.addons.map(inPackage) };
}

/** Returns the list with an anchor of their own for some of its paid plans. */
function withAnchors(random: Random, list: PriceList): PriceList {
	if (random.chance(0.5)) return list;
	const anchored = (plan: ListedPackage) =>
		plan.charges.length === 0 || random.chance(0.4) ? plan : { ...plan, anchor: anchorFor(random, plan) };
	return { ...list, plans: list.plans.map(anchored) };
}

function anchorFor(random: Random, plan: ListedPackage): ListedAnchor {
	const type = random.oneOf(["SUBSCRIPTION_START", "START_OF_THE_MONTH", "CALENDAR", "DAY", "DAY", "DATE"] as const);
	switch (type) {
		case "DAY": {
			const cycles = cyclesOf(plan);
			if (cycles.every((cycle) => cycle === "MONTHLY")) return { type, dayOfMonth: random.whole(1, 31) };
			// A month that has the day, so that monthly usage counts from it too.
			if (cycles.includes("MONTHLY") || random.chance(0.5)) return { type, dayOfMonth: random.whole(1, 28) };
			return { type, dayOfMonth: random.whole(1, 31), month: random.oneOf([1, 3, 5, 7, 8, 10, 12]) };
		}
		case "DATE": {
			const at = addMonths(0, 12 * 53 + random.whole(0, 60)) + random.whole(0, 30 * dayMs);
			return { type, date: new Date(at).toISOString() };
		}
		default:
			return { type };
	}
}

/** Returns the same charges at other prices; free ones stay free. */
export function repricedCharges(random: Random, charges: readonly ListedCharge[]): ListedCharge[] {
	return charges.map((charge) => ({
		...charge,
		prices: repricedPrices(random, charge.prices),
	}));
}

function listIn(random: Random, currency: string, other: string): PriceList {
	const isByResource = random.chance(0.25);
	return {
		plans: [
			{ ...nothing, id: "free", isAddon: false, currency },
			advancePlan(random, "pro", currency),
			advancePlan(random, "max", other),
			meteredPlan(random, "payg", currency),
			meteredPlan(random, "meter", currency),
			yearlyPlan(random, "year", currency),
		],
		addons: [
			addon("extra", currency, feeOf(random, both)),
			addon("storage", currency, unitsOf(random, "storage", both)),
			{
				...addon("boost", currency, feeOf(random, both)),
				adds: [{ feature: "calls", limit: String(random.whole(1, 50)) }],
			},
			random.chance(0.5)
				? addon("setup", currency, { ...feeOf(random, both), isOnce: true })
				: addon("jobs", currency, usageOf(random, "jobs")),
		],
		coupons: [percentOff(random, "part"), percentOff(random, "while"), amountsOff(random, "fixed", currency), whole],
		isFromTheFirst: random.chance(0.25),
		isByResource,
		isUsedByResource: isByResource && random.chance(0.5),
		country: random.chance(0.25) ? "DE" : null,
		second: null,
		waits: random.chance(0.25),
		usageReset: random.oneOf(["ALWAYS_RESET", "NEVER_RESET", "BILLING_PERIOD_CHANGE"]),
	};
}

const nothing = { charges: [], minimums: [], isOverageMonthly: false, adds: [] } satisfies Partial<ListedPackage>;
const addon = (id: string, currency: string, charge: ListedCharge): ListedPackage => ({
	...nothing,
	id,
	isAddon: true,
	currency,
	charges: [charge],
});

/** A monthly or yearly plan, perhaps with overage. */
function advancePlan(random: Random, id: string, currency: string): ListedPackage {
	const cycles = random.oneOf([both, both, ["MONTHLY" as const], ["ANNUALLY" as const]]);
	const terms = random.chance(0.35) ? random.oneOf([{ keepsPaid: true as const }, { isWhole: true as const }]) : {};
	const fee = random.chance(0.8) ? [{ ...feeOf(random, cycles), ...terms }] : [];
	const units = random.chance(0.7) || fee.length === 0 ? [unitsOf(random, "seats", cycles)] : [];
	const setup = random.chance(0.3) ? [{ ...feeOf(random, cycles), isOnce: true as const }] : [];
	const overage = random.chance(0.5) ? [overageOf(random, cycles)] : [];
	return {
		id,
		isAddon: false,
		currency,
		charges: [...fee, ...units, ...setup, ...overage],
		minimums: random.chance(0.2)
			? cycles.map((cycle) => ({ cycle, amount: amountOf(random, cycle === "MONTHLY" ? 90 : 900) }))
			: [],
		isOverageMonthly: random.chance(0.5),
		adds: [],
	};
}

/** A monthly plan with usage prices. */
function meteredPlan(random: Random, id: string, currency: string): ListedPackage {
	const fee = random.chance(0.5) ? [feeOf(random, ["MONTHLY"])] : [];
	const counted = random.some(["calls", "tokens", "peak"], 0.5);
	const usage = (counted.length === 0 ? ["calls"] : counted).map((feature) => usageOf(random, feature));
	const units = random.chance(0.3) ? [unitsOf(random, "seats", ["MONTHLY"])] : [];
	const minimums = random.chance(0.4) ? [{ cycle: "MONTHLY" as const, amount: amountOf(random, 90) }] : [];
	return { ...nothing, id, isAddon: false, currency, charges: [...fee, ...usage, ...units], minimums };
}

/** A plan with a yearly fee, or either period, and monthly usage and overage. */
function yearlyPlan(random: Random, id: string, currency: string): ListedPackage {
	const cycles = random.oneOf([["ANNUALLY" as const], ["ANNUALLY" as const], both]);
	const overage = overageOf(random, random.oneOf([["MONTHLY" as const], cycles]));
	// A pay-as-you-go feature has no limit, so no overage.
	const counted = ["calls", "tokens", "peak"].filter((feature) => feature !== overage.feature);
	return {
		...nothing,
		id,
		isAddon: false,
		currency,
		charges: [
			feeOf(random, cycles),
			...(random.chance(0.3) ? [unitsOf(random, "seats", cycles)] : []),
			...random.some(counted, 0.5).map((feature) => usageOf(random, feature)),
			overage,
		],
		minimums: random.chance(0.3)
			? cycles.map((cycle) => ({ cycle, amount: amountOf(random, cycle === "MONTHLY" ? 90 : 900) }))
			: [],
		isOverageMonthly: random.chance(0.5),
	};
}

const amountOf = (random: Random, to: number): string => random.decimal(to, random.oneOf([0, 2, 2, 3]));

const proratedBy = (random: Random): Pick<ListedCharge, "prorated"> =>
	random.chance(0.3) ? { prorated: random.oneOf(["BY_DAY", "THIRTY_DAY_MONTH"]) } : {};

const feeOf = (random: Random, cycles: readonly Cycle[]): ListedCharge => ({
	model: "FLAT_FEE",
	...proratedBy(random),
	prices: cycles.map((cycle) => ({ cycle, amount: amountOf(random, cycle === "MONTHLY" ? 100 : 1000) })),
});

function unitsOf(random: Random, feature: string, cycles: readonly Cycle[]): ListedCharge {
	const least = random.chance(0.3) ? { least: random.whole(1, 3) } : {};
	const head = { model: "PER_UNIT", feature, ...least, ...proratedBy(random) } as const;
	if (random.chance(0.7)) return { ...head, prices: pricesOf(random, cycles, 20, 2) };
	const bounds = boundsOf(random, 8);
	return {
		...head,
		mode: random.oneOf(["VOLUME", "GRADUATED"]),
		prices: cycles.map((cycle) => ({ cycle, tiers: tiersOf(random, bounds, 20) })),
	};
}

function usageOf(random: Random, feature: string): ListedCharge {
	const charge = usagePriceOf(random, feature);
	const [tier] = charge.prices[0]?.tiers ?? [];
	// Whole units of jobs are rounded down, so that used jobs can be no unit.
	const isUnusedCharged = tier?.flat != null && feature !== "jobs" && random.chance(0.5);
	const lowest = random.chance(0.3) ? { lowest: random.decimal(40, random.oneOf([0, 2, 3])) } : {};
	const highest = random.chance(0.3) ? { highest: random.decimal(400, random.oneOf([0, 2])) } : {};
	const fits = Number(lowest.lowest ?? 0) <= Number(highest.highest ?? Number.POSITIVE_INFINITY);
	return {
		...charge,
		...(isUnusedCharged && { chargesUnused: true }),
		...(random.chance(0.3) && { interval: random.oneOf(["QUARTERLY", "HALF_YEARLY"] as const) }),
		prices: charge.prices.map((price) => ({ ...price, ...lowest, ...(fits && highest) })),
	};
}

function usagePriceOf(random: Random, feature: string): ListedCharge {
	if (random.chance(0.6)) {
		const block = random.chance(0.4) ? { block: String(random.whole(1, 20)) } : {};
		return { model: "USAGE_BASED", feature, ...block, prices: pricesOf(random, ["MONTHLY"], 2, 5) };
	}
	return {
		model: "USAGE_BASED",
		feature,
		mode: random.oneOf(["VOLUME", "GRADUATED"]),
		prices: [{ cycle: "MONTHLY", tiers: tiersOf(random, boundsOf(random, 60), 2) }],
	};
}

const resets: readonly Reset[] = [
	"MONTH from the start",
	"MONTH from the start",
	"MONTH from the first",
	"WEEK",
	"YEAR",
	"DAY",
];

const overageOf = (random: Random, cycles: readonly Cycle[]): ListedCharge => ({
	model: "USAGE_BASED",
	feature: random.oneOf(["calls", "tokens"]),
	...(random.chance(0.3) && { block: String(random.whole(2, 20)) }),
	prices: pricesOf(random, cycles, 2, 5),
	beyond: { limit: String(random.whole(0, 60)), reset: random.oneOf(resets) },
});

const pricesOf = (random: Random, cycles: readonly Cycle[], to: number, places: number): ListedPrice[] =>
	cycles.map((cycle) => ({ cycle, amount: random.decimal(to, places) }));

const boundsOf = (random: Random, step: number): string[] => {
	let bound = 0;
	return Array.from({ length: random.whole(1, 3) }, () => {
		bound += random.whole(1, step);
		return String(bound);
	});
};

const tiersOf = (random: Random, bounds: readonly string[], to: number): ListedTier[] =>
	[...bounds, null].map((upTo) => {
		const isFlat = random.chance(0.2);
		return {
			upTo,
			unit: isFlat ? null : random.decimal(to, 4),
			flat: isFlat || random.chance(0.3) ? random.decimal(30, 2) : null,
		};
	});

const months = (random: Random) => (random.chance(0.6) ? random.whole(1, 14) : null);

const percentOff = (random: Random, id: string): ListedCoupon => ({
	id,
	percent: random.decimal(99, 2),
	amounts: null,
	months: months(random),
});
const amountsOff = (random: Random, id: string, currency: string): ListedCoupon => ({
	id,
	percent: null,
	amounts: [
		{ amount: random.decimal(60, 2), currency },
		{ amount: "3.5", currency: "chf" },
	],
	months: months(random),
});
const whole: ListedCoupon = { id: "whole", percent: "100", amounts: null, months: 2 };
