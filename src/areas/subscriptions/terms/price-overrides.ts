import { type Decimal, exact } from "../../../kernel/decimal";
import { fail } from "../../../kernel/errors";
import type { OfferedCharge } from "../../pricing/choice/price";
import { assertCommitment, withinPeriod } from "../../pricing/commitments/rules.commitment";
import { currencyOfCharge } from "../../pricing/models/charge";
import type { PriceTermChanges, PriceTerms } from "../../pricing/models/price-terms";
import { windowPeriodOf } from "../../pricing/rules.billing-period";
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
	const { amount, currency, blockSize, tiers } = override;
	const own = currencyOfCharge(charge);
	if (own === undefined && (amount !== null || tiers !== null))
		throw fail("InvalidArgumentError", "A price in credits has no amount of money to override; leave the amount out.");
	return {
		...charge,
		...(amount === null || own === undefined
			? {}
			: { price: { amount, currency: currency ?? own }, tiers: null, tiersMode: null }),
		...(tiers === null ? {} : { tiers, price: null, tiersMode: charge.tiersMode ?? "GRADUATED" }),
		...(blockSize === null ? {} : { blockSize }),
		...(override.terms && { priceTerms: termsWith(charge, override.terms) }),
	};
}

/** Returns the terms of a price with changes. Throws InvalidArgumentError unless it is a price of usage, and its bounds agree. */
function termsWith(charge: OfferedCharge, changes: NonNullable<Override["terms"]>): PriceTerms | null {
	const { billingModel, priceTerms } = charge;
	if (billingModel !== "USAGE_BASED")
		throw fail(
			"InvalidArgumentError",
			`body/priceOverrides: 'commitment', 'minimumAmount' and 'maximumAmount' bound the cost of usage, and the price is ${billingModel}; leave them out.`,
		);
	const { minimumAmount = null, maximumAmount = null, commitment = null, ...others } = { ...priceTerms, ...changes };
	if (minimumAmount !== null && maximumAmount !== null && exact(minimumAmount).gt(maximumAmount))
		throw fail(
			"InvalidArgumentError",
			`body/priceOverrides: 'minimumAmount' ${minimumAmount} is above 'maximumAmount' ${maximumAmount}; lower it, or raise the maximum.`,
		);
	if (others.eventInvoicing && (commitment !== null || (minimumAmount !== null && !exact(minimumAmount).eq(0))))
		throw fail(
			"UnsupportedParameter",
			`body/priceOverrides: each event charges the price, and ${commitment !== null ? "'commitment'" : "'minimumAmount'"} is settled at the end of a window; leave it out.`,
		);
	const terms: PriceTerms = {
		...others,
		...(minimumAmount !== null && !exact(minimumAmount).eq(0) && { minimumAmount }),
		...(maximumAmount !== null && { maximumAmount }),
		...(commitment !== null && { commitment: withinPeriod(commitment, windowPeriodOf(charge)) }),
	};
	assertCommitment("body/priceOverrides", { ...charge, priceTerms: terms });
	return Object.keys(terms).length === 0 ? null : terms;
}
