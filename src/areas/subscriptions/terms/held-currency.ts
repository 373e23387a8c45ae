import { fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { getCustomerById } from "../../customers/operations";
import { chargesOfVersions } from "../../packages/operations";
import type { CurrencyTerms } from "../../pricing/choice/currency";
import { chargesFor, currenciesOf } from "../../pricing/choice/price";
import type { SubscriptionRow } from "../table";
import { buyerOf } from "./buyer";
import { selectAddons } from "./store";

/**
 * Returns the currency that a subscription has: the one chosen for it, or else that of its prices in the catalogue. Null if nothing
 * costs money. Only a chosen currency is fixed.
 */
export function heldCurrency(work: Work, row: SubscriptionRow): CurrencyTerms["held"] {
	if (row.billingCurrency !== null) return { currency: row.billingCurrency, isFixed: true };
	if (row.billingPeriod === null) return null;
	const versionIds = [row.versionId, ...selectAddons(work, [row.id]).map(({ versionId }) => versionId)];
	const charges = [...chargesOfVersions(work, versionIds).values()].flat();
	const [currency] = currenciesOf(chargesFor(charges, row.billingPeriod, row.billingCountryCode));
	return currency === undefined ? null : { currency, isFixed: false };
}

/** Returns the currencies for a change of a subscription. One without prices gets its currency from the payer when it gets prices. */
export function keptCurrency(work: Work, row: SubscriptionRow): CurrencyTerms {
	const held = heldCurrency(work, row);
	const payer = held ? null : buyerOf(getCustomerById(work, row.payingCustomerId ?? row.customerId)).currency;
	return { requested: null, preferred: payer === null ? [] : [payer], held };
}

/** Returns the currencies for a new sale to a payer. `replaced` is the subscription that it replaces or follows. */
export function soldCurrency(
	work: Work,
	requested: string | undefined,
	payer: string | null,
	replaced: SubscriptionRow | undefined,
): CurrencyTerms {
	const former = replaced && heldCurrency(work, replaced)?.currency;
	const preferred = [former, payer].filter((currency) => typeof currency === "string");
	return { requested: requested ?? null, preferred, held: null };
}

/** Throws InvalidArgumentError if a change names another currency than those of the subscription. */
export function assertSameCurrency(
	requested: string | undefined,
	currencies: readonly string[],
	where = "body/billingCurrency",
): void {
	if (requested === undefined || currencies.includes(requested)) return;
	const [held] = currencies;
	throw fail(
		"InvalidArgumentError",
		held === undefined
			? `${where}: the subscription has no price, and gets its currency when it is sold a paid plan; leave it out.`
			: `${where}: the subscription is in ${held} and keeps this currency; to change to ${requested}, cancel it and sell a new one.`,
	);
}
