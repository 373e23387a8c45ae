import { toIso, toIsoOrNull } from "../../kernel/clock";
import { toWireOrNull } from "../../kernel/decimal";
import type { PromotionalEntitlement } from "./schema";
import type { Grant } from "./store";

export const viewPromotionalEntitlement = (grant: Grant): PromotionalEntitlement => ({
	id: grant.id,
	environmentId: grant.environmentId,
	featureId: grant.featureRefId,
	description: null,
	featureGroupIds: grant.featureGroupIds,
	status: grant.status,
	period: grant.period,
	startDate: toIso(grant.startAt),
	endDate: toIsoOrNull(grant.endAt),
	usageLimit: toWireOrNull(grant.usageLimit),
	hasUnlimitedUsage: grant.hasUnlimitedUsage,
	hasSoftLimit: grant.hasSoftLimit,
	enumValues: grant.enumValues,
	isVisible: grant.isVisible,
	resetPeriod: grant.resetPeriod,
	resetPeriodConfiguration: grant.resetAnchor && { accordingTo: grant.resetAnchor },
	createdAt: toIso(grant.createdAt),
	updatedAt: toIso(grant.updatedAt),
});
