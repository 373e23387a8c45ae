import { and, asc, eq, inArray, lt } from "drizzle-orm";
import type { Work } from "../../../kernel/work";
import { isDue, type ProviderEventRow, providerEvents } from "./table";

/** Stores an event once. Returns whether it is new. */
export const insertEvent = (work: Work, event: Omit<ProviderEventRow, "id" | "environmentId" | "createdAt">): boolean =>
	work.tx
		.insert(providerEvents)
		.values({
			...event,
			id: work.newId(),
			environmentId: work.actor.environmentId,
			createdAt: work.machineNow,
		})
		.onConflictDoNothing()
		.returning({ id: providerEvents.id })
		.all().length > 0;

/** Returns events of all environments whose objects are looked up, the longest due first. */
export const listDueEvents = (work: Work, rowsMax: number): ProviderEventRow[] =>
	work.tx.select().from(providerEvents).where(isDue).orderBy(asc(providerEvents.dueAt)).limit(rowsMax).all();

/** Returns the events about the same object that still need its look-up. */
export const eventsAbout = (
	work: Work,
	{ connectionId, thing, ref }: Pick<ProviderEventRow, "connectionId" | "thing" | "ref">,
	rowsMax: number,
): ProviderEventRow[] =>
	work.tx
		.select()
		.from(providerEvents)
		.where(
			and(
				isDue,
				eq(providerEvents.environmentId, work.actor.environmentId),
				eq(providerEvents.connectionId, connectionId),
				eq(providerEvents.thing, thing),
				eq(providerEvents.ref, ref),
			),
		)
		.limit(rowsMax)
		.all();

export const selectEvents = (work: Work, ids: readonly string[]): ProviderEventRow[] =>
	work.tx
		.select()
		.from(providerEvents)
		.where(and(eq(providerEvents.environmentId, work.actor.environmentId), inArray(providerEvents.id, [...ids])))
		.all();

export const saveDue = (work: Work, ids: readonly string[], dueAt: ProviderEventRow["dueAt"]): void => {
	work.tx
		.update(providerEvents)
		.set({ dueAt })
		.where(inArray(providerEvents.id, [...ids]))
		.run();
};

/** Deletes events of all environments that are older than a time and need no look-up. Returns their number. */
export function deleteEventsBefore(work: Work, before: ProviderEventRow["createdAt"], rowsMax: number): number {
	const piece = work.tx
		.select({ id: providerEvents.id })
		.from(providerEvents)
		.where(lt(providerEvents.createdAt, before))
		.orderBy(asc(providerEvents.createdAt))
		.limit(rowsMax)
		.all()
		.map(({ id }) => id);
	if (piece.length > 0) work.tx.delete(providerEvents).where(inArray(providerEvents.id, piece)).run();
	return piece.length;
}
