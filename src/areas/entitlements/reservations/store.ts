import { and, eq, gt, gte, inArray, lte, type SQL, sql } from "drizzle-orm";
import type { Instant } from "../../../kernel/clock";
import type { Decimal } from "../../../kernel/decimal";
import { type Page, type PageQuery, readPage } from "../../../kernel/page";
import type { Transaction, Work } from "../../../kernel/work";
import type { ReservationState } from "./rules";
import { type UsageReservationRow, usageReservations } from "./table";

const { placeholder } = sql;

const ofSubject = and(
	eq(usageReservations.customerId, placeholder("customerId")),
	eq(usageReservations.featureId, placeholder("featureId")),
	eq(usageReservations.resourceRef, placeholder("resourceRef")),
);

// Each check of a metered feature uses these, so each connection prepares them once. A customer and a feature (their row ids)
// belong to one environment.
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

export const selectReserved = (
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

/** A filter by row ids of the customer and the feature, and by the caller's id of the resource. Undefined: any. */
export interface ReservationFilter {
	readonly customerId: string;
	readonly featureId: string | undefined;
	readonly resourceRef: string | undefined;
	readonly states: readonly ReservationState[] | undefined;
}

/** The reservations that one page examines: a few milliseconds of reading. */
export const rowsExaminedMax = 2_000;

/**
 * Returns the matching reservations of a customer. An index finds HELD ones. With any other filter, one page examines the next
 * `rowsExaminedMax` reservations, so it can end early; the next page continues.
 */
export function pageReservations(work: Work, query: PageQuery, filter: ReservationFilter): Page<UsageReservationRow> {
	const { customerId, featureId, resourceRef, states } = filter;
	let lookedTo: string | null = null;
	const page = readPage(
		query,
		usageReservations.id,
		(cursor) => selectReservation(work, cursor)?.customerId === customerId,
		(beyondCursor, order, rowsMax) => {
			const next = and(eq(usageReservations.customerId, customerId), beyondCursor);
			const isOfHeld = states?.every((state) => state === "HELD");
			if (!isOfHeld) lookedTo = lastExamined(work, next, order);
			return work.tx
				.select()
				.from(usageReservations)
				.where(
					and(
						next,
						isOfHeld ? inArray(usageReservations.id, reservedIds(work, customerId)) : undefined,
						lookedTo === null ? undefined : (query.before ? lte : gte)(usageReservations.id, lookedTo),
						featureId === undefined ? undefined : eq(usageReservations.featureId, featureId),
						resourceRef === undefined ? undefined : eq(usageReservations.resourceRef, resourceRef),
						states && inArray(stateAtSql(work.now), [...states]),
					),
				)
				.orderBy(order)
				.limit(rowsMax)
				.all();
		},
	);
	return query.before ? { ...page, prev: page.prev ?? lookedTo } : { ...page, next: page.next ?? lookedTo };
}

/** Returns the id of the last examined reservation; null where the list ends before. */
const lastExamined = (work: Work, next: SQL | undefined, order: SQL): string | null =>
	work.tx
		.select({ id: usageReservations.id })
		.from(usageReservations)
		.where(next)
		.orderBy(order)
		.limit(1)
		.offset(rowsExaminedMax - 1)
		.get()?.id ?? null;

const reservedIds = ({ tx, now }: Work, customerId: string) =>
	tx
		.select({ id: usageReservations.id })
		.from(usageReservations)
		.where(
			and(
				eq(usageReservations.customerId, customerId),
				sql`${usageReservations.state} = 'HELD'`,
				gt(usageReservations.expiresAt, now),
			),
		);

/** As `stateAt` in rules.ts. */
const stateAtSql = (now: Instant) => sql<ReservationState>`case
	when ${usageReservations.state} = 'HELD' and ${usageReservations.expiresAt} <= ${now} then 'EXPIRED'
	else ${usageReservations.state} end`;

export const insertReservation = (work: Work, row: UsageReservationRow): void => {
	work.tx.insert(usageReservations).values(row).run();
	work.usageChanged(row.customerId);
};

export function endReservation(
	work: Work,
	{ id, customerId }: UsageReservationRow,
	changes: Pick<UsageReservationRow, "state"> & Partial<Pick<UsageReservationRow, "committedAmount" | "reportId">>,
): UsageReservationRow {
	work.usageChanged(customerId);
	return work.tx
		.update(usageReservations)
		.set({ ...changes, endedAt: work.now })
		.where(and(eq(usageReservations.environmentId, work.actor.environmentId), eq(usageReservations.id, id)))
		.returning()
		.get();
}
