import type { GraphqlArea } from "../../graphql/area";
import { operation } from "../../graphql/input/operation";
import { costMax } from "../../graphql/request/budget";
import { assertAllowed } from "../access/rules";
import { compareEnvironment, mergeEnvironment, readCatalogue } from "./operations.merge";
import { EnvironmentCompare, EnvironmentMerge, MergedEnvironment } from "./schema.merge";
import { viewMerged } from "./view";

const schemas = { MergedEnvironment, EnvironmentCompare, EnvironmentMerge };

const typeDefs = `
	enum CatalogueChangeAction from MergedEnvironment.changes.action
	type MergedEnvironment from MergedEnvironment {
		changes as CatalogueChange {
			action
			"products, currencies, taxes, features, featureGroups, addons, plans or coupons"
			list
			id! name
			fields as CatalogueFieldChange "A place in an entry. before or after is absent where there is no value." { * }
		}
		"Entries that only this environment has. They stay unless prune is true."
		kept as CatalogueEntryName { list id! name }
		"The tasks that migrate subscriptions to new versions."
		taskIds
	}
	"from is the id or the name of another environment of the account."
	input CompareEnvironmentInput from EnvironmentCompare
	input MergeEnvironmentInput from EnvironmentMerge { * migrationType as PublishMigrationType }
`;

/** Half the cost of a request, because a request reads two whole catalogues. */
const cost = costMax / 2;

export const environmentMergeGraphql: GraphqlArea = {
	schemas,
	typeDefs,
	queries: {
		dumpEnvironmentProductCatalog: {
			...{ signature: ": JSON!", scope: "CATALOG:READ", cost },
			comment: "The whole published catalogue, in the format of a catalogue file.",
			resolve: (_, { work }) => readCatalogue(work),
		},
		compareEnvironment: {
			...operation({
				signature: "(input: CompareEnvironmentInput!): MergedEnvironment!",
				comment: "The changes that a merge would make. A merge with dryRun also checks whether they are possible.",
				...{ scope: "CATALOG:READ", body: EnvironmentCompare },
				run: (work, input) => viewMerged(compareEnvironment(work, input)),
			}),
			cost,
		},
	},
	mutations: {
		mergeEnvironment: operation({
			signature: "(input: MergeEnvironmentInput!): MergedEnvironment",
			comment: "Copies the catalogue of another environment: all of it, or nothing.",
			...{ scope: "CATALOG:WRITE", body: EnvironmentMerge },
			run: (work, input) => {
				assertAllowed(work.actor, { scope: "ENVIRONMENT:WRITE" });
				return viewMerged(mergeEnvironment(work, input));
			},
		}),
	},
};
