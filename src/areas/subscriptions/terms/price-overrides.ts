import type { Decimal } from "../../../kernel/decimal";
import { fail } from "../../../kernel/errors";
import type { OfferedCharge } from "../../pricing/choice/price";
import { currencyOfCharge } from "../../pricing/models/charge";
import type { PriceTermChanges } from "../../pricing/models/price-terms";
import { type AgreedPrices, assertOwnWindows, termsWith } from "./override-terms";
import type { EffectivePrice, Names } from "./prices";

/** The columns of `subscriptions.price_overrides`. The type is structural, so that these rules need no table. */
export interface Override {
	readonly isBase: boolean;
	readonly addonRefId: string | null;
	readonly featureRefId: string | null;
	readonly currencyRefId?: string | null;
	readonly billingCountryCode: string | null;
	readonly amount: Decimal | null;
	readonly currency: string | null;
	readonly blockSize: Decimal | null;
	readonly tiers: OfferedCharge["tiers"];
	readonly key?: string;
	readonly terms?: PriceTermChanges;
	readonly priced?: AgreedPrices;
}

/**
 * Replaces catalogue prices by the subscription's own: the plan's flat fee (`isBase`), or a price by feature or addon.
 * An override for another country does not apply yet. Throws PriceNotFound if there is no price to replace.
 */
export function withOverrides<Charge extends OfferedCharge>(
	prices: readonly EffectivePrice<Charge>[],
	overrides: readonly Override[],
	billingCountryCode: string | null,
	names: Pick<Names, "featureRef" | "currencyRef">,
): EffectivePrice<Charge>[] {
	let held = [...prices];
	for (const override of overrides) {
		if (override.billingCountryCode !== null && override.billingCountryCode !== billingCountryCode) continue;
		const replaces = (price: EffectivePrice<Charge>) => isMeantBy(override, price, names);
		if (!held.some(replaces))
			throw fail("PriceNotFound", `There is no price of ${subjectOf(override)} to override for this billing period.`);
		held = held.map((price) =>
			replaces(price) ? { ...price, charge: overridden(price.charge, override), isOwn: true } : price,
		);
	}
	if (overrides.some(({ terms }) => terms?.chargeInterval === null)) assertOwnWindows(held, names);
	return held;
}

function isMeantBy(
	{ isBase, addonRefId, featureRefId, currencyRefId = null, key }: Override,
	{ charge, package: { refId, isAddon } }: EffectivePrice,
	{ featureRef, currencyRef }: Pick<Names, "featureRef" | "currencyRef">,
): boolean {
	if (key !== undefined) return charge.key === key && (addonRefId === null || refId === addonRefId);
	if (charge.isOverage || charge.billingModel === "MINIMUM_SPEND") return false;
	if (isAddon ? refId !== addonRefId : addonRefId !== null) return false;
	if (currencyRefId !== null)
		return charge.topUpCurrencyId !== null && currencyRef(charge.topUpCurrencyId) === currencyRefId;
	if (featureRefId !== null) return charge.featureId !== null && featureRef(charge.featureId) === featureRefId;
	if (isBase) return charge.billingModel === "FLAT_FEE";
	return isAddon;
}

const subjectOf = ({ isBase, addonRefId, featureRefId, currencyRefId, key }: Override): string => {
	if (key !== undefined) return `the charge '${key}'`;
	const of = addonRefId === null ? "the plan" : `the addon '${addonRefId}'`;
	if (currencyRefId) return `the credits '${currencyRefId}' in ${of}`;
	return featureRefId !== null ? `the feature '${featureRefId}' in ${of}` : isBase ? `the base charge of ${of}` : of;
};

function overridden<Charge extends OfferedCharge>(charge: Charge, override: Override): Charge {
	const { amount, currency, blockSize, tiers, terms, priced } = override;
	const own = currencyOfCharge(charge);
	if (own === undefined && (amount !== null || tiers !== null))
		throw fail("InvalidArgumentError", "A price in credits has no amount of money to override; leave the amount out.");
	const replaced = {
		...charge,
		...(amount === null || own === undefined
			? {}
			: { price: { amount, currency: currency ?? own }, tiers: null, tiersMode: null }),
		...(tiers === null ? {} : { tiers, price: null, tiersMode: charge.tiersMode ?? "GRADUATED" }),
		...(blockSize === null ? {} : { blockSize }),
		...(priced?.transactionPrice && { price: null, tiers: null, tiersMode: null, blockSize: null }),
	};
	const isPriced = amount !== null || tiers !== null;
	if (!terms && !priced && !(isPriced && charge.priceTerms)) return replaced;
	const ofUnits = currencyOfCharge({ ...replaced, priceTerms: null });
	return { ...replaced, priceTerms: termsWith(replaced, override, ofUnits ?? currency ?? own) };
}
