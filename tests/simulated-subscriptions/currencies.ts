/** Chooses the country and the currency of a sale, from docs/billing.md and docs/pricing.md. It imports nothing of `src`. */
import type { Cycle, ListedCharge, ListedPackage, ListedPrice } from "./price-list";

/** The rows of a package for one country (null: all) in one currency. */
interface Table {
	readonly isAbroad: boolean;
	readonly currency: string;
	readonly prices: ReadonlyArray<readonly ListedPrice[] | null>;
}

const tablesOf = ({ charges, currency, abroad, abroadCurrency, others = [] }: ListedPackage): Table[] => [
	{ isAbroad: false, currency, prices: charges.map(({ prices }) => prices) },
	...(abroad
		? [{ isAbroad: true, currency: abroadCurrency ?? currency, prices: abroad.map(({ prices }) => prices) }]
		: []),
	...others,
];

/** A charge is billed by the billing period, or, if it is usage, by months within it. */
const isBilledBy = (cycle: Cycle, { model }: ListedCharge, price: ListedPrice): boolean =>
	price.cycle === cycle || (model === "USAGE_BASED" && price.cycle === "MONTHLY");

const reachable = (sold: ListedPackage, country: string | null): Table[] =>
	tablesOf(sold).filter(({ isAbroad }) => !isAbroad || country !== null);

/** Whether a charge has prices in a table. */
const hasPrice = (sold: ListedPackage, cycle: Cycle, { prices }: Table, at: number): boolean => {
	const charge = sold.charges[at];
	return charge !== undefined && (prices[at] ?? []).some((price) => isBilledBy(cycle, charge, price));
};

/** Returns the charges that need a price: those that recur, or all of a package that has only others. */
function decisive(sold: ListedPackage, cycle: Cycle): number[] {
	const billed = sold.charges.flatMap((_, at) =>
		tablesOf(sold).some((table) => hasPrice(sold, cycle, table, at)) ? [at] : [],
	);
	const recurring = billed.filter((at) => !sold.charges[at]?.isOnce);
	return recurring.length > 0 ? recurring : billed;
}

/** Whether everything that recurs has a price of the country, or one for all countries, in a currency. */
const isComplete = (packages: readonly ListedPackage[], cycle: Cycle, country: string | null, currency: string) =>
	packages.every((sold) =>
		decisive(sold, cycle).every((at) =>
			reachable(sold, country).some((table) => table.currency === currency && hasPrice(sold, cycle, table, at)),
		),
	);

/** Whether the nearest prices of a country are complete in a currency: its own, and those for all of what it does not price. */
const isNearestIn = (packages: readonly ListedPackage[], cycle: Cycle, country: string | null, currency: string) =>
	packages.every((sold) =>
		decisive(sold, cycle).every((at) => {
			const tables = reachable(sold, country).filter((table) => hasPrice(sold, cycle, table, at));
			const own = tables.filter(({ isAbroad }) => isAbroad);
			return (own.length > 0 ? own : tables).some((table) => table.currency === currency);
		}),
	);

/** Whether something has prices in several currencies for one country. */
const leavesChoice = (packages: readonly ListedPackage[], cycle: Cycle, country: string | null): boolean =>
	packages.some((sold) =>
		[true, false].some((isAbroad) => {
			const tables = reachable(sold, country).filter((table) => table.isAbroad === isAbroad);
			const isPriced = (at: number) =>
				new Set(tables.filter((table) => hasPrice(sold, cycle, table, at)).map(({ currency }) => currency)).size > 1;
			const minimums = isAbroad
				? []
				: [sold, ...(sold.others ?? [])].filter((one) => one.minimums.some((least) => least.cycle === cycle));
			return sold.charges.some((_, at) => isPriced(at)) || minimums.length > 1;
		}),
	);

/** The country that applies to a sale for which none is named: that of prices in the customer's currency. */
export function countryFor(
	packages: readonly ListedPackage[],
	cycle: Cycle,
	country: string | null,
	customer: string | null,
): string | null {
	if (country === null || customer === null) return null;
	if (isNearestIn(packages, cycle, null, customer)) return null;
	return isNearestIn(packages, cycle, country, customer) ? country : null;
}

/**
 * Returns the currency of a sale: the first preferred one in which everything that recurs has a price, else that of the country's
 * first price. Lists with one currency for each country take only the requested one into account.
 */
export function currencyFor(
	packages: readonly ListedPackage[],
	cycle: Cycle,
	country: string | null,
	{ requested, former, customer }: { requested: string | null; former: string | null; customer: string | null },
): string | null {
	const [plan] = packages;
	if (!plan) return null;
	const first = (country !== null && plan.abroad && plan.abroadCurrency) || plan.currency;
	const preferred = leavesChoice(packages, cycle, country) ? [requested, former, customer] : [requested];
	const fits = (currency: string | null) => currency !== null && isComplete(packages, cycle, country, currency);
	return preferred.find(fits) ?? first;
}

/** Returns the charges of a package for a country and a currency: the country's prices, else those for all. */
export function chargesIn(sold: ListedPackage, cycle: Cycle, country: string | null, currency: string): ListedCharge[] {
	const tables = reachable(sold, country)
		.filter((table) => table.currency === currency)
		.sort((one, other) => Number(other.isAbroad) - Number(one.isAbroad));
	return sold.charges.flatMap((charge, at): ListedCharge[] => {
		const found = tables.find((table) => hasPrice(sold, cycle, table, at));
		return found ? [{ ...charge, prices: found.prices[at] ?? [] }] : [];
	});
}

/** Returns the least amount that a plan is sold for in a currency. */
export const minimumIn = (sold: ListedPackage, cycle: Cycle, currency: string) =>
	[sold, ...(sold.others ?? [])]
		.filter((one) => one.currency === currency)
		.flatMap(({ minimums }) => minimums)
		.find((one) => one.cycle === cycle);
