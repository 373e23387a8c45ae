import { fieldsOf, type GraphqlArea, type MutationField, type QueryField } from "../../../graphql/area";
import { mutationsOf } from "../../../graphql/input/mutations";
import { costs } from "../../../graphql/request/budget";
import { type PackageKind, PackagePublish } from "../schema";
import { archivePackage, createDraft, type Publishing, removeDraft } from "./operations";
import { type PublishImpact, PublishResult } from "./schema.impact";

const schemas = { PackagePublish, PublishResult };

const typeDefs = `
	enum PublishMigrationType from PackagePublish.migrationType
	input PublishPackageInput from PackagePublish { refId * }
	"taskId: the task that migrates subscriptions. Null when there are none to migrate."
	type PublishedPackage { taskId: String }
	enum ImpactChange from PublishResult.impact.entitlements.change
	type PublishImpact from PublishResult.impact {
		entitlements as EntitlementChange "before and after are as in REST. Null where there is none." {
			"The caller's id of the feature or the currency."
			refId
			type as PackageEntitlementType change *
		}
		charges as ChargeChange { * }
		"Null if they are the same."
		phases as PhasesChange { before as Phase after as Phase }
		"The term, if it changes."
		term as TermChange { change as ImpactChange before as Term after as Term }
		"What all charges of a subscription owe, if it changes."
		commitments as CommitmentsChange { change as ImpactChange before as SpendCommitment after as SpendCommitment }
		"The cost of usage that is invoiced at once, if it changes."
		spendThresholds as ThresholdsChange { change as ImpactChange before as Money after as Money }
		"Active subscriptions that would be migrated."
		subscriptionsCount
		"Customers who would lose something; at most a hundred."
		customersLosing as CustomerLosing { * }
		"The number of these customers. A thousand stands for a thousand or more."
		customersLosingCount
	}
	"The plan or addon that the draft belonged to."
	type RemovedDraft { refId: String! }
`;

/** As in REST, the query requires the scope to publish, because it names customers. */
function impactQuery(kind: PackageKind, { impactOf }: Publishing): QueryField {
	const { change } = mutationsOf({ returns: "PublishImpact", scope: "CATALOG:WRITE" });
	const comment = "The changes that publishing the draft would make. Nothing is changed.";
	return {
		...change("PublishPackageInput", PackagePublish, (work, id, body) => impactOf(work, kind, id, body), { comment }),
		cost: costs.impact,
	};
}

function mutations(type: "Plan" | "Addon", kind: PackageKind, { publish }: Publishing): Record<string, MutationField> {
	const write = mutationsOf({ returns: type, scope: "CATALOG:WRITE" });
	return {
		[`publish${type}`]: write.change(
			"PublishPackageInput",
			PackagePublish,
			(work, id, body) => publish(work, kind, id, body),
			{ returns: "PublishedPackage" },
		),
		[`create${type}Draft`]: write.act((work, id) => createDraft(work, kind, id), {
			comment: "Creates a draft as a copy of the published version.",
		}),
		[`remove${type}Draft`]: write.act((work, id) => removeDraft(work, kind, id), { returns: "RemovedDraft" }),
		[`archive${type}`]: write.act((work, id) => archivePackage(work, kind, id)),
	};
}

const entitlementChange = fieldsOf<PublishImpact["entitlements"][number]>({ fields: { refId: ({ id }) => id } });

/** The actions on versions that plans and addons share. */
export const packageLifecycleGraphql = (publishing: Publishing): GraphqlArea => ({
	schemas,
	typeDefs,
	types: { EntitlementChange: entitlementChange },
	queries: {
		planPublishImpact: impactQuery("PLAN", publishing),
		addonPublishImpact: impactQuery("ADDON", publishing),
	},
	mutations: { ...mutations("Plan", "PLAN", publishing), ...mutations("Addon", "ADDON", publishing) },
});
