import { type Decimal, exact, toDecimal } from "../../../kernel/decimal";
import { fail } from "../../../kernel/errors";
import { assertPurchasable } from "../../pricing/models/charge";
import { countsUnits, type EffectivePrice, type Names } from "./prices";

/** Units bought in advance, by row id of the feature or of the credit currency. */
export interface PurchasedQuantity {
	readonly featureId: string | null;
	readonly currencyId: string | null;
	readonly quantity: Decimal;
}

/**
 * Returns the units of every per-unit price of the plan, within its bounds: the requested quantity, else the minimum.
 * `requested` may also name an addon's feature. Throws InvalidQuantity; PriceNotFound for a feature without a per-unit price.
 */
export function purchasedQuantities(
	prices: readonly EffectivePrice[],
	asked: readonly PurchasedQuantity[],
	unitQuantity: number | undefined,
	{ featureName, currencyName }: Names,
): PurchasedQuantity[] {
	const sold = prices.filter(countsUnits);
	const chosen = new Map<string, PurchasedQuantity>();
	for (const purchased of asked) {
		const name =
			purchased.featureId === null ? currencyName(purchased.currencyId ?? "") : featureName(purchased.featureId);
		if (chosen.has(keyOf(purchased))) throw fail("BadUserInput", `body/charges: '${name}' is listed twice.`);
		if (!sold.some((price) => keyOfPrice(price) === keyOf(purchased)))
			throw fail("PriceNotFound", `'${name}' is not sold by the unit here; take it out of 'charges'.`);
		chosen.set(keyOf(purchased), purchased);
	}
	if (unitQuantity !== undefined) {
		const { featureId, topUpCurrencyId } = onlyUnitPrice(prices).charge;
		const purchased = {
			featureId,
			currencyId: featureId === null ? topUpCurrencyId : null,
			quantity: toDecimal(unitQuantity),
		};
		assertSameUnits(chosen.get(keyOf(purchased)), unitQuantity);
		chosen.set(keyOf(purchased), purchased);
	}
	for (const { charge } of unitPricesOfPlan(prices)) {
		// Credits are topped up on demand. Units of a feature belong to the plan, so at least the minimum is bought.
		if (charge.featureId === null || chosen.has(charge.featureId)) continue;
		const quantity = toDecimal(charge.minUnitQuantity ?? 1);
		chosen.set(charge.featureId, { featureId: charge.featureId, currencyId: null, quantity });
	}
	const purchased = [...chosen.values()];
	for (const price of sold) {
		const units = unitsOf(price, prices, purchased);
		if (units !== undefined) assertPurchasable(price.charge, units);
	}
	return purchased;
}

const unitPricesOfPlan = (prices: readonly EffectivePrice[]): EffectivePrice[] =>
	prices.filter((price) => countsUnits(price) && !price.package.isAddon);

/** Returns the price that 'unitQuantity' applies to. Throws InvalidQuantity if the plan has no per-unit price, or several. */
export function onlyUnitPrice(prices: readonly EffectivePrice[]): EffectivePrice {
	const [only, another] = unitPricesOfPlan(prices);
	if (!only || another)
		throw fail(
			"InvalidQuantity",
			"'unitQuantity' is for plans with exactly one per-unit price; use 'charges' instead.",
		);
	return only;
}

/** Throws InvalidQuantity if `charges` name another quantity of the same units. */
export function assertSameUnits(
	named: { readonly quantity: Decimal | number } | undefined,
	unitQuantity: number,
): void {
	if (named && !exact(named.quantity).eq(unitQuantity))
		throw fail("InvalidQuantity", "'unitQuantity' and 'charges' give different quantities; give one of them.");
}

/**
 * Returns the units bought by name of a per-unit price. Units of the plan's price count for the plan, not for its
 * addons.
 */
export function unitsOf(
	price: EffectivePrice,
	prices: readonly EffectivePrice[],
	purchased: readonly PurchasedQuantity[],
): Decimal | undefined {
	if (!countsUnits(price)) return undefined;
	const key = keyOfPrice(price);
	if (
		price.package.isAddon &&
		prices.some((other) => !other.package.isAddon && countsUnits(other) && keyOfPrice(other) === key)
	)
		return undefined;
	return purchased.find((units) => keyOf(units) === key)?.quantity;
}

const keyOf = ({ featureId, currencyId }: Omit<PurchasedQuantity, "quantity">): string => featureId ?? currencyId ?? "";
const keyOfPrice = ({ charge }: EffectivePrice): string => charge.featureId ?? charge.topUpCurrencyId ?? "";
