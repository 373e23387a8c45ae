import type { GraphqlArea } from "../../graphql/area";
import { operation } from "../../graphql/input/operation";
import { costMax } from "../../graphql/request/budget";
import { assertAllowed } from "../access/rules";
import { compareEnvironment, mergeEnvironment, readCatalogue } from "./operations.merge";
import { EnvironmentCompare, EnvironmentMerge } from "./schema.merge";
import { viewMerged } from "./view";

const typeDefs = `
	enum CatalogueChangeAction { add change archive }
	"A place inside an entry: before is absent where it was not stated, after where it no longer is."
	type CatalogueFieldChange { path: String! before: JSON after: JSON }
	type CatalogueChange {
		action: CatalogueChangeAction!
		"products, currencies, features, featureGroups, addons, plans or coupons"
		list: String!
		id: String!
		name: String!
		fields: [CatalogueFieldChange!]!
	}
	type CatalogueEntryName { list: String! id: String! name: String! }
	type MergedEnvironment {
		changes: [CatalogueChange!]!
		"What only this environment has, and keeps unless it is pruned."
		kept: [CatalogueEntryName!]!
		"The tasks that move subscriptions to new versions."
		taskIds: [String!]!
	}
	"from is the id or the name of an environment of the same account."
	input CompareEnvironmentInput { from: String! prune: Boolean }
	input MergeEnvironmentInput { from: String! dryRun: Boolean prune: Boolean migrationType: PublishMigrationType }
	extend type Query {
		"The whole catalogue as it is sold, in the form of a catalogue file."
		dumpEnvironmentProductCatalog: JSON!
		"What a merge from another environment would change; whether it can be made so, a merge with dryRun tells."
		compareEnvironment(input: CompareEnvironmentInput!): MergedEnvironment!
	}
	extend type Mutation {
		"Takes over the catalogue of another environment, whole or not at all."
		mergeEnvironment(input: MergeEnvironmentInput!): MergedEnvironment
	}
`;

/** Our choice: a request reads whole catalogues twice. */
const cost = costMax / 2;

export const environmentMergeGraphql: GraphqlArea = {
	typeDefs,
	queries: {
		dumpEnvironmentProductCatalog: {
			scope: "CATALOG:READ",
			cost,
			resolve: (_, { work }) => readCatalogue(work),
		},
		compareEnvironment: {
			...operation({
				scope: "CATALOG:READ",
				body: EnvironmentCompare,
				run: (work, input) => viewMerged(compareEnvironment(work, input)),
			}),
			cost,
		},
	},
	mutations: {
		mergeEnvironment: operation({
			scope: "CATALOG:WRITE",
			body: EnvironmentMerge,
			run: (work, input) => {
				assertAllowed(work.actor, { scope: "ENVIRONMENT:WRITE" });
				return viewMerged(mergeEnvironment(work, input));
			},
		}),
	},
};
