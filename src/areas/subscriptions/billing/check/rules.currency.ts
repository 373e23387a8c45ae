import type { PeriodOfCharge } from "../../../billing/rules.billed";
import { currencyOfCharge } from "../../../pricing/models/charge";
import { formatPeriod } from "./rules";

/** Yields charges of the catalogue that began with the present versions, and are not in the currency chosen for the subscription. */
export function* currencyDifferences(
	named: string,
	{ billingCurrency, pricesFrom }: { readonly billingCurrency: string | null; readonly pricesFrom: number },
	charges: readonly PeriodOfCharge[],
): Generator<string> {
	if (billingCurrency === null) return;
	for (const { charge, period } of charges) {
		const { terms, key } = charge;
		if (terms === null || !("item" in terms) || !terms.item.pricedBy || terms.item.pricedBy.isOwn) continue;
		const currency = currencyOfCharge(terms.item.charge);
		if (period.startsAt < pricesFrom || currency === undefined || currency === billingCurrency) continue;
		const of = `${named}, ${key} for ${formatPeriod({ start: period.startsAt, end: period.endsAt })}`;
		yield `${of}: is charged in ${currency}, expected ${billingCurrency}`;
	}
}
