import type { PeriodOfCharge } from "../../../billing/rules.billed";
import type { IssuedLine } from "../../../invoices/check/operations.documents";
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

interface Sold {
	readonly id: string;
	/** Its invoices also bill the usage until then of the subscription that it replaced. */
	readonly startAt: number;
	/** The currency of the subscription; null: it has none. */
	readonly currency: string | null;
	/** Usage before was counted at the prices of former versions. */
	readonly pricesFrom: number;
}

/**
 * Yields usage whose price is in another currency than the subscription, by its stored terms and by its lines, and lines of usage on an
 * invoice in another currency.
 */
export function* usageCurrencyDifferences(
	named: string,
	{ id, startAt, currency, pricesFrom }: Sold,
	windows: readonly PeriodOfCharge[],
	lines: readonly IssuedLine[],
): Generator<string> {
	if (currency === null) return;
	for (const { charge, period } of windows) {
		if (period.startsAt < pricesFrom || charge.terms === null || !("prices" in charge.terms)) continue;
		for (const price of charge.terms.prices) {
			const found = currencyOfCharge(price.charge);
			if (found !== undefined && found !== currency && !price.pricedBy?.isOwn)
				yield `${named}, ${charge.key} for ${formatPeriod({ start: period.startsAt, end: period.endsAt })}: has a price in ${found}, expected ${currency}`;
		}
	}
	for (const { named: one, line, invoice } of lines) {
		const { kind, basis, periodStart, periodEnd } = line;
		if (kind !== "PayAsYouGoCharge" && kind !== "OverageCharge") continue;
		if (invoice?.subscriptionId !== id || periodStart === null || periodStart < pricesFrom) continue;
		if (periodEnd !== null && periodEnd <= startAt) continue;
		if (basis?.pricedBy?.isOwn) continue;
		const found = basis?.charge && currencyOfCharge(basis.charge);
		if (invoice.currency !== currency) yield `${one}: charges usage in ${invoice.currency}, expected ${currency}`;
		else if (found !== undefined && found !== currency)
			yield `${one}: charges usage at a price in ${found}, expected ${currency}`;
	}
}
