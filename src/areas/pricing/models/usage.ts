import { type Decimal, divide, exact, toDecimal } from "../../../kernel/decimal";
import { type PricedCharge, type RatedCharge, rateUnits } from "./charge";

/** A feature's: reported usage is divided, then rounded to whole units. Source: docs/interface/catalogue.md. */
export interface UnitTransformation {
	readonly divide: Decimal;
	readonly round: "UP" | "DOWN";
}

/** The units that are priced and limited, of what was reported: 1 500 001 tokens by the thousand are 1501, rounded UP. */
export const inPricedUnits = (usage: Decimal, transformation: UnitTransformation | null): Decimal =>
	transformation === null
		? usage
		: toDecimal(divide(exact(usage), exact(transformation.divide), 0, transformation.round === "UP" ? "up" : "down"));

/**
 * Pay as you go: what a period's usage costs, exact. Usage is turned into units first, then into blocks, then priced by
 * the unit or by tiers (volume, graduated; stairstep is volume with flat prices only). Nothing used, or less than
 * nothing, costs nothing. Source: docs/interface/catalogue.md.
 */
export const rateUsage = (
	charge: PricedCharge,
	usage: Decimal,
	transformation: UnitTransformation | null = null,
): RatedCharge => rateUnits(charge, inPricedUnits(usage, transformation));
