import { byRefIdQuery, fieldsOf, type GraphqlArea } from "../../graphql/area";
import { mutationsOf } from "../../graphql/input/mutations";
import { columns, statusUntilArchived, tableList } from "../../graphql/lists/list";
import { featuresByIds } from "../features/operations";
import {
	archiveFeatureGroup,
	createFeatureGroup,
	featureGroupsByIds,
	getFeatureGroup,
	unarchiveFeatureGroup,
	updateFeatureGroup,
} from "./operations";
import { FeatureGroupCreate, FeatureGroupUpdate } from "./schema";
import { type FeatureGroupRow, featureGroups } from "./table";

const schemas = { FeatureGroupCreate, FeatureGroupUpdate };

const typeDefs = `
	enum FeatureGroupStatus { ACTIVE ARCHIVED }
	"Features that are granted to a customer together."
	type FeatureGroup from FeatureGroupCreate {
		id
		"The caller's id. featureGroupId is another name for it."
		refId
		featureGroupId: String! displayName description status: FeatureGroupStatus! features: [Feature!]!
		additionalMetaData environmentId createdAt updatedAt
	}
	"featureIds are the caller's ids: 1 to 200, each once."
	input CreateFeatureGroupInput from FeatureGroupCreate
	"Omitted members stay. featureIds replaces the whole list."
	input UpdateFeatureGroupInput from FeatureGroupUpdate { refId * }
`;

const group = fieldsOf<FeatureGroupRow>({
	scope: "CATALOG:READ",
	open: ["id", "refId"],
	fields: {
		featureGroupId: ({ refId }) => refId,
		status: ({ archivedAt }) => (archivedAt === null ? "ACTIVE" : "ARCHIVED"),
		features: (row, _, context) => context.relatedAll(row, ({ featureIds }) => featureIds, featuresByIds),
	},
});

const list = tableList(featureGroups, {
	...{ field: "featureGroups", type: "FeatureGroup", scope: "CATALOG:READ", rows: featureGroupsByIds },
	fields: {
		...columns(featureGroups, "id refId displayName description"),
		status: statusUntilArchived("FeatureGroupStatus", "ACTIVE", featureGroups.archivedAt),
		...columns(featureGroups, "createdAt updatedAt environmentId"),
	},
});

const write = mutationsOf({ returns: "FeatureGroup", scope: "CATALOG:WRITE" });

export const featureGroupsGraphql: GraphqlArea = {
	schemas,
	typeDefs,
	types: { FeatureGroup: group },
	queries: {
		featureGroup: byRefIdQuery("FeatureGroup", "CATALOG:READ", "Throws FeatureGroupNotFoundError.", getFeatureGroup),
	},
	mutations: {
		createOneFeatureGroup: write.create("CreateFeatureGroupInput", FeatureGroupCreate, createFeatureGroup),
		updateOneFeatureGroup: write.change("UpdateFeatureGroupInput", FeatureGroupUpdate, updateFeatureGroup),
		archiveFeatureGroup: write.act(archiveFeatureGroup),
		unarchiveFeatureGroup: write.act(unarchiveFeatureGroup),
	},
	lists: [list],
};
