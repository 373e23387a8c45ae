import { type Decimal, divide, exact, toDecimal } from "../../kernel/decimal";

/**
 * The unit conversion of a feature: it divides the reported usage, then rounds to whole units. Source:
 * docs/interface/catalogue.md#features-and-meters.
 */
export interface UnitTransformation {
	readonly divide: Decimal;
	readonly round: "UP" | "DOWN";
}

/** Returns the units for prices and limits: 1,500,001 reported tokens in thousands are 1,501, rounded UP. */
export const convertUnits = (usage: Decimal, transformation: UnitTransformation | null): Decimal =>
	transformation === null
		? usage
		: toDecimal(divide(exact(usage), exact(transformation.divide), 0, transformation.round === "UP" ? "up" : "down"));
