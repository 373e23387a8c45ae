import { fieldsOf, type GraphqlArea, type MutationField, type QueryField } from "../../../graphql/area";
import { byRefId, NoBody, operation } from "../../../graphql/input/operation";
import { costs } from "../../../graphql/request/budget";
import { type PackageKind, PackagePublish } from "../schema";
import { archivePackage, createDraft, type Publishing, removeDraft } from "./operations";
import type { PublishImpact } from "./schema.impact";

const typeDefsOf = (type: "Plan" | "Addon") => `
	extend type Query {
		"What publishing the draft would change; it changes nothing."
		${type.toLowerCase()}PublishImpact(input: PublishPackageInput!): PublishImpact
	}
	extend type Mutation {
		publish${type}(input: PublishPackageInput!): PublishedPackage
		"The draft, begun as a copy of what is published."
		create${type}Draft(input: ByRefIdInput!): ${type}
		remove${type}Draft(input: ByRefIdInput!): RemovedDraft
		archive${type}(input: ByRefIdInput!): ${type}
	}
`;

const typeDefs = `
	enum PublishMigrationType { NEW_CUSTOMERS ALL_CUSTOMERS }
	input PublishPackageInput { refId: String! migrationType: PublishMigrationType! }
	"taskId: the task that moves subscriptions; null when there are none to move."
	type PublishedPackage { taskId: String }
	enum ImpactChange { ADDED REMOVED CHANGED }
	"before and after are as in REST; null where there is none."
	type EntitlementChange {
		"The caller's id of the feature or the currency."
		refId: String!
		type: PackageEntitlementType!
		change: ImpactChange!
		before: JSON
		after: JSON
	}
	type ChargeChange { isOverage: Boolean! change: ImpactChange! before: JSON after: JSON }
	type CustomerLosing { customerId: String! loses: [String!]! }
	type PublishImpact {
		entitlements: [EntitlementChange!]!
		charges: [ChargeChange!]!
		"Running subscriptions that would be moved."
		subscriptionsCount: Int!
		"Who would have less of something; at most a hundred."
		customersLosing: [CustomerLosing!]!
		"All of them; a thousand stands for as many or more."
		customersLosingCount: Int!
	}
	"Of whose draft is gone."
	type RemovedDraft { refId: String! }
	${typeDefsOf("Plan")}
	${typeDefsOf("Addon")}
`;

const scope = "CATALOG:WRITE";

const mutationsOf = (
	type: "Plan" | "Addon",
	kind: PackageKind,
	{ publish }: Publishing,
): Record<string, MutationField> => ({
	[`publish${type}`]: operation({
		scope,
		path: byRefId,
		body: PackagePublish,
		run: (work, body, { id }) => publish(work, kind, id, body),
	}),
	[`create${type}Draft`]: operation({
		scope,
		path: byRefId,
		body: NoBody,
		run: (work, _, { id }) => createDraft(work, kind, id),
	}),
	[`remove${type}Draft`]: operation({
		scope,
		path: byRefId,
		body: NoBody,
		run: (work, _, { id }) => removeDraft(work, kind, id),
	}),
	[`archive${type}`]: operation({
		scope,
		path: byRefId,
		body: NoBody,
		run: (work, _, { id }) => archivePackage(work, kind, id),
	}),
});

/** As in REST, who may not publish may not ask either: it names customers. */
const impactOf = (kind: PackageKind, publishing: Publishing): QueryField => ({
	...operation({
		scope,
		path: byRefId,
		body: PackagePublish,
		run: (work, body, { id }) => publishing.impactOf(work, kind, id, body),
	}),
	cost: costs.impact,
});

const entitlementChange = fieldsOf<PublishImpact["entitlements"][number]>({ fields: { refId: ({ id }) => id } });

/** What plans and addons do alike; what each is made of is theirs. */
export const packageLifecycleGraphql = (publishing: Publishing): GraphqlArea => ({
	typeDefs,
	types: { EntitlementChange: entitlementChange },
	queries: { planPublishImpact: impactOf("PLAN", publishing), addonPublishImpact: impactOf("ADDON", publishing) },
	mutations: { ...mutationsOf("Plan", "PLAN", publishing), ...mutationsOf("Addon", "ADDON", publishing) },
});
