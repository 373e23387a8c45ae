import type { Charge, PricePeriod } from "../../../areas/packages/charges/schema";
import { shownPeriod } from "../../../areas/pricing/rules.billing-period";
import type { Amount, ByPeriod, OpenPrice, TierRow } from "./open-price";

interface OfCurrency {
	readonly currency?: string;
}

/** The fields that a charge and a price period share. */
interface Priced {
	readonly price?: OfCurrency | null | undefined;
	readonly tiers?:
		| ReadonlyArray<{
				readonly unitPrice?: OfCurrency | null;
				readonly flatPrice?: OfCurrency | null;
		  }>
		| null
		| undefined;
	readonly transactionPrice?: OfCurrency | undefined;
}

/** Returns the currency of a price period; undefined for a price in credits. */
export const currencyOfPeriod = ({ price, tiers, transactionPrice }: Priced): string | undefined =>
	[
		transactionPrice?.currency,
		price?.currency,
		...(tiers ?? []).flatMap(({ unitPrice, flatPrice }) => [unitPrice?.currency, flatPrice?.currency]),
	].find((currency) => currency !== undefined);

/** Returns the currencies of charges except the main one, in the order in which they were set. */
export function furtherCurrencies(charges: readonly Charge[], main: string): string[] {
	const all = charges.toReversed().flatMap((charge) => currencyOfPeriod(charge) ?? []);
	return [...new Set(all)].filter((currency) => currency !== main);
}

type Further = ReadonlyMap<string, readonly PricePeriod[]>;

/** Splits price periods into those in the main currency and those in further ones. */
export function byCurrency(
	all: readonly PricePeriod[],
	main: string,
): { readonly periods: readonly PricePeriod[]; readonly further: Further } {
	const further = Map.groupBy(all, (period) => currencyOfPeriod(period) ?? main);
	const periods = further.get(main) ?? [];
	further.delete(main);
	return { periods, further };
}

/** Whether each billing period has one price period. */
export const isEachOnce = (periods: readonly PricePeriod[]): boolean =>
	periods.length > 0 && new Set(periods.map(shownPeriod)).size === periods.length;

export const amountsOf = (periods: readonly PricePeriod[], read: (period: PricePeriod) => Amount): ByPeriod =>
	Object.fromEntries(periods.map((period) => [shownPeriod(period), read(period)]));

const byCode = <Value>(further: Further, read: (periods: readonly PricePeriod[]) => Value) =>
	further.size > 0 && {
		further: Object.fromEntries([...further].map(([currency, periods]) => [currency, read(periods)])),
	};

export const furtherAmounts = (further: Further) =>
	byCode(further, (periods) => amountsOf(periods, ({ price }) => price?.amount));

export const furtherTier = (further: Further, at: number) =>
	byCode(further, (periods) => ({
		each: amountsOf(periods, ({ tiers }) => tiers?.[at]?.unitPrice?.amount),
		flat: amountsOf(periods, ({ tiers }) => tiers?.[at]?.flatPrice?.amount),
	}));

/** The further currencies of a price. Bounds and commitments are amounts of one currency, so such a price has no further ones. */
export const furtherOf = (price: OpenPrice): string[] =>
	allowsFurther(price)
		? [
				...new Set(
					[price.further, ...price.tiers.map(({ further }) => further)].flatMap((one) => Object.keys(one ?? {})),
				),
			]
		: [];

export const allowsFurther = ({ minimumAmount, maximumAmount, commitment }: OpenPrice): boolean =>
	minimumAmount === undefined && maximumAmount === undefined && commitment === undefined;

const none = { each: {}, flat: {} };

/** Returns the price with the amounts of a further currency in place of its own. */
export const inCurrency = (price: OpenPrice, currency: string): OpenPrice => ({
	...price,
	amount: price.further?.[currency] ?? {},
	tiers: price.tiers.map(({ upTo, further }): TierRow => ({ upTo, ...(further?.[currency] ?? none) })),
});
