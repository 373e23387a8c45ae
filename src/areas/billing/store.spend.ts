import { and, asc, eq, gt, gte, like, lt, or, sql } from "drizzle-orm";
import type { Instant } from "../../kernel/clock";
import type { Period } from "../../kernel/period";
import type { Transaction, Work } from "../../kernel/work";
import type { PeriodOfCharge } from "./rules.billed";
import { billingCharges, type ChargeCreditRow, chargeCredits, chargePeriods } from "./table";

const { placeholder } = sql;

const ofOwner = and(
	eq(billingCharges.environmentId, placeholder("environmentId")),
	eq(billingCharges.ownerId, placeholder("ownerId")),
);

/** The last period of a charge that begins before the time. */
const isLastBefore = sql`${chargePeriods.startsAt} = (select max(earlier.starts_at) from charge_periods earlier
	where earlier.charge_id = ${billingCharges.id} and earlier.starts_at < ${placeholder("from")})`;

const touching = (tx: Transaction) =>
	tx
		.select({ period: chargePeriods, charge: billingCharges })
		.from(billingCharges)
		.innerJoin(chargePeriods, eq(chargePeriods.chargeId, billingCharges.id))
		.where(
			and(
				ofOwner,
				eq(chargePeriods.state, "BILLED"),
				lt(chargePeriods.startsAt, placeholder("until")),
				or(
					gte(chargePeriods.startsAt, placeholder("from")),
					and(gt(chargePeriods.endsAt, placeholder("from")), isLastBefore),
				),
			),
		)
		.prepare();

/** Selects the bills of an owner's periods that overlap a stretch of time. */
export const selectPeriodsTouching = (
	{ actor, prepared }: Work,
	ownerId: string,
	{ start: from, end: until }: Period,
): PeriodOfCharge[] => prepared(touching).all({ environmentId: actor.environmentId, ownerId, from, until });

const creditsOf = (tx: Transaction) =>
	tx
		.select({ credit: chargeCredits })
		.from(billingCharges)
		.innerJoin(chargeCredits, eq(chargeCredits.chargeId, billingCharges.id))
		.where(
			and(ofOwner, gte(chargeCredits.startsAt, placeholder("from")), lt(chargeCredits.startsAt, placeholder("until"))),
		)
		.prepare();

/** Selects the credits of an owner's periods that begin within a stretch of time. */
export const selectCreditsOf = (
	{ actor, prepared }: Work,
	ownerId: string,
	{ start: from, end: until }: Period,
): ChargeCreditRow[] =>
	prepared(creditsOf)
		.all({ environmentId: actor.environmentId, ownerId, from, until })
		.map(({ credit }) => credit);

const settledAfter = (tx: Transaction) =>
	tx
		.select({ period: chargePeriods, charge: billingCharges })
		.from(billingCharges)
		.innerJoin(chargePeriods, eq(chargePeriods.chargeId, billingCharges.id))
		.where(and(ofOwner, like(billingCharges.key, placeholder("keys")), gte(chargePeriods.endsAt, placeholder("at"))))
		.orderBy(asc(chargePeriods.startsAt), asc(billingCharges.key), asc(chargePeriods.revision))
		.prepare();

/** Selects the billed periods of an owner's charges whose keys begin so and that end at a time or later, each with its last bill last. */
export const selectPeriodsEndingFrom = (
	{ actor, prepared }: Work,
	ownerId: string,
	keys: string,
	at: Instant,
): PeriodOfCharge[] =>
	prepared(settledAfter).all({ environmentId: actor.environmentId, ownerId, keys: `${keys}%`, at });
