import { fail } from "../../../kernel/errors";
import { assertAnchor, assertAnchorFits } from "../../pricing/rules.billing-anchor";
import { intervalOf } from "../../pricing/rules.billing-period";
import { minimumPath, modelPath, periodPath, refuse } from "../rules.field-paths";
import type { PackageKind } from "../schema";
import { periodIn } from "./rules.billing-periods";
import type { PackageCharges } from "./schema";

/**
 * Throws if the anchor of a pricing has missing or unneeded parts, does not fit one of its billing periods, or is one of an addon,
 * of a free plan, or of a plan that contracts bill.
 */
export function assertPlanAnchor(kind: PackageKind, charges: PackageCharges): void {
	const { pricingType, billingAnchor } = charges;
	if (!billingAnchor) return;
	const where = "charges.billingAnchor";
	if (kind === "ADDON") throw refuse(where, "an addon is billed with its plan; set it on the plan.");
	if (pricingType === "FREE") throw refuse(where, "a FREE plan charges nothing; leave it out.");
	if (pricingType === "CUSTOM")
		throw fail("UnsupportedParameter", `${where}: a contract bills a CUSTOM plan; leave it out.`);
	assertAnchor(billingAnchor, where);
	assertAnchorFits(billingAnchor, periodsOf(charges).map(intervalOf), where);
}

const periodsOf = ({ pricingModels = [], minimumSpend }: PackageCharges) => [
	...pricingModels.flatMap(({ pricePeriods }, model) =>
		pricePeriods.map((period, at) => periodIn(periodPath(modelPath("pricingModels", model), at), period)),
	),
	...(minimumSpend ?? []).map((period, at) => periodIn(minimumPath(at), period)),
];
