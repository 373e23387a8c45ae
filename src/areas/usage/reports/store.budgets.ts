import { and, eq, isNull, ne, or, sql } from "drizzle-orm";
import type { Work } from "../../../kernel/work";
import { features } from "../../features/table";
import { budgetEntries, eventSource } from "../../governance/table";
import { usageReports } from "./table";

/**
 * Returns the first usage that budgets counted differently from its report, or without one. The unary plus makes SQLite read the entries
 * in their order, and look each report up by its id.
 */
export const selectMiscounted = ({ tx, actor }: Work) =>
	tx
		.select({ sourceId: budgetEntries.sourceId, amount: budgetEntries.amount, delta: usageReports.delta })
		.from(budgetEntries)
		.innerJoin(features, eq(features.id, budgetEntries.capabilityId))
		.leftJoin(usageReports, eq(usageReports.id, budgetEntries.sourceId))
		.where(
			and(
				eq(sql`+${features.environmentId}`, actor.environmentId),
				ne(budgetEntries.sourceId, eventSource),
				or(isNull(usageReports.id), ne(usageReports.delta, budgetEntries.amount)),
			),
		)
		.orderBy(budgetEntries.sequence)
		.limit(1)
		.get();
