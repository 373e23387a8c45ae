import { eq, sql } from "drizzle-orm";
import { fieldsOf, type GraphqlArea, textOf } from "../../graphql/area";
import { byRefId, NoBody, operation } from "../../graphql/input/operation";
import { date, type List, reckoned, text } from "../../graphql/lists/list";
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

const typeDefs = `
	enum FeatureGroupStatus { ACTIVE ARCHIVED }
	"Features that a customer is given together."
	type FeatureGroup {
		id: ID!
		"The caller's id."
		refId: String!
		"The same."
		featureGroupId: String!
		displayName: String!
		description: String
		status: FeatureGroupStatus!
		features: [Feature!]!
		additionalMetaData: JSON
		environmentId: String!
		createdAt: DateTime!
		updatedAt: DateTime!
	}
	"featureIds are the caller's ids: 1 to 200, each once."
	input CreateFeatureGroupInput {
		refId: String!
		displayName: String!
		description: String
		featureIds: [String!]!
		additionalMetaData: JSON
	}
	"What is left out stays; featureIds take the place of the whole list."
	input UpdateFeatureGroupInput {
		refId: String!
		displayName: String
		description: String
		featureIds: [String!]
		additionalMetaData: JSON
	}
	extend type Query {
		"Throws FeatureGroupNotFoundError."
		featureGroup(refId: String!): FeatureGroup
	}
	extend type Mutation {
		createOneFeatureGroup(input: CreateFeatureGroupInput!): FeatureGroup
		updateOneFeatureGroup(input: UpdateFeatureGroupInput!): FeatureGroup
		archiveFeatureGroup(input: ByRefIdInput!): FeatureGroup
		unarchiveFeatureGroup(input: ByRefIdInput!): FeatureGroup
	}
`;

const group = fieldsOf<FeatureGroupRow>({
	scope: "CATALOG:READ",
	open: ["id", "refId"],
	fields: {
		featureGroupId: ({ refId }) => refId,
		status: ({ archivedAt }) => (archivedAt === null ? "ACTIVE" : "ARCHIVED"),
		features: (row, _, context) => context.relatedAll(row, ({ featureIds }) => featureIds, featuresByIds),
		additionalMetaData: ({ metadata }) => metadata,
	},
});

const list: List = {
	field: "featureGroups",
	type: "FeatureGroup",
	scope: "CATALOG:READ",
	source: sql`${featureGroups}`,
	id: featureGroups.id,
	within: ({ actor }) => eq(featureGroups.environmentId, actor.environmentId),
	fields: {
		id: text(featureGroups.id),
		refId: text(featureGroups.refId),
		displayName: text(featureGroups.displayName),
		description: text(featureGroups.description),
		status: reckoned(
			{ enum: "FeatureGroupStatus" },
			sql`case when ${featureGroups.archivedAt} is null then 'ACTIVE' else 'ARCHIVED' end`,
		),
		createdAt: date(featureGroups.createdAt),
		updatedAt: date(featureGroups.updatedAt),
		environmentId: text(featureGroups.environmentId),
	},
	rows: featureGroupsByIds,
};

const scope = "CATALOG:WRITE";

export const featureGroupsGraphql: GraphqlArea = {
	typeDefs,
	types: { FeatureGroup: group },
	queries: {
		featureGroup: {
			scope: "CATALOG:READ",
			resolve: (args, { work }) => getFeatureGroup(work, textOf(args, "refId") ?? ""),
		},
	},
	mutations: {
		createOneFeatureGroup: operation({ scope, body: FeatureGroupCreate, run: createFeatureGroup }),
		updateOneFeatureGroup: operation({
			scope,
			path: byRefId,
			body: FeatureGroupUpdate,
			run: (work, body, { id }) => updateFeatureGroup(work, id, body),
		}),
		archiveFeatureGroup: operation({
			scope,
			path: byRefId,
			body: NoBody,
			run: (work, _, { id }) => archiveFeatureGroup(work, id),
		}),
		unarchiveFeatureGroup: operation({
			scope,
			path: byRefId,
			body: NoBody,
			run: (work, _, { id }) => unarchiveFeatureGroup(work, id),
		}),
	},
	lists: [list],
};
