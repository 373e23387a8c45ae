import type { UnitTransformation } from "../../pricing/unit-conversion";
import type { RatedItem } from "./rules.cycles";

/** The prices of a cycle's usage. */
export interface UsageTerms extends Pick<RatedItem, "pricingModelId" | "rows" | "discount" | "tax"> {
	readonly unitTransformation: UnitTransformation | null;
}
