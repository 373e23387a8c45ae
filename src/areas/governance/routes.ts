import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { identity } from "../../http/identity";
import { viewPage } from "../../kernel/page";
import { answer, listOf, nullable, single } from "../../kernel/schema";
import type { Services } from "../../server/context";
import { governanceOperations } from "./openapi";
import { listAssignments, putAssignments } from "./operations.assignments";
import { archiveEntities, getEntity, listEntities, putEntities, unarchiveEntities } from "./operations.entities";
import { listEntityTypes, putEntityTypes } from "./operations.entity-types";
import {
	AssignmentListQuery,
	AssignmentsBody,
	EntitiesBody,
	EntityIds,
	EntityListQuery,
	EntityPath,
	EntityTypeListQuery,
	EntityTypesBody,
	GovernanceAssignment,
	GovernanceEntity,
	GovernanceEntityType,
	GovernanceNode,
	GovernedPath,
	IdList,
	TreeQuery,
} from "./schema";
import { readTree } from "./tree/operations";
import { viewAssignment, viewEntity, viewEntityType } from "./view";

const read = "CUSTOMER:READ";
const write = "CUSTOMER:WRITE";
const params = GovernedPath;
const rowsOf = <T extends Parameters<typeof Type.Array>[0]>(row: T) => answer(Type.Object({ data: Type.Array(row) }));

/** The paths of the interface: the beta path, and the one that newer clients use. */
export const governancePrefixes = ["/api/v1-beta", "/api/v1"] as const;

/** The routes under one prefix. Both prefixes have the same. */
export const governanceRoutes = (services: Services, prefix: (typeof governancePrefixes)[number]) => {
	const operations = governanceOperations(prefix);
	return new Elysia({ prefix, tags: ["Governance"], normalize: false })
		.use(identity(services))
		.get("/entity-types", (c) => c.read((work) => viewPage(listEntityTypes(work, c.query), viewEntityType)), {
			detail: operations.listEntityTypes,
			permit: "CATALOG:READ",
			query: EntityTypeListQuery,
			response: listOf(GovernanceEntityType),
		})
		.put("/entity-types", (c) => c.write((work) => ({ data: putEntityTypes(work, c.body).map(viewEntityType) })), {
			detail: operations.putEntityTypes,
			permit: "CATALOG:WRITE",
			body: EntityTypesBody,
			response: rowsOf(GovernanceEntityType),
		})
		.get(
			"/customers/:id/entities",
			({ read, params: { id }, query }) => read((work) => viewPage(listEntities(work, id, query), viewEntity)),
			{
				detail: operations.listEntities,
				permit: read,
				params,
				query: EntityListQuery,
				response: listOf(GovernanceEntity),
			},
		)
		.put(
			"/customers/:id/entities",
			({ write, params: { id }, body }) => write((work) => ({ data: putEntities(work, id, body).map(viewEntity) })),
			{
				detail: operations.putEntities,
				permit: write,
				params,
				body: EntitiesBody,
				response: rowsOf(GovernanceEntity),
			},
		)
		.get(
			"/customers/:id/entities/:entityId",
			({ read, params: { id, entityId } }) => read((work) => ({ data: viewEntity(getEntity(work, id, entityId)) })),
			{ detail: operations.retrieveEntity, permit: read, params: EntityPath, response: single(GovernanceEntity) },
		)
		.post(
			"/customers/:id/entities/archive",
			({ write, params: { id }, body }) => write((work) => ({ data: archiveEntities(work, id, body) })),
			{ detail: operations.archiveEntities, permit: write, params, body: EntityIds, response: single(IdList) },
		)
		.post(
			"/customers/:id/entities/unarchive",
			({ write, params: { id }, body }) => write((work) => ({ data: unarchiveEntities(work, id, body) })),
			{ detail: operations.unarchiveEntities, permit: write, params, body: EntityIds, response: single(IdList) },
		)
		.get(
			"/customers/:id/assignments",
			({ read, params: { id }, query }) => read((work) => viewPage(listAssignments(work, id, query), viewAssignment)),
			{
				detail: operations.listAssignments,
				permit: read,
				params,
				query: AssignmentListQuery,
				response: listOf(GovernanceAssignment),
			},
		)
		.put(
			"/customers/:id/assignments",
			({ write, params: { id }, body }) =>
				write((work) => ({ data: putAssignments(work, id, body).map(viewAssignment) })),
			{
				detail: operations.putAssignments,
				permit: write,
				params,
				body: AssignmentsBody,
				response: rowsOf(GovernanceAssignment),
			},
		)
		.get("/customers/:id/governance", ({ read, params: { id }, query }) => read((work) => readTree(work, id, query)), {
			detail: operations.readTree,
			permit: read,
			params,
			query: TreeQuery,
			response: answer(
				Type.Object({
					data: Type.Array(GovernanceNode),
					pagination: Type.Object({ next: nullable(Type.String()) }),
				}),
			),
		});
};
