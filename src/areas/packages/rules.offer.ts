import { type Buyer, chooseCountry } from "../pricing/choice/country";
import { offeredCurrency } from "../pricing/choice/currency";
import { chargesFor, offeredPeriods } from "../pricing/choice/price";
import type { WidgetType } from "./schema";
import type { ChargeRow, PackageEntitlementRow } from "./table";

/** The way in which a version is shown to a potential buyer. */
export interface Offer {
	/** The buyer whose prices are shown; null for the prices of all countries. */
	readonly buyer: Buyer | null;
	/** The currency in which the prices are shown if everything that recurs has a price in it; lower case ISO 4217. */
	readonly currency?: string | undefined;
	/** The currencies that a version with prices in several prefers to that of the buyer. */
	readonly preferred?: readonly string[];
	/** Entitlements hidden from this widget are omitted. */
	readonly widget: WidgetType;
}

/** Returns the prices that the buyer would pay: one for each priced item and billing period. */
export function offeredCharges(charges: readonly ChargeRow[], offer: Offer): readonly ChargeRow[] {
	const { buyer } = offer;
	if (buyer === null) return charges;
	const requested = offer.currency ?? null;
	const preferred = [...(offer.preferred ?? []), ...(buyer.currency === null ? [] : [buyer.currency])];
	const periods = offeredPeriods(charges);
	const chosen = new Set(
		periods.flatMap((period) => {
			const country = chooseCountry([charges], period, buyer);
			const currency = offeredCurrency([charges], period, country, { requested, preferred, held: null });
			return chargesFor(charges, period, country, currency);
		}),
	);
	// Keeps the order in which the charges were set.
	return charges.filter((charge) => chosen.has(charge));
}

export const isOffered = ({ hiddenFromWidgets }: PackageEntitlementRow, { widget }: Offer): boolean =>
	!hiddenFromWidgets.includes(widget);
