import { fail } from "../../kernel/errors";
import { currencyOfCharge, type PricedCharge } from "./charge";

export type BillingPeriod = "MONTHLY" | "ANNUALLY";

/** What the choice among a version's price rows reads. A charge is one row for each billing period and country. */
export interface OfferedCharge extends PricedCharge {
	readonly isOverage: boolean;
	readonly billingCadence: "RECURRING" | "ONE_OFF";
	readonly billingPeriod: BillingPeriod;
	readonly billingCountryCode: string | null;
	readonly featureId: string | null;
	readonly overageCurrencyId: string | null;
	readonly topUpCurrencyId: string | null;
	readonly creditCurrencyId: string | null;
}

/** The billing periods that a version's own prices (not its overage) are offered for, shorter first. */
export const offeredPeriods = (charges: readonly OfferedCharge[]): BillingPeriod[] =>
	(["MONTHLY", "ANNUALLY"] as const).filter((period) =>
		charges.some((charge) => !charge.isOverage && charge.billingPeriod === period),
	);

/**
 * The period a subscription is billed by: the one asked for, or the only one offered; null when nothing is priced.
 * Several offered and none asked is refused rather than guessed (BillingPeriodMissingError; source: semantics-extra 4).
 */
export function chooseBillingPeriod(
	charges: readonly OfferedCharge[],
	asked: BillingPeriod | undefined,
): BillingPeriod | null {
	const offered = offeredPeriods(charges);
	const [only] = offered;
	if (only === undefined) return asked ?? null;
	if (asked !== undefined) {
		if (offered.includes(asked)) return asked;
		throw fail("BillingPeriodMissingError", `There is no ${asked} price; choose ${offered.join(" or ")}.`);
	}
	if (offered.length > 1)
		throw fail("BillingPeriodMissingError", `Give 'billingPeriod': the prices are ${offered.join(" and ")}.`);
	return only;
}

/**
 * One row for each thing that is priced: the country's where there is one, else the default (no country).
 * Source: semantics-extra 10, Localisation. A thing without a row for the period, or with foreign rows only, is left out.
 */
export function chargesFor<Charge extends OfferedCharge>(
	charges: readonly Charge[],
	billingPeriod: BillingPeriod,
	billingCountryCode: string | null,
): Charge[] {
	const chosen = new Map<string, Charge>();
	for (const charge of charges) {
		if (charge.billingPeriod !== billingPeriod) continue;
		const country = charge.billingCountryCode;
		if (country !== null && country !== billingCountryCode) continue;
		const thing = pricedThing(charge);
		if (country !== null || !chosen.has(thing)) chosen.set(thing, charge);
	}
	return [...chosen.values()];
}

const pricedThing = (charge: OfferedCharge): string =>
	JSON.stringify([
		charge.isOverage,
		charge.billingModel,
		charge.billingCadence,
		charge.featureId,
		charge.overageCurrencyId,
		charge.topUpCurrencyId,
		charge.creditCurrencyId,
	]);

/** The one currency of all prices; undefined when none costs money. Two currencies cannot share an invoice. */
export function currencyOf(charges: readonly PricedCharge[]): string | undefined {
	const currencies = [...new Set(charges.map(currencyOfCharge).filter((currency) => currency !== undefined))];
	if (currencies.length > 1)
		throw fail(
			"InvalidArgumentError",
			`The prices are in ${currencies.join(" and ")}; choose packages of one currency.`,
		);
	return currencies[0];
}

/** What a renewal charges again: everything that was not paid once and for all when the subscription began. */
export const recurringCharges = <Charge extends Pick<OfferedCharge, "billingCadence">>(
	charges: readonly Charge[],
): Charge[] => charges.filter(({ billingCadence }) => billingCadence === "RECURRING");
