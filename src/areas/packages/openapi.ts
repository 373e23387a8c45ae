import { operation } from "../../openapi/operation";
import type { PackageKind } from "./schema";

const words = {
	PLAN: {
		area: "plans",
		noun: "plan",
		id: "plan-pro",
		drafted: "plan-growth",
		unused: "plan-classic",
		missing: "PlanNotFound",
	},
	ADDON: {
		area: "addons",
		noun: "addon",
		id: "addon-priority-support",
		drafted: "addon-onboarding",
		unused: "addon-classic",
		missing: "AddonNotFound",
	},
} as const;

const archiveRefusals = {
	PLAN: ["DraftPlanCantBeArchived", "PlanIsUsedAsDefaultStartPlan", "PlanIsUsedAsDowngradePlan"],
	ADDON: ["DraftAddonCantBeArchived", "AddonWithDraftCannotBeDeletedError"],
} as const;

/** Returns the operations that plans and addons share. */
export const packageOperations = (kind: PackageKind) => {
	const { area, noun, id, drafted, unused, missing } = words[kind];
	const path = { id: [`The ${noun}'s id`, id] } as const;
	const draft = { id: [`The ${noun}'s id`, drafted] } as const;
	const entitlement = {
		...draft,
		entitlementId: ["The id of the feature or currency that is granted", "feature-projects"],
	} as const;
	const an = kind === "PLAN" ? "a plan" : "an addon";
	return {
		list: operation({
			operationId: `${area}.list`,
			summary: `List ${noun}s`,
			description: `Each ${noun} shows the version that is sold, or its draft where none was published yet.`,
			query: { productId: `Only ${noun}s of this product`, status: `Only ${noun}s in these states` },
		}),
		retrieve: operation({ operationId: `${area}.retrieve`, summary: `Show ${an}`, path, refusals: [missing] }),
		listVersions: operation({
			operationId: `${area}.listVersions`,
			summary: `List the versions of ${an}`,
			description: "With drafts, and with what was sold before.",
			path,
			refusals: [missing],
		}),
		createDraft: operation({
			operationId: `${area}.createDraft`,
			summary: `Begin a new version of ${an}`,
			description: "A copy of the version that is sold, to be changed and published. Customers see nothing of it.",
			path,
			refusals: [missing, "DraftAlreadyExists", "EntityIsArchivedError"],
		}),
		removeDraft: operation({
			operationId: `${area}.removeDraft`,
			summary: `Throw the draft of ${an} away`,
			path: draft,
			refusals: [missing, "EditAllowedOnDraftPackageOnlyError"],
		}),
		publish: operation({
			operationId: `${area}.publish`,
			summary: `Publish the draft of ${an}`,
			description:
				"NEW_CUSTOMERS leaves running subscriptions on their version; ALL_CUSTOMERS moves them, in the background (`taskId`).",
			path: draft,
			query: {
				dryRun: "`true` answers what would change, and for whom, and changes nothing",
			},
			example: { migrationType: "NEW_CUSTOMERS" },
			refusals: [missing, "PackageAlreadyPublished", "PackagePricingTypeNotSet", "EntityIsArchivedError"],
		}),
		archive: operation({
			operationId: `${area}.archive`,
			summary: `Archive ${an}`,
			description: "It is sold no more; subscriptions that run on it go on. A draft is published or removed first.",
			path: { id: [`The ${noun}'s id`, unused] },
			refusals: [missing, ...archiveRefusals[kind]],
		}),
		listCharges: operation({
			operationId: `${area}.listCharges`,
			summary: `List the charges of ${an}`,
			path,
			refusals: [missing],
		}),
		listOverageCharges: operation({
			operationId: `${area}.listOverageCharges`,
			summary: `List the overage charges of ${an}`,
			description: "What usage beyond an entitlement's limit costs.",
			path,
			refusals: [missing],
		}),
		entitlements: {
			list: operation({
				operationId: `${area}.entitlements.list`,
				summary: `List the entitlements of ${an}`,
				description: "All of them on one page.",
				path,
				refusals: [missing],
			}),
			create: operation({
				operationId: `${area}.entitlements.create`,
				summary: `Grant features or credits with ${an}`,
				description: "On a draft. All or none.",
				path: draft,
				example: {
					entitlements: [
						{
							type: "FEATURE",
							id: "feature-api-calls",
							usageLimit: 250_000,
							resetPeriod: "MONTH",
							monthlyResetPeriodConfiguration: { accordingTo: "SubscriptionStart" },
						},
					],
				},
				refusals: [missing, "FeatureNotFound", "DuplicatedEntityNotAllowed", "EditAllowedOnDraftPackageOnlyError"],
			}),
			update: operation({
				operationId: `${area}.entitlements.update`,
				summary: `Change an entitlement of ${an}`,
				path: entitlement,
				example: { type: "FEATURE", usageLimit: 200 },
				refusals: [missing, "FeatureNotFound", "EditAllowedOnDraftPackageOnlyError"],
			}),
			delete: operation({
				operationId: `${area}.entitlements.delete`,
				summary: `Take an entitlement off ${an}`,
				path: entitlement,
				refusals: [missing, "FeatureNotFound", "EditAllowedOnDraftPackageOnlyError"],
			}),
		},
	};
};
