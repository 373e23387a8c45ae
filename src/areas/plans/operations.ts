import { toDecimal } from "../../kernel/decimal";
import type { Work } from "../../kernel/work";
import { updatePackage } from "../packages/charges/operations";
import { assertDraftStatus, newTerms, sentTerms } from "../packages/rules";
import { createPackage } from "../packages/versions/operations";
import type { DefaultTrialConfig, PlanCreate, PlanUpdate } from "./schema";

const trialOf = (config: DefaultTrialConfig | null) =>
	config && {
		duration: config.duration,
		units: config.units,
		budget: config.budget ? { limit: toDecimal(config.budget.limit), hasSoftLimit: config.budget.hasSoftLimit } : null,
		trialEndBehavior: config.trialEndBehavior ?? null,
		...(config.billsUsage && { billsUsage: true as const }),
	};

/** Creates a plan as a draft. For the error codes see `createPackage`. */
export function createPlan(work: Work, input: PlanCreate) {
	assertDraftStatus(input.status);
	return createPackage(work, {
		kind: "PLAN",
		refId: input.id,
		productRef: input.productId,
		terms: {
			...newTerms(input),
			parentRef: input.parentPlanId ?? null,
			defaultTrial: trialOf(input.defaultTrialConfig ?? null),
		},
	});
}

/** Changes the sent fields of the draft; null clears a field. For the error codes see `updatePackage`. */
export const updatePlan = (work: Work, refId: string, input: PlanUpdate) =>
	updatePackage(
		work,
		"PLAN",
		refId,
		{
			...sentTerms(input),
			...(input.parentPlanId !== undefined && { parentRef: input.parentPlanId }),
			...(input.compatibleAddonIds !== undefined && { compatibleAddonRefs: input.compatibleAddonIds }),
			...(input.defaultTrialConfig !== undefined && { defaultTrial: trialOf(input.defaultTrialConfig) }),
		},
		input.charges,
	);
