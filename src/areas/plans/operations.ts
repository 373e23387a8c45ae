import { toDecimal } from "../../kernel/decimal";
import { fail } from "../../kernel/errors";
import type { Work } from "../../kernel/work";
import { packagesByRefs } from "../packages/operations";
import { updatePackage } from "../packages/operations.charges";
import { createPackage } from "../packages/operations.lifecycle";
import { assertDraftStatus, sentTerms } from "../packages/rules";
import type { ProductSettings } from "../products/schema";
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

/** The plans that a product's settings name must exist and be its own. Throws PlanNotFound. */
export function assertJourneyPlans(
	work: Work,
	product: { readonly id: string; readonly refId: string },
	settings: ProductSettings | undefined,
): void {
	const refs = [settings?.subscriptionStartPlanId, settings?.downgradePlanId].filter((ref) => ref != null);
	const found = packagesByRefs(work, "PLAN", refs);
	const missing = refs.find((ref) => found.get(ref)?.productId !== product.id);
	if (missing !== undefined)
		throw fail(
			"PlanNotFound",
			`Product '${product.refId}' has no plan '${missing}' for its settings to name; create it first.`,
		);
}
