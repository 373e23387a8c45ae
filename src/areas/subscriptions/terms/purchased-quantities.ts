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
 * Returns the units of every per-unit price of the plan, within its bounds: the requested quantity, else the minimum. `inPhases`
 * are the prices of phases, in place of `prices`. `requested` may also name an addon's feature. Throws InvalidQuantity; PriceNotFound for a feature without a per-unit price.
 */
export function purchasedQuantities(
	prices: readonly EffectivePrice[],
	asked: readonly PurchasedQuantity[],
	unitQuantity: number | undefined,
	{ featureName, currencyName }: Names,
	inPhases: ReadonlyArray<readonly EffectivePrice[]> = [],
): PurchasedQuantity[] {
	const all = [prices, ...inPhases];
	const sold = all.flat().filter(countsUnits);
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
		const { featureId, topUpCurrencyId } = onlyUnitPrice(
			all.find((one) => unitPricesOfPlan(one).length > 0) ?? [],
		).charge;
		const purchased = {
			featureId,
			currencyId: featureId === null ? topUpCurrencyId : null,
			quantity: toDecimal(unitQuantity),
		};
		assertSameUnits(chosen.get(keyOf(purchased)), unitQuantity);
		chosen.set(keyOf(purchased), purchased);
	}
	// Credits are topped up on demand. Units of a feature belong to the plan, so at least the minimum is bought.
	for (const [featureId, least] of minimumUnits(all.flat()))
		if (!chosen.has(featureId)) chosen.set(featureId, { featureId, currencyId: null, quantity: toDecimal(least) });
	const purchased = [...chosen.values()];
	for (const one of all)
		for (const price of one.filter(countsUnits)) {
			const units = unitsOf(price, one, purchased);
			if (units !== undefined) assertPurchasable(price.charge, units);
		}
	return purchased;
}

/** Returns the least units that the plan sells, by feature: the most that any of its prices requires. */
function minimumUnits(prices: readonly EffectivePrice[]): Map<string, number> {
	const least = new Map<string, number>();
	for (const { charge } of unitPricesOfPlan(prices))
		if (charge.featureId !== null)
			least.set(charge.featureId, Math.max(least.get(charge.featureId) ?? 0, charge.minUnitQuantity ?? 1));
	return least;
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
