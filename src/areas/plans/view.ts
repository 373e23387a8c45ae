import { toIso } from "../../kernel/clock";
import { toWire } from "../../kernel/decimal";
import type { VersionDetails } from "../packages/operations.details";
import type { VersionRow } from "../packages/table";
import type { Plan } from "./schema";

/** `createdAt` is the plan's, `updatedAt` the version's: a list filters by the one, a cache looks at the other. */
export const viewPlan = (version: VersionRow, details: VersionDetails): Plan => ({
	id: version.refId,
	displayName: version.displayName,
	description: version.description,
	productId: details.productRef,
	billingId: version.billingId,
	status: version.status,
	versionNumber: version.versionNumber,
	isLatest: version.isLatest,
	pricingType: version.pricingType,
	parentPlanId: details.parentRef,
	compatibleAddonIds: version.compatibleAddonRefs,
	defaultTrialConfig: version.defaultTrial && {
		...version.defaultTrial,
		budget: version.defaultTrial.budget && {
			limit: toWire(version.defaultTrial.budget.limit),
			hasSoftLimit: version.defaultTrial.budget.hasSoftLimit,
		},
	},
	entitlements: details.entitlements,
	metadata: version.metadata,
	createdAt: toIso(version.packageCreatedAt),
	updatedAt: toIso(version.updatedAt),
});
