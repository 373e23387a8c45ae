import { fieldsOf, type GraphqlArea, type MutationField } from "../../graphql/area";
import { byRefId, mutation, NoBody } from "../../graphql/mutation";
import { publishPackage } from "../subscriptions/publish";
import { archivePackage, createDraft, removeDraft } from "./operations.lifecycle";
import { type PackageKind, PackagePublish } from "./schema";
import type { PackageRow } from "./table";

const typeDefsOf = (type: "Plan" | "Addon") => `
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
	"Of whose draft is gone."
	type RemovedDraft { refId: String! }
	${typeDefsOf("Plan")}
	${typeDefsOf("Addon")}
`;

const scope = "CATALOG:WRITE";

const mutationsOf = (type: "Plan" | "Addon", kind: PackageKind): Record<string, MutationField> => ({
	[`publish${type}`]: mutation({
		scope,
		path: byRefId,
		body: PackagePublish,
		run: (work, body, { id }) => publishPackage(work, kind, id, body),
	}),
	[`create${type}Draft`]: mutation({
		scope,
		path: byRefId,
		body: NoBody,
		run: (work, _, { id }) => createDraft(work, kind, id),
	}),
	[`remove${type}Draft`]: mutation({
		scope,
		path: byRefId,
		body: NoBody,
		run: (work, _, { id }) => removeDraft(work, kind, id),
	}),
	[`archive${type}`]: mutation({
		scope,
		path: byRefId,
		body: NoBody,
		run: (work, _, { id }) => archivePackage(work, kind, id),
	}),
});

/** What plans and addons do alike; what each is made of is theirs. */
export const packageLifecycleGraphql: GraphqlArea = {
	typeDefs,
	types: { RemovedDraft: fieldsOf<PackageRow>({ fields: {} }) },
	mutations: { ...mutationsOf("Plan", "PLAN"), ...mutationsOf("Addon", "ADDON") },
};
