import type { UnitTransformation } from "../../pricing/models/usage";
import type { RatedItem } from "./rules.cycles";

/** By what the usage of a cycle was priced. */
export interface UsageTerms extends Pick<RatedItem, "pricingModelId" | "rows" | "discount" | "tax"> {
	readonly unitTransformation: UnitTransformation | null;
}
