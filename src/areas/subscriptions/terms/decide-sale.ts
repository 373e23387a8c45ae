import { fail } from "../../../kernel/errors";
import type { StoredPhase } from "../../packages/rules.phases";
import type { ChargeRow, VersionRow } from "../../packages/table";
import { type Buyer, chooseCountry } from "../../pricing/choice/country";
import { type CurrencyTerms, chooseCurrency } from "../../pricing/choice/currency";
import {
	chooseBillingPeriod,
	currenciesOf,
	currencyOf,
	notBilledWithin,
	type OfferedCharge,
} from "../../pricing/choice/price";
import { type BillingPeriod, periodText } from "../../pricing/rules.billing-period";
import { phaseName } from "../../pricing/rules.phases";
import { assertProductActive } from "../../products/rules";
import { assertAddonsFit } from "../rules";
import type { PriceOverride } from "../table";
import type { RequestedItems, SaleContext } from "./load-sale-context";
import type { Names, SoldPackage } from "./prices";
import { purchasedQuantities } from "./purchased-quantities";
import { effectivePrices, pricesInPhase, type Sale, soldPackages } from "./sale";

/** The terms that a sale is requested with. */
export interface RequestedTerms {
	readonly unitQuantity?: number | undefined;
	readonly billingPeriod?: BillingPeriod | undefined;
	/** The buyer for whom prices are chosen, or the country of the chosen prices (null: the default prices). */
	readonly prices: ({ readonly buyer: Buyer } | { readonly country: string | null }) & {
		readonly currency: CurrencyTerms;
	};
	readonly priceOverrides: readonly PriceOverride[];
}

export type SaleRequest = RequestedItems & RequestedTerms;

/**
 * Checks and prices a sale. Throws EntityIsArchivedError, BillingPeriodMissingError, InvalidQuantity, PriceNotFound, and the codes of
 * `assertAddonsFit`.
 */
export function decideSale(context: SaleContext, requested: RequestedTerms): Sale {
	const { product, plan, addons, charges, requestedUnits, ownPhases, names } = context;
	const { unitQuantity, prices: choice, priceOverrides } = requested;
	assertProductActive(product);
	assertAddonsFit(plan, addons);
	const sold = soldPackages({ plan, addons }, charges);
	const billingPeriod = billingPeriodOf(plan, sold, requested.billingPeriod);
	if (billingPeriod !== null && plan.pricingType === "PAID")
		for (const one of sold) assertBilledWithin(one, billingPeriod, names);
	const priceLists = sold.map((one) => one.charges);
	const billingCountryCode =
		"country" in choice ? choice.country : chooseCountry(priceLists, billingPeriod, choice.buyer);
	const billingCurrency = chooseCurrency(priceLists, billingPeriod, billingCountryCode, choice.currency);
	const prices = effectivePrices(sold, { billingPeriod, billingCountryCode, billingCurrency, priceOverrides }, names);
	assertOneCurrency(prices, billingCurrency, choice.currency, priceOverrides);
	const priced = {
		product,
		plan,
		addons,
		billingPeriod,
		billingCountryCode,
		billingCurrency,
		ownPhases,
		prices,
		names,
	};
	const purchased = purchasedQuantities(prices, requestedUnits, unitQuantity, names, pricesOfPhases(priced));
	return { ...priced, purchased };
}

/**
 * Returns the prices in each phase that has prices of its own. Throws BillingPeriodMissingError for a phase that cannot be billed by
 * the period, PriceNotFound for one without prices in the chosen currency, and InvalidArgumentError for one in another currency.
 */
function pricesOfPhases(sale: Omit<Sale, "purchased">): Sale["prices"][] {
	const { plan, ownPhases, billingPeriod, billingCountryCode, billingCurrency, names } = sale;
	const phases = (ownPhases ?? plan.phases ?? []).filter(({ charges }) => charges !== undefined);
	if (phases.length === 0 || billingPeriod === null) return [];
	return phases.map((phase) => {
		assertPhaseBilled(phase, billingPeriod, names);
		if (billingCurrency !== null) {
			const held = { currency: billingCurrency, isFixed: true };
			chooseCurrency([phase.charges?.prices ?? []], billingPeriod, billingCountryCode, {
				...{ requested: null, preferred: [] },
				held,
			});
		}
		const prices = pricesInPhase(sale, phase);
		currencyOf([...sale.prices, ...prices].map(({ charge }) => charge));
		return prices;
	});
}

function assertPhaseBilled(phase: StoredPhase, billingPeriod: BillingPeriod, names: Names): void {
	const displayName = phaseName(phase);
	const charges = phase.charges?.prices ?? [];
	assertBilledWithin({ displayName, charges }, billingPeriod, names);
	if (charges.length === 0)
		throw fail(
			"BillingPeriodMissingError",
			`The phase '${displayName}' has no prices; price it, or use 'percentOff' 100 for a phase without charges.`,
		);
}

/**
 * Throws InvalidArgumentError if prices are in two currencies, or if a price override is in another currency than the one that the call
 * names. Otherwise a later bill, with prices that this one does not have, could not be issued.
 */
function assertOneCurrency(
	prices: Sale["prices"],
	billingCurrency: string | null,
	{ requested }: CurrencyTerms,
	priceOverrides: readonly PriceOverride[],
): void {
	const currencies = currenciesOf(prices.map(({ charge }) => charge));
	const [currency, other] = currencies;
	if (other !== undefined && priceOverrides.some((one) => one.currency !== null || one.tiers !== null))
		throw fail(
			"InvalidArgumentError",
			`body/priceOverrides: the prices are in ${currencies.join(" and ")}; state them in one currency, or leave 'currency' out.`,
		);
	currencyOf(prices.map(({ charge }) => charge));
	if (billingCurrency === null || currency === undefined || currency === billingCurrency) return;
	if (requested !== billingCurrency) return;
	throw fail(
		"InvalidArgumentError",
		`body/priceOverrides: the prices are in ${currency}, and 'billingCurrency' is ${billingCurrency}; override them in ${billingCurrency}.`,
	);
}

/** The plan's own prices decide; a custom plan without prices takes the requested period. */
function billingPeriodOf(
	plan: VersionRow,
	[own, ...addons]: readonly SoldPackage<ChargeRow>[],
	requested: BillingPeriod | undefined,
): BillingPeriod | null {
	if (plan.pricingType === "FREE" || plan.pricingType === null) return null;
	const charges = own && own.charges.length > 0 ? own.charges : addons.flatMap((addon) => addon.charges);
	const chosen = chooseBillingPeriod(charges, requested);
	if (chosen === null && plan.pricingType === "PAID" && charges.length > 0)
		throw fail("BillingPeriodMissingError", "Give 'billingPeriod': MONTHLY or ANNUALLY.");
	return chosen;
}

/** Rejects a package that has no price for the billing period: it would be sold for nothing. */
function assertBilledWithin(
	{ displayName, charges }: Pick<SoldPackage<OfferedCharge>, "displayName" | "charges">,
	billingPeriod: BillingPeriod,
	{ featureRef }: Names,
): void {
	const missing = notBilledWithin(charges, billingPeriod);
	if (!missing) return;
	const subject =
		missing.featureId === null ? `'${displayName}'` : `'${featureRef(missing.featureId)}' in '${displayName}'`;
	throw fail(
		"BillingPeriodMissingError",
		`${subject} has a ${periodText(missing.billingPeriod)} price only, and cannot be billed ${periodText(billingPeriod)}; choose another period, or price it ${periodText(billingPeriod)}.`,
	);
}
