import { type Buyer, chargesFor, chooseCountry, offeredPeriods } from "../pricing/price-choice";
import type { WidgetType } from "./schema";
import type { ChargeRow, PackageEntitlementRow } from "./table";

/** How a version is shown to who may buy it. */
export interface Offer {
	/** Whose prices are shown; null: those of all countries. */
	readonly buyer: Buyer | null;
	/** What is hidden there is left out. */
	readonly widget: WidgetType;
}

/** Of each thing that is priced one price for each billing period that it is sold by: the one that the buyer would pay. */
export function offeredCharges(charges: readonly ChargeRow[], { buyer }: Offer): readonly ChargeRow[] {
	if (buyer === null) return charges;
	const periods = offeredPeriods(charges);
	const chosen = new Set(
		periods.flatMap((period) => chargesFor(charges, period, chooseCountry([charges], period, buyer))),
	);
	// In the order in which they were set.
	return charges.filter((charge) => chosen.has(charge));
}

export const isOffered = ({ hiddenFromWidgets }: PackageEntitlementRow, { widget }: Offer): boolean =>
	!hiddenFromWidgets.includes(widget);
