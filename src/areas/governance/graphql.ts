import { fieldsOf, type GraphqlArea, inputOf, textOf } from "../../graphql/area";
import { connectionTypes } from "../../graphql/derive/types";
import { mutationsOf } from "../../graphql/input/mutations";
import { pagedQuery } from "../../graphql/lists/paged";
import { checker } from "../../http/validation";
import { assignmentsWhere, putAssignments } from "./operations.assignments";
import {
	archiveEntities,
	entitiesWhere,
	getEntity,
	putEntities,
	type TypedEntity,
	typedEntitiesByIds,
	unarchiveEntities,
} from "./operations.entities";
import { assertGovernance, entityTypesByIds, putEntityTypes } from "./operations.entity-types";
import {
	Approver,
	AssignmentsBody,
	DefaultAssignment,
	EntitiesBody,
	EntityIds,
	EntityTypesBody,
	GovernanceAssignment,
	GovernanceEntity,
	GovernanceEntityType,
	GovernanceNode,
	GovernedPath,
	TreeQuery,
} from "./schema";
import { type ShownAssignment, shownAssignmentsByIds } from "./shown/operations";
import { budgetAssignments, entities, entityTypes } from "./table";
import type { ShownEntityType } from "./templates/operations.types";
import { readTree } from "./tree/operations";

const schemas = {
	...{ Approver, AssignmentsBody, EntitiesBody, EntityTypesBody, EntityIds, TreeQuery },
	...{ DefaultAssignment, GovernanceAssignment, GovernanceEntity, GovernanceEntityType, GovernanceNode },
};

const typeDefs = `
	enum GovernanceScope from TreeQuery.scope
	enum GovernanceSortBy from TreeQuery.sortBy
	enum GovernanceOrder from TreeQuery.order
	"Exactly one of featureId and currencyId is set."
	type GovernanceDefaultAssignment from DefaultAssignment { * }
	type GovernanceEntityType from GovernanceEntityType { id refId * }
	${connectionTypes("GovernanceEntityType", false)}
	type GovernanceApprover from Approver { * }
	type GovernanceEntity from GovernanceEntity {
		id refId entityTypeId displayName additionalMetaData archivedAt approver as GovernanceApprover *
	}
	${connectionTypes("GovernanceEntity", false)}
	"A budget. Exactly one of featureId and currencyId is set."
	type GovernanceAssignment from GovernanceAssignment { id entityId featureId currencyId parentId * }
	${connectionTypes("GovernanceAssignment", false)}
	type GovernanceNode from GovernanceNode { * }
	type GovernanceTree {
		data: [GovernanceNode!]!
		"The cursor of the next page; null on the last one."
		next: String
	}
	input GovernanceEntitiesInput {
		customerId: String! entityTypeId: String includeArchived: Boolean paging: CursorPaging
	}
	input GovernanceEntityInput { customerId: String! entityId: String! }
	"At most one of featureId and currencyId."
	input GovernanceAssignmentsInput {
		customerId: String! entityId: String featureId: String currencyId: String paging: CursorPaging
	}
	"Without featureIds and currencyIds, limits and usage are null unless includeUsage is true."
	input GovernanceTreeInput {
		customerId: String! after: String limit: Int featureIds: [String!] currencyIds: [String!]
		includeUsage: Boolean entityTypeIds: [String!] entityIdSearch: String minUtilization: Float scope: GovernanceScope
		sortBy: GovernanceSortBy order: GovernanceOrder
	}
	"Omitted members stay."
	input PutGovernanceEntityTypesInput from EntityTypesBody {
		types as GovernanceEntityTypeInput {
			refId defaultAssignments as GovernanceDefaultAssignmentInput { * } *
		}
	}
	input PutGovernanceEntitiesInput from EntitiesBody {
		customerId: String! entities as GovernanceEntityItemInput {
			refId additionalMetaData approver as GovernanceApproverInput { * } *
		}
	}
	input PutGovernanceAssignmentsInput from AssignmentsBody {
		customerId: String! assignments as GovernanceAssignmentInput { * }
	}
	input GovernanceEntityIdsInput from EntityIds { customerId: String! * }
`;

const entityType = fieldsOf<ShownEntityType>({
	fields: {
		createsEntities: (row) => (row.createsEntities ? true : null),
		parentEntityTypeId: ({ parentRef }) => parentRef,
		defaultAssignments: ({ defaults }) => (defaults.length === 0 ? null : defaults),
	},
});

const entity = fieldsOf<TypedEntity>({
	fields: { entityTypeId: ({ typeRef }) => typeRef, additionalMetaData: ({ metadata }) => metadata },
});

