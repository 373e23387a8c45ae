import { and, asc, desc, eq, gt, gte, isNull, like, lt, lte, or, sql } from "drizzle-orm";
import type { Instant } from "../../kernel/clock";
import type { Period } from "../../kernel/period";
import { insertRow, saveRow, writeColumns } from "../../kernel/storage/rows";
import type { Transaction, Work } from "../../kernel/work";
import type { PeriodOfCharge } from "./rules.billed";
import { billingCharges, type ChargePeriodRow, type ChargeRow, chargeCredits, chargePeriods } from "./table";

const { placeholder } = sql;

export const inEnvironment = eq(billingCharges.environmentId, placeholder("environmentId"));
const ofOwner = and(inEnvironment, eq(billingCharges.ownerId, placeholder("ownerId")));
const ofKey = and(ofOwner, eq(billingCharges.key, placeholder("key")));

const currentOfKey = (tx: Transaction) =>
	tx
		.select()
		.from(billingCharges)
		.where(and(ofKey, isNull(billingCharges.replacedAt)))
		.prepare();

/** Selects the current charge of a key; undefined before its first bill. */
export const selectCurrentCharge = ({ actor, prepared }: Work, ownerId: string, key: string): ChargeRow | undefined =>
	prepared(currentOfKey).get({ environmentId: actor.environmentId, ownerId, key });

/** The beginnings of the keys of two kinds of charges. Terms of other charges are not unpacked. */
export type KeyStarts = readonly [string, string];

const currentOfOwner = and(
	ofOwner,
	isNull(billingCharges.replacedAt),
	or(like(billingCharges.key, placeholder("one")), like(billingCharges.key, placeholder("other"))),
);
const ofKinds = ({ actor }: Work, ownerId: string, [one, other]: KeyStarts) => ({
	...{ environmentId: actor.environmentId, ownerId, one: `${one}%`, other: `${other}%` },
});

const currentKeys = (tx: Transaction) =>
	tx
		.select({ key: billingCharges.key })
		.from(billingCharges)
		.where(and(ofOwner, isNull(billingCharges.replacedAt)))
		.prepare();

const currentCharges = (tx: Transaction) => tx.select().from(billingCharges).where(currentOfOwner).prepare();

/** Selects the current charges of an owner. Most owners have none of most kinds: a bill looks for several kinds, and reads the keys once. */
export function selectCurrentCharges(work: Work, ownerId: string, keys: KeyStarts): ChargeRow[] {
	const { environmentId } = work.actor;
	const has = work.remembered(currentKeys).all({ environmentId, ownerId });
	const isFound = has.some(({ key }) => keys.some((start) => key.startsWith(start)));
	return isFound ? work.prepared(currentCharges).all(ofKinds(work, ownerId, keys)) : [];
}

export const saveCharge = (work: Work, charge: ChargeRow): void => saveRow(work, billingCharges, charge);

export const changeCharge = (
	work: Work,
	{ id }: Pick<ChargeRow, "id">,
	changes: Partial<Omit<ChargeRow, "id" | "environmentId" | "ownerId" | "key">>,
): void => writeColumns(work, billingCharges, id, { ...changes, updatedAt: work.now });

export const moveToOwner = (work: Work, { id }: Pick<ChargeRow, "id">, ownerId: string): void =>
	writeColumns(work, billingCharges, id, { ownerId, updatedAt: work.now });

/** Fails for an existing period: the primary key keeps a period from being billed twice. */
export const insertPeriod = (work: Work, period: typeof chargePeriods.$inferInsert): void => {
	insertRow(work, chargePeriods, period);
};

/** A period that is credited from its start on counts as not billed. */
export const isBilled = sql`not exists (select 1 from ${chargeCredits} where ${chargeCredits.chargeId} = ${chargePeriods.chargeId}
	and ${chargeCredits.startsAt} = ${chargePeriods.startsAt} and ${chargeCredits.revision} = ${chargePeriods.revision}
	and ${chargeCredits.fromAt} <= ${chargePeriods.startsAt})`;

