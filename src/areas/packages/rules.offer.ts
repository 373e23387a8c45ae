import { type Buyer, chargesFor, chooseCountry, offeredPeriods } from "../pricing/price-choice";
import type { WidgetType } from "./schema";
import type { ChargeRow, PackageEntitlementRow } from "./table";

/** The way in which a version is shown to a potential buyer. */
export interface Offer {
	/** The buyer whose prices are shown; null for the prices of all countries. */
	readonly buyer: Buyer | null;
	/** Entitlements hidden from this widget are omitted. */
	readonly widget: WidgetType;
}

/** Returns the prices that the buyer would pay: one for each priced item and billing period. */
export function offeredCharges(charges: readonly ChargeRow[], { buyer }: Offer): readonly ChargeRow[] {
	if (buyer === null) return charges;
	const periods = offeredPeriods(charges);
	const chosen = new Set(
		periods.flatMap((period) => chargesFor(charges, period, chooseCountry([charges], period, buyer))),
	);
	// Keeps the order in which the charges were set.
	return charges.filter((charge) => chosen.has(charge));
}

export const isOffered = ({ hiddenFromWidgets }: PackageEntitlementRow, { widget }: Offer): boolean =>
	!hiddenFromWidgets.includes(widget);