const assignment = fieldsOf<ShownAssignment>({
	fields: {
		entityId: (row) => row.entity.refId,
		featureId: (row) => (row.node.capability === "FEATURE" ? row.capabilityRef : null),
		currencyId: (row) => (row.node.capability === "CURRENCY" ? row.capabilityRef : null),
		parentId: ({ parentRef }) => parentRef,
		scopeEntityIds: ({ scopeRefs }) => scopeRefs,
	},
});

const read = "CUSTOMER:READ";
const write = "CUSTOMER:WRITE";
const ofCustomer = { scope: write, path: { customerId: "id" }, params: GovernedPath.properties } as const;
const putType = mutationsOf({ returns: "[GovernanceEntityType!]", scope: "CATALOG:WRITE" });
const ofEntities = mutationsOf({ returns: "[GovernanceEntity!]", ...ofCustomer });
const ofAssignments = mutationsOf({ returns: "[GovernanceAssignment!]", ...ofCustomer });
const returnsIds = { returns: "[String!]" };

const readTreeQuery = checker("params", TreeQuery);

/** The parameters of the REST route: numbers and booleans are texts. */
const treeQueryOf = ({ customerId: _, ...input }: Readonly<Record<string, unknown>>): TreeQuery =>
	readTreeQuery(
		Object.fromEntries(
			Object.entries(input)
				.filter(([, value]) => value !== null)
				.map(([name, value]) => [name, Array.isArray(value) ? value : `${value}`]),
		),
	);

const text = (input: Readonly<Record<string, unknown>>, name: string): string => textOf(input, name) ?? "";

const optional = <Name extends string>(input: Readonly<Record<string, unknown>>, ...names: Name[]) =>
	Object.fromEntries(names.flatMap((name) => (textOf(input, name) === undefined ? [] : [[name, text(input, name)]])));

export const governanceGraphql: GraphqlArea = {
	schemas,
	typeDefs,
	types: {
		GovernanceDefaultAssignment: { fields: {} },
		GovernanceEntityType: entityType,
		GovernanceEntity: entity,
		GovernanceApprover: { fields: {} },
		GovernanceAssignment: assignment,
		GovernanceNode: { fields: {} },
		GovernanceTree: { fields: {} },
	},
	queries: {
		governanceEntityTypes: pagedQuery(entityTypes, {
			...{ type: "GovernanceEntityType", args: "(paging: CursorPaging)", scope: "CATALOG:READ" },
			where(work) {
				assertGovernance(work);
				return undefined;
			},
			rows: entityTypesByIds,
		}),
		governanceEntities: pagedQuery(entities, {
			...{ type: "GovernanceEntity", args: "(input: GovernanceEntitiesInput!)", scope: read },
			comment: "Throws CustomerNotFound.",
			where: (work, input) =>
				entitiesWhere(work, text(input, "customerId"), {
					...optional(input, "entityTypeId"),
					includeArchived: input.includeArchived === true ? "true" : "false",
				}),
			rows: typedEntitiesByIds,
		}),
		governanceEntity: {
			...{ signature: "(input: GovernanceEntityInput!): GovernanceEntity", scope: read },
			comment: "Throws CustomerNotFound, and BadUserInput for an unknown entity.",
			resolve(args, { work }) {
				const input = inputOf(args, "input");
				return getEntity(work, text(input, "customerId"), text(input, "entityId"));
			},
		},
		governanceAssignments: pagedQuery(budgetAssignments, {
			...{ type: "GovernanceAssignment", args: "(input: GovernanceAssignmentsInput!)", scope: read },
			comment: "Throws CustomerNotFound.",
			where: (work, input) =>
				assignmentsWhere(work, text(input, "customerId"), optional(input, "entityId", "featureId", "currencyId")),
			rows: shownAssignmentsByIds,
		}),
		governanceTree: {
			...{ signature: "(input: GovernanceTreeInput!): GovernanceTree!", scope: read },
			comment: "The budgets of a customer with their usage. Throws CustomerNotFound.",
			resolve(args, { work }) {
				const input = inputOf(args, "input");
				const { data, pagination } = readTree(work, text(input, "customerId"), treeQueryOf(input));
				return { data, next: pagination.next };
			},
		},
	},
	mutations: {
		putGovernanceEntityTypes: putType.create("PutGovernanceEntityTypesInput", EntityTypesBody, putEntityTypes),
		putGovernanceEntities: ofEntities.change("PutGovernanceEntitiesInput", EntitiesBody, putEntities),
		archiveGovernanceEntities: ofEntities.change(
			"GovernanceEntityIdsInput",
			EntityIds,
			(work, id, body) => archiveEntities(work, id, body).ids,
			returnsIds,
		),
		unarchiveGovernanceEntities: ofEntities.change(
			"GovernanceEntityIdsInput",
			EntityIds,
			(work, id, body) => unarchiveEntities(work, id, body).ids,
			returnsIds,
		),
		putGovernanceAssignments: ofAssignments.change("PutGovernanceAssignmentsInput", AssignmentsBody, putAssignments),
	},
};