export const periodsWithCharges = (tx: Transaction) =>
	tx
		.select({ period: chargePeriods, charge: billingCharges })
		.from(chargePeriods)
		.innerJoin(billingCharges, eq(billingCharges.id, chargePeriods.chargeId));

const allOfOwner = (tx: Transaction) =>
	periodsWithCharges(tx)
		.where(and(ofOwner, isBilled))
		.orderBy(
			asc(chargePeriods.startsAt),
			asc(billingCharges.key),
			asc(chargePeriods.chargeId),
			asc(chargePeriods.revision),
		)
		.prepare();

/** Selects all billed periods of an owner in order of time; its term limits their number. */
export const selectPeriods = ({ actor, prepared }: Work, ownerId: string): PeriodOfCharge[] =>
	prepared(allOfOwner).all({ environmentId: actor.environmentId, ownerId });

const amountsOfOwner = (tx: Transaction) =>
	tx
		.select({ key: billingCharges.key, rated: chargePeriods.rated })
		.from(chargePeriods)
		.innerJoin(billingCharges, eq(billingCharges.id, chargePeriods.chargeId))
		.where(and(ofOwner, isBilled))
		.prepare();

/** Selects the amounts of all billed periods of an owner. */
export const selectAmounts = (
	{ actor, prepared }: Work,
	ownerId: string,
): Array<Pick<ChargeRow, "key"> & Pick<ChargePeriodRow, "rated">> =>
	prepared(amountsOfOwner).all({ environmentId: actor.environmentId, ownerId });

const newestOfOwner = (tx: Transaction) =>
	periodsWithCharges(tx)
		.where(
			and(
				currentOfOwner,
				sql`${chargePeriods.startsAt} = (select max(starts_at) from ${chargePeriods} where ${chargePeriods.chargeId} = ${billingCharges.id})`,
			),
		)
		.orderBy(asc(billingCharges.position), asc(chargePeriods.revision))
		.prepare();

/** Selects the newest periods of an owner's current charges, in the order of the charges. */
export const selectNewestPeriods = (work: Work, ownerId: string, keys: KeyStarts): PeriodOfCharge[] =>
	work.prepared(newestOfOwner).all(ofKinds(work, ownerId, keys));

export const changeLeft = (
	work: Work,
	{ chargeId, startsAt, revision }: ChargePeriodRow,
	left: ChargePeriodRow["left"],
): void => {
	work.tx
		.update(chargePeriods)
		.set({ left })
		.where(
			and(
				eq(chargePeriods.chargeId, chargeId),
				eq(chargePeriods.startsAt, startsAt),
				eq(chargePeriods.revision, revision),
			),
		)
		.run();
};

const beforeOfKey = (tx: Transaction) =>
	periodsWithCharges(tx)
		.where(and(ofKey, isBilled, lt(chargePeriods.startsAt, placeholder("before"))))
		.orderBy(desc(chargePeriods.startsAt), desc(chargePeriods.chargeId), desc(chargePeriods.revision))
		.limit(placeholder("rowsMax"))
		.prepare();

/** Selects the billed periods of a key that begin before a time, the newest with its last bill first. */
export const selectPeriodsBefore = (
	{ actor, prepared }: Work,
	{ ownerId, key }: Pick<ChargeRow, "ownerId" | "key">,
	before: Instant,
	rowsMax: number,
): PeriodOfCharge[] => prepared(beforeOfKey).all({ environmentId: actor.environmentId, ownerId, key, before, rowsMax });

