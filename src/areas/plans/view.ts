import { toWire } from "../../kernel/decimal";
import type { VersionDetails } from "../packages/operations.details";
import type { VersionRow } from "../packages/table";
import { viewVersion } from "../packages/view.version";
import type { Plan } from "./schema";

export const viewPlan = (version: VersionRow, details: VersionDetails): Plan =>
	viewVersion(version, details, {
		parentPlanId: details.parentRef,
		compatibleAddonIds: version.compatibleAddonRefs,
		defaultTrialConfig: version.defaultTrial && {
			...version.defaultTrial,
			budget: version.defaultTrial.budget && {
				limit: toWire(version.defaultTrial.budget.limit),
				hasSoftLimit: version.defaultTrial.budget.hasSoftLimit,
			},
		},
	});
