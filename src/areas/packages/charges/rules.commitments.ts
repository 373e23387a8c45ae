import { fail } from "../../../kernel/errors";
import { assertWindowsFit, storedCommitments } from "../../pricing/commitments/rules.spend-commitment";
import type { SpendCommitment } from "../../pricing/models/spend-commitment";
import { refuse } from "../rules.field-paths";
import type { PackageKind } from "../schema";
import { chargeIntervalIn, periodIn } from "./rules.billing-periods";
import type { PackageCharges, PricingModel } from "./schema";

const where = "charges.commitments";

/**
 * Throws if commitments are those of an addon, of a free plan or of a plan that contracts bill, if two have one currency and scope, if a
 * minimum spend states the same, or if their windows do not fit the prices.
 */
export function assertPlanCommitments(kind: PackageKind, charges: PackageCharges): void {
	const { pricingType, commitments = [], pricingModels = [], minimumSpend } = charges;
	if (commitments.length === 0) return;
	if (kind === "ADDON")
		throw refuse(where, "the charges of an addon count towards those of its plan; set them on the plan.");
	if (pricingType === "FREE") throw refuse(where, "a FREE plan charges nothing; leave them out.");
	if (pricingType === "CUSTOM")
		throw fail("UnsupportedParameter", `${where}: a contract bills a CUSTOM plan; leave them out.`);
	const stated = storedCommitments(commitments, where);
	if (minimumSpend?.length || pricingModels.some(({ billingModel }) => billingModel === "MINIMUM_SPEND"))
		throw refuse(where, "a minimum spend is a commitment too; use one of both.");
	assertWindowsFit(stated, pricingModels.flatMap(windowsOf), where);
}

function windowsOf({ billingCadence, billingModel, pricePeriods }: PricingModel, at: number) {
	if (billingCadence === "ONE_OFF") return [];
	const model = `charges.pricingModels.${at}`;
	return pricePeriods.map((period) => ({
		billingPeriod: periodIn(model, period),
		chargeInterval: billingModel === "USAGE_BASED" ? chargeIntervalIn(model, period) : undefined,
	}));
}

/** Returns the commitments of a pricing as they are stored; null if it has none. */
export const planCommitments = ({ commitments = [] }: PackageCharges): SpendCommitment[] | null =>
	commitments.length === 0 ? null : storedCommitments(commitments, where);
