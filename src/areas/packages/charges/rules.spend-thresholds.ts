import { fail } from "../../../kernel/errors";
import { assertThresholds } from "../../pricing/rules.spend-thresholds";
import { refuse } from "../rules.field-paths";
import type { PackageKind } from "../schema";
import type { PackageCharges } from "./schema";

/** Throws if thresholds are those of an addon, of a free plan or of a plan that contracts bill, or if two have one currency. */
export function assertPlanThresholds(kind: PackageKind, { pricingType, spendThresholds }: PackageCharges): void {
	if (!spendThresholds) return;
	const where = "charges.spendThresholds";
	if (kind === "ADDON") throw refuse(where, "an addon is billed with its plan; set them on the plan.");
	if (pricingType === "FREE") throw refuse(where, "a FREE plan charges nothing; leave them out.");
	if (pricingType === "CUSTOM")
		throw fail("UnsupportedParameter", `${where}: a contract bills a CUSTOM plan; leave them out.`);
	assertThresholds(spendThresholds, where);
}
