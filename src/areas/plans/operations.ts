import { toDecimal } from "../../kernel/decimal";
import type { Work } from "../../kernel/work";
import { updatePackage } from "../packages/charges/operations";
import { assertDraftStatus, sentTerms } from "../packages/rules";
import { createPackage } from "../packages/versions/operations";
import type { DefaultTrialConfig, PlanCreate, PlanUpdate } from "./schema";

const trialOf = (config: DefaultTrialConfig | null) =>
	config && {
		duration: config.duration,
		units: config.units,
		budget: config.budget ? { limit: toDecimal(config.budget.limit), hasSoftLimit: config.budget.hasSoftLimit } : null,
		trialEndBehavior: config.trialEndBehavior ?? null,
	};

/** Starts a plan as a draft. For the codes see `createPackage`. */
export function createPlan(work: Work, input: PlanCreate) {
	assertDraftStatus(input.status);
	return createPackage(work, {
		kind: "PLAN",
		refId: input.id,
		productRef: input.productId,
		terms: {
			displayName: input.displayName,
			description: input.description ?? null,
			billingId: input.billingId ?? null,
			metadata: input.metadata ?? {},
			pricingType: input.pricingType ?? null,
			parentRef: input.parentPlanId ?? null,
			defaultTrial: trialOf(input.defaultTrialConfig ?? null),
		},
	});
}

/** Changes what is sent, on the draft; null clears. For the codes see `updatePackage`. */
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
