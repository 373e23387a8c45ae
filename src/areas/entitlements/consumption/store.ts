import { and, eq, gt, sql } from "drizzle-orm";
import type { Instant } from "../../../kernel/clock";
import type { Decimal } from "../../../kernel/decimal";
import type { Transaction, Work } from "../../../kernel/work";
import { type UsageReservationRow, usageReservations } from "./table";

const { placeholder } = sql;

const ofSubject = and(
	eq(usageReservations.customerId, placeholder("customerId")),
	eq(usageReservations.featureId, placeholder("featureId")),
	eq(usageReservations.resourceRef, placeholder("resourceRef")),
);

// Asked for with each check of what is metered, so they are prepared once for each connection. A customer and a feature (their
// row ids) belong to one environment.
const statements = (tx: Transaction) => ({
	held: tx
		.select({ amount: usageReservations.amount, expiresAt: usageReservations.expiresAt })
		.from(usageReservations)
		.where(
			and(ofSubject, sql`${usageReservations.state} = 'HELD'`, gt(usageReservations.expiresAt, placeholder("now"))),
		)
		.prepare(),
	byKey: tx
		.select()
		.from(usageReservations)
		.where(and(ofSubject, eq(usageReservations.idempotencyKey, placeholder("idempotencyKey"))))
		.prepare(),
	byId: tx
		.select()
		.from(usageReservations)
		.where(
			and(
				eq(usageReservations.environmentId, placeholder("environmentId")),
				eq(usageReservations.id, placeholder("id")),
			),
		)
		.prepare(),
});

/** Row ids, and the caller's id of the resource; empty for none. */
export interface Subject {
	readonly customerId: string;
	readonly featureId: string;
	readonly resourceRef: string;
}

export const selectHeld = (
	work: Work,
	{ customerId, featureId, resourceRef }: Subject,
): Array<{ readonly amount: Decimal; readonly expiresAt: Instant }> =>
	work.prepared(statements).held.all({ customerId, featureId, resourceRef, now: work.now });

export const selectByKey = (
	work: Work,
	{ customerId, featureId, resourceRef }: Subject,
	idempotencyKey: string,
): UsageReservationRow | undefined =>
	work.prepared(statements).byKey.get({ customerId, featureId, resourceRef, idempotencyKey });

export const selectReservation = (work: Work, id: string): UsageReservationRow | undefined =>
	work.prepared(statements).byId.get({ environmentId: work.actor.environmentId, id });

export const insertReservation = (work: Work, row: UsageReservationRow): void => {
	work.tx.insert(usageReservations).values(row).run();
};

export const endReservation = (
	work: Work,
	{ id }: UsageReservationRow,
	changes: Pick<UsageReservationRow, "state"> & Partial<Pick<UsageReservationRow, "committedAmount" | "reportId">>,
): UsageReservationRow =>
	work.tx
		.update(usageReservations)
		.set({ ...changes, endedAt: work.now })
		.where(and(eq(usageReservations.environmentId, work.actor.environmentId), eq(usageReservations.id, id)))
		.returning()
		.get();
