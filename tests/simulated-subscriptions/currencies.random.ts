import type { ListedOther, ListedPackage, ListedPrice, PriceList } from "./price-list";
import type { Random } from "./random";

/** Returns the list with additional prices in a second currency for most of its packages. */
export function withCurrencies(random: Random, list: PriceList): PriceList {
	if (random.chance(0.6)) return list;
	const [first] = list.plans;
	const second = random.oneOf(["chf", "chf", "jpy", "kwd", "sek"].filter((one) => one !== first?.currency));
	// A country can have prices in the second currency first.
	const isAbroadFirst = list.country !== null && random.chance(0.3);
	const inBoth = (one: ListedPackage): ListedPackage => {
		if (one.charges.length === 0) return one;
		const sold = isAbroadFirst ? { ...one, abroadCurrency: second, minimums: [] } : one;
		return random.chance(0.2) ? sold : { ...sold, others: othersFor(random, sold, second, list.country !== null) };
	};
	const coupons = list.coupons.map((coupon) =>
		coupon.amounts && second !== "chf" && random.chance(0.6)
			? { ...coupon, amounts: [...coupon.amounts, { amount: random.decimal(60, 0), currency: second }] }
			: coupon,
	);
	return { ...list, second, coupons, plans: list.plans.map(inBoth), addons: list.addons.map(inBoth) };
}

/** One-off charges and minimums may lack a price in the second currency, and a country may price some charges in it. */
function othersFor(random: Random, sold: ListedPackage, currency: string, hasCountry: boolean): ListedOther[] {
	const { charges, minimums, abroadCurrency } = sold;
	const priced = (isListed: (isOnce: boolean) => boolean) =>
		charges.map(({ prices, isOnce }) => (isListed(isOnce ?? false) ? repricedPrices(random, prices) : null));
	const general: ListedOther = {
		currency,
		isAbroad: false,
		prices: priced((isOnce) => !isOnce || random.chance(0.5)),
		minimums: random.chance(0.6) ? minimums : [],
	};
	if (!hasCountry || random.chance(0.5)) return [general];
	const abroad = abroadCurrency === currency ? sold.currency : currency;
	return [general, { currency: abroad, isAbroad: true, prices: priced(() => random.chance(0.7)), minimums: [] }];
}

/** Returns the same prices with other amounts. */
export const repricedOthers = (random: Random, others: readonly ListedOther[]): ListedOther[] =>
	others.map((other) => ({
		...other,
		prices: other.prices.map((prices) => prices && repricedPrices(random, prices)),
	}));

/** Returns other amounts; free ones stay free. */
export function repricedPrices(random: Random, prices: readonly ListedPrice[]): ListedPrice[] {
	const amount = (former: string) => (former === "0" ? former : random.decimal(60, random.oneOf([0, 2, 3])));
	return prices.map((price) => ({
		...price,
		...(price.amount !== undefined && { amount: amount(price.amount) }),
		...(price.tiers && {
			tiers: price.tiers.map(({ upTo, unit, flat }) => ({
				upTo,
				unit: unit && amount(unit),
				flat: flat && amount(flat),
			})),
		}),
	}));
}
