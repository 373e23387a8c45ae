import { and, asc, eq, gt, sql } from "drizzle-orm";
import { insertRow, writeColumns } from "../../../kernel/storage/rows";
import type { Transaction, Work } from "../../../kernel/work";
import { type CreditConsumptionRow, creditConsumptions } from "../table";

/** Returns the consumption of a customer (its row id) under an idempotency key. */
export const findConsumption = (
	work: Work,
	of: { readonly customerId: string; readonly idempotencyKey: string },
): CreditConsumptionRow | undefined => work.prepared(byKey).get(of);

const byKey = (tx: Transaction) =>
	tx
		.select()
		.from(creditConsumptions)
		.where(
			and(
				eq(creditConsumptions.customerId, sql.placeholder("customerId")),
				eq(creditConsumptions.idempotencyKey, sql.placeholder("idempotencyKey")),
			),
		)
		.prepare();

export const insertConsumption = (
	work: Work,
	row: Omit<CreditConsumptionRow, "environmentId" | "createdAt">,
): CreditConsumptionRow =>
	insertRow(work, creditConsumptions, {
		...row,
		environmentId: work.actor.environmentId,
		createdAt: work.now,
	});

/** Returns consumptions of all environments to settle, after an id, the oldest first. */
export const selectWaiting = (work: Work, after: string, rowsMax: number): CreditConsumptionRow[] =>
	work.prepared(waiting).all({ after, rowsMax });

const waiting = (tx: Transaction) =>
	tx
		.select()
		.from(creditConsumptions)
		.where(and(sql`is_settled = 0`, gt(creditConsumptions.id, sql.placeholder("after"))))
		.orderBy(asc(creditConsumptions.id))
		.limit(sql.placeholder("rowsMax"))
		.prepare();

export const markSettled = (work: Work, id: string): void =>
	writeColumns(work, creditConsumptions, id, { isSettled: true });