/** The last bills of the periods that begin at a time or later: one look for each period, however many bills it has. */
const lastBillsFrom = sql`
	WITH RECURSIVE found(charge_id, starts_at) AS (
		SELECT ${billingCharges.id}, (
			SELECT min(starts_at) FROM ${chargePeriods}
			WHERE charge_id = ${billingCharges.id} AND starts_at >= ${placeholder("from")}
		)
		FROM ${billingCharges} WHERE ${ofKey}
		UNION ALL
		SELECT charge_id, (
			SELECT min(${chargePeriods.startsAt}) FROM ${chargePeriods}
			WHERE ${chargePeriods.chargeId} = found.charge_id AND ${chargePeriods.startsAt} > found.starts_at
		)
		FROM found WHERE starts_at IS NOT NULL
	)
	SELECT charge_id, starts_at, (
		SELECT ${chargePeriods.revision} FROM ${chargePeriods}
		WHERE ${chargePeriods.chargeId} = found.charge_id AND ${chargePeriods.startsAt} = found.starts_at AND ${isBilled}
		ORDER BY ${chargePeriods.revision} DESC LIMIT 1
	)
	FROM found WHERE starts_at IS NOT NULL`;

const fromOfKey = (tx: Transaction) =>
	periodsWithCharges(tx)
		.where(sql`(${chargePeriods.chargeId}, ${chargePeriods.startsAt}, ${chargePeriods.revision}) IN (${lastBillsFrom})`)
		.orderBy(asc(chargePeriods.startsAt), asc(chargePeriods.chargeId))
		.prepare();

/** Selects the last bills of the periods of a key that begin at a time or later; of one time the newest charge's last. */
export const selectPeriodsFrom = (
	{ actor, prepared }: Work,
	{ ownerId, key }: Pick<ChargeRow, "ownerId" | "key">,
	from: Instant,
): PeriodOfCharge[] => prepared(fromOfKey).all({ environmentId: actor.environmentId, ownerId, key, from });

/** Whatever credits a period credits its rest. */
const isUncredited = sql`not exists (select 1 from ${chargeCredits} where ${chargeCredits.chargeId} = ${chargePeriods.chargeId}
	and ${chargeCredits.startsAt} = ${chargePeriods.startsAt} and ${chargeCredits.revision} = ${chargePeriods.revision})`;

const between = (tx: Transaction) =>
	periodsWithCharges(tx)
		.where(
			and(
				ofOwner,
				like(billingCharges.key, placeholder("key")),
				isUncredited,
				gte(chargePeriods.startsAt, placeholder("start")),
				lt(chargePeriods.startsAt, placeholder("end")),
			),
		)
		.orderBy(asc(billingCharges.position), asc(chargePeriods.createdAt), asc(chargePeriods.startsAt))
		.prepare();

/** Selects the periods of an owner's charges, whose keys begin so, that begin within a time and have no credit. */
export const selectPeriodsBetween = (
	{ actor, prepared }: Work,
	ownerId: string,
	key: string,
	{ start, end }: Period,
): PeriodOfCharge[] =>
	prepared(between).all({ environmentId: actor.environmentId, ownerId, key: `${key}%`, start, end });

const containing = (tx: Transaction) =>
	periodsWithCharges(tx)
		.where(
			and(
				ofOwner,
				isBilled,
				lte(chargePeriods.startsAt, placeholder("at")),
				gt(chargePeriods.endsAt, placeholder("at")),
			),
		)
		.prepare();

/** Selects the billed periods of an owner that contain now. */
export const selectRunningPeriods = ({ actor, prepared, now }: Work, ownerId: string): PeriodOfCharge[] =>
	prepared(containing).all({ environmentId: actor.environmentId, ownerId, at: now });

const onInvoice = (tx: Transaction) =>
	periodsWithCharges(tx)
		.where(
			and(
				inEnvironment,
				isBilled,
				eq(chargePeriods.invoiceId, placeholder("invoiceId")),
				eq(chargePeriods.revision, 0),
			),
		)
		.prepare();

/** Selects the periods whose regular bill is on an invoice. */
export const selectPeriodsOfInvoice = ({ actor, prepared }: Work, invoiceId: string): PeriodOfCharge[] =>
	prepared(onInvoice).all({ environmentId: actor.environmentId, invoiceId });
