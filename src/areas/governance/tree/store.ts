import { type SQL, sql } from "drizzle-orm";
import type { Work } from "../../../kernel/work";
import { features } from "../../features/table";
import type { TreeQuery } from "../schema";
import { type BudgetAssignmentRow, budgetAssignments, budgetCounters, budgetNodes, entities } from "../table";
import type { TreePlace } from "./rules.cursor";

export type TreeSort = NonNullable<TreeQuery["sortBy"]>;

/** A part of a customer's tree. All ids are row ids; undefined: any. */
export interface TreeFilter {
	readonly customerId: string;
	readonly capabilityIds: readonly string[] | undefined;
	readonly typeIds: readonly string[] | undefined;
	readonly search: string | undefined;
	readonly minUtilization: number | undefined;
	readonly scope: TreeQuery["scope"];
	readonly sortBy: TreeSort;
	readonly isAscending: boolean;
	readonly after: TreePlace | undefined;
	readonly rowsMax: number;
}

/** A budget at its place in the sorted tree. */
export interface PlacedAssignment {
	readonly assignment: BudgetAssignmentRow;
	readonly value: TreePlace["value"];
}

const used = sql`cast(coalesce(${budgetCounters.used}, '0') as real) / coalesce(json_extract(${features.unitTransformation}, '$.divide'), 1)`;
const limit = sql`cast(${budgetAssignments.usageLimit} as real)`;
const utilization = sql`case when ${budgetAssignments.usageLimit} is null then null when ${limit} = 0 then 1.0 else ${used} / ${limit} end`;
const scopeSize = sql`case when ${budgetAssignments.scope} = '' then 0 else 1 + length(${budgetAssignments.scope}) - length(replace(${budgetAssignments.scope}, ',', '')) end`;

/** Without usage data, sorts by usage are sorts by id. */
function sortedBy(sortBy: TreeSort, hasUsage: boolean): SQL {
	switch (sortBy) {
		case "utilization":
			return hasUsage ? utilization : sql`null`;
		case "currentUsage":
			return hasUsage ? used : sql`null`;
		case "usageLimit":
			return hasUsage ? limit : sql`null`;
		case "scopeSize":
			return scopeSize;
		case "id":
			return sql`${entities.refId}`;
		case "createdAt":
			return sql`${budgetAssignments.createdAt}`;
	}
}

/** Returns the next budgets of a customer's tree in their order; null values last. */
export function selectTree(work: Work, filter: TreeFilter): PlacedAssignment[] {
	const { capabilityIds, typeIds, search, minUtilization, scope, isAscending, after, rowsMax } = filter;
	const hasUsage = capabilityIds !== undefined;
	const value = sortedBy(filter.sortBy, hasUsage);
	const conditions: SQL[] = [
		sql`${budgetAssignments.customerId} = ${filter.customerId}`,
		sql`${entities.archivedAt} is null`,
	];
	if (capabilityIds)
		conditions.push(
			sql`${budgetNodes.capabilityId} in (select value from json_each(${JSON.stringify(capabilityIds)}))`,
		);
	if (typeIds) conditions.push(sql`${entities.typeId} in (select value from json_each(${JSON.stringify(typeIds)}))`);
	if (search !== undefined)
		conditions.push(
			sql`(instr(lower(${entities.refId}), ${search.toLowerCase()}) > 0 or instr(lower(coalesce(${entities.displayName}, '')), ${search.toLowerCase()}) > 0)`,
		);
	if (minUtilization !== undefined) conditions.push(sql`${sortedBy("utilization", hasUsage)} >= ${minUtilization}`);
	if (scope === "nodeWide") conditions.push(sql`${budgetAssignments.scope} = ''`);
	if (scope === "scoped") conditions.push(sql`${budgetAssignments.scope} <> ''`);
	if (after) conditions.push(beyond(value, after, isAscending));
	const direction = sql.raw(isAscending ? "asc" : "desc");
	return work.tx
		.select({ assignment: budgetAssignments, value: sql<TreePlace["value"]>`${value}`.as("sorted_value") })
		.from(budgetAssignments)
		.innerJoin(budgetNodes, sql`${budgetNodes.id} = ${budgetAssignments.nodeId}`)
		.innerJoin(entities, sql`${entities.id} = ${budgetNodes.entityId}`)
		.leftJoin(features, sql`${features.id} = ${budgetNodes.capabilityId}`)
		.leftJoin(
			budgetCounters,
			sql`${budgetCounters.assignmentId} = ${budgetAssignments.id} and ${budgetCounters.windowStart} <= ${work.now}
				and ${budgetCounters.windowEnd} > ${work.now} and ${budgetCounters.windowStart} >= ${budgetAssignments.anchorAt}
				and ${budgetCounters.cadence} = ${budgetAssignments.cadence}`,
		)
		.where(sql.join(conditions, sql` and `))
		.orderBy(sql`sorted_value is null, sorted_value ${direction}, ${budgetAssignments.id}`)
		.limit(rowsMax)
		.all();
}

function beyond(value: SQL, { value: from, id }: TreePlace, isAscending: boolean): SQL {
	const isTieBeyond = sql`${budgetAssignments.id} > ${id}`;
	if (from === null) return sql`(${value} is null and ${isTieBeyond})`;
	const operator = sql.raw(isAscending ? ">" : "<");
	return sql`(${value} is null or ${value} ${operator} ${from} or (${value} = ${from} and ${isTieBeyond}))`;
}
