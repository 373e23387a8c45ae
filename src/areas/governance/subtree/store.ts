import { and, eq, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Transaction, Work } from "../../../kernel/work";
import { budgetAssignments, budgetNodes } from "../table";

const { placeholder } = sql;

const statements = (tx: Transaction) => ({
	nodesOfEntity: tx
		.select({ id: budgetNodes.id })
		.from(budgetNodes)
		.where(
			and(
				eq(budgetNodes.entityId, placeholder("entityId")),
				eq(budgetNodes.environmentId, placeholder("environmentId")),
			),
		)
		.prepare(),
	nodeOfAssignment: tx
		.select({ id: budgetNodes.id, customerId: budgetNodes.customerId, ancestors: budgetNodes.ancestors })
		.from(budgetAssignments)
		.innerJoin(budgetNodes, eq(budgetNodes.id, budgetAssignments.nodeId))
		.where(
			and(
				eq(budgetAssignments.id, placeholder("assignmentId")),
				eq(budgetAssignments.environmentId, placeholder("environmentId")),
			),
		)
		.prepare(),
});

export const selectNodesOfEntity = (work: Work, entityId: string) =>
	work.prepared(statements).nodesOfEntity.all({ entityId, environmentId: work.actor.environmentId });

export const selectNodeOfAssignment = (work: Work, assignmentId: string) =>
	work.prepared(statements).nodeOfAssignment.get({ assignmentId, environmentId: work.actor.environmentId });

/** The condition of rows whose budget (`assignmentId`) is at one of the nodes or below. */
export const isWithin = (assignmentId: SQLiteColumn, nodeIds: ReadonlySet<string>): SQL => {
	const roots = JSON.stringify([...nodeIds]);
	return sql`exists (select 1 from budget_assignments as part join budget_nodes as place on place.id = part.node_id where part.id = ${assignmentId} and (place.id in (select value from json_each(${roots})) or exists (select 1 from json_each(place.ancestors) as above where above.value in (select value from json_each(${roots})))))`;
};
