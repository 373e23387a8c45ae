import { fail } from "../../../kernel/errors";
import type { Phase } from "../../pricing/rules.phases";
import { refuse } from "../rules.field-paths";
import { storedPhases } from "../rules.phases";
import type { PackageKind } from "../schema";
import type { PackageCharges } from "./schema";

const where = "charges.phases";

/** Throws if the phases of a pricing do not fit, or are those of an addon, of a free plan, or of a plan that contracts bill. */
export function assertPlanPhases(kind: PackageKind, { pricingType, phases = [] }: PackageCharges): void {
	if (phases.length === 0) return;
	if (kind === "ADDON") throw refuse(where, "an addon has no phases; set them on the plan.");
	if (pricingType === "FREE") throw refuse(where, "a FREE plan charges nothing; leave them out.");
	if (pricingType === "CUSTOM")
		throw fail("UnsupportedParameter", `${where}: a contract bills a CUSTOM plan; leave them out.`);
	storedPhases(phases, where);
}

/** Returns the phases of a pricing as they are stored; null if it has none. */
export const planPhases = ({ phases = [] }: PackageCharges): Phase[] | null =>
	phases.length === 0 ? null : storedPhases(phases, where);
