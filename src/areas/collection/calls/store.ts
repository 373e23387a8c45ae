import { and, asc, eq, inArray, lte, sql } from "drizzle-orm";
import { insertRow } from "../../../kernel/storage/rows";
import type { Transaction, Work } from "../../../kernel/work";
import { type CallOutcome, isDue, type ProviderCallRow, providerCalls } from "./table";

export const insertCall = (
	work: Work,
	call: Pick<ProviderCallRow, "kind" | "subjectId" | "request">,
): ProviderCallRow =>
	insertRow(work, providerCalls, {
		...call,
		id: work.newId(),
		environmentId: work.actor.environmentId,
		cause: { ...work.cause, actor: { kind: work.actor.kind, id: work.actor.id } },
		outcome: null,
		dueAt: work.machineNow,
		createdAt: work.machineNow,
	});

const callById = (tx: Transaction) =>
	tx
		.select()
		.from(providerCalls)
		.where(
			and(
				eq(providerCalls.environmentId, sql.placeholder("environmentId")),
				eq(providerCalls.id, sql.placeholder("id")),
			),
		)
		.prepare();

export const findCall = (work: Work, id: string): ProviderCallRow | undefined =>
	work.prepared(callById).get({ environmentId: work.actor.environmentId, id });

/** Returns due calls of all environments, oldest first. */
export const listDueCalls = (work: Work, rowsMax: number): ProviderCallRow[] =>
	work.tx.select().from(providerCalls).where(isDue).orderBy(asc(providerCalls.dueAt)).limit(rowsMax).all();

/** Stores the outcome and removes the request. */
export const saveOutcome = (work: Work, { id }: ProviderCallRow, outcome: CallOutcome): void => {
	work.tx.update(providerCalls).set({ outcome, request: null, dueAt: null }).where(eq(providerCalls.id, id)).run();
};

/** Deletes calls of the environment that were made before that time. */
export const deleteCallsBefore = (work: Work, before: number, rowsMax: number): void => {
	const piece = work.tx
		.select({ id: providerCalls.id })
		.from(providerCalls)
		.where(
			and(eq(providerCalls.environmentId, work.actor.environmentId), lte(providerCalls.createdAt, before as never)),
		)
		.limit(rowsMax);
	work.tx.delete(providerCalls).where(inArray(providerCalls.id, piece)).run();
};
