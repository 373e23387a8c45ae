import { and, asc, eq, gt, isNotNull } from "drizzle-orm";
import type { Work } from "../../../kernel/work";
import { isDue, type ProviderDisputeRow, providerDisputes } from "./table";

/** Stores when to look a dispute up next, and why the books cannot follow it. */
export function saveDispute(
	work: Work,
	{ connectionId, ref, paymentRef, problem, dueAt }: Omit<ProviderDisputeRow, "id" | "environmentId" | "createdAt">,
): void {
	work.tx
		.insert(providerDisputes)
		.values({
			...{ id: work.newId(), environmentId: work.actor.environmentId, createdAt: work.machineNow },
			...{ connectionId, ref, paymentRef, problem, dueAt },
		})
		.onConflictDoUpdate({
			target: [providerDisputes.connectionId, providerDisputes.ref],
			set: { paymentRef, problem, dueAt },
		})
		.run();
}

/** Returns disputes of all environments that are looked up, the longest due first. */
export const listDueDisputes = (work: Work, rowsMax: number): ProviderDisputeRow[] =>
	work.tx.select().from(providerDisputes).where(isDue).orderBy(asc(providerDisputes.dueAt)).limit(rowsMax).all();

/** Returns the next disputes of this environment that the books cannot follow, in the order of ids. */
export const selectProblems = (work: Work, after: string, rowsMax: number): ProviderDisputeRow[] =>
	work.tx
		.select()
		.from(providerDisputes)
		.where(
			and(
				eq(providerDisputes.environmentId, work.actor.environmentId),
				gt(providerDisputes.id, after),
				isNotNull(providerDisputes.problem),
			),
		)
		.orderBy(asc(providerDisputes.id))
		.limit(rowsMax)
		.all();
