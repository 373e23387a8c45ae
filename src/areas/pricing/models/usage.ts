import type { Decimal } from "../../../kernel/decimal";
import { convertUnits, type UnitTransformation } from "../unit-conversion";
import { type PricedCharge, type RatedCharge, rateUnits } from "./charge";

/**
 * Rates the usage of a period (pay as you go), exact. Usage is converted to units, then to blocks, then priced by the
 * unit or by tiers. Zero or negative usage costs nothing. Source: docs/interface/catalogue.md#prices.
 */
export const rateUsage = (
	charge: PricedCharge,
	usage: Decimal,
	transformation: UnitTransformation | null = null,
): RatedCharge => rateUnits(charge, convertUnits(usage, transformation));
