import type { Instant } from "../../kernel/clock";
import type { Period } from "../../kernel/period";
import type { Work } from "../../kernel/work";
import { sumTotals, type Totals } from "../pricing/totals";
import type { CountedEvents } from "../usage/operations";
import { type BilledPeriod, type PeriodOfCharge, sumRevisions } from "./rules.billed";
import type { Charge, ChargeOwner, ChargeTerms } from "./rules.charge";
import { creditFor } from "./rules.credit";
import {
	changeCharge,
	changeLeft,
	insertPeriod,
	type KeyStarts,
	moveToOwner,
	saveCharge,
	selectAmounts,
	selectCurrentCharge,
	selectCurrentCharges,
	selectNewestPeriods,
	selectPeriods,
	selectPeriodsBefore,
	selectPeriodsBetween,
	selectPeriodsFrom,
	selectPeriodsOfInvoice,
	selectRunningPeriods,
} from "./store";
import { insertCredit, selectCreditedPeriods, selectCredits } from "./store.credits";
import type { ChargePeriodRow, ChargeRow, CreditedAmounts, RatedAmounts } from "./table";

/** The usage of a billed period. */
export interface BilledUsage {
	/** All that is billed of the period; in priced units for a contract, in reported units for a subscription. */
	readonly quantity: NonNullable<ChargePeriodRow["usageQuantity"]>;
	readonly events: CountedEvents;
}

/** A period that a bill charges. */
export interface NewPeriod extends Period, Partial<Pick<ChargePeriodRow, "state" | "wholeStartsAt" | "lineChargeId">> {
	readonly rated: RatedAmounts;
	readonly invoiceId: string | null;
	/** Null: not charged by usage. */
	readonly usage: BilledUsage | null;
}

type OfPeriod = Omit<Opened, "startsAt" | "billedUntil">;

/** Records a period as billed. Opens a charge, unless the current one of its key has the same terms. */
export function recordPeriod(work: Work, owner: ChargeOwner, charge: OfPeriod, period: NewPeriod): void {
	const opened = { ...charge, startsAt: period.start, billedUntil: period.end };
	insertBilled(work, openCharge(work, owner, opened, period.usage?.events ?? null), period);
}

/**
 * Records a period that a charge in advance has billed. Opens a charge, unless the current one of the key has the same
 * terms, and the period comes after those that it has billed. `newest` is the newest period of that charge; null: there
 * is none. The newest period tells how far such a charge is billed, so that a renewal writes no charge.
 */
export function recordInAdvance(
	work: Work,
	owner: ChargeOwner,
	charge: OfPeriod,
	period: NewPeriod,
	newest: PeriodOfCharge | null,
): void {
	const opened = { ...charge, startsAt: period.start, billedUntil: null };
	const isAfter = newest !== null && newest.period.endsAt <= period.start;
	insertBilled(work, continueOrOpen(work, owner, opened, null, { current: newest?.charge, isAfter }), period);
}

/**
 * Records a past period that a change with an earlier date charges. `former` is the charge that recorded the past period before it;
 * another one is opened for other terms. Such a charge is never the current one of its key.
 */
export function recordFormerPeriod(
	work: Work,
	{ kind, id: ownerId }: ChargeOwner,
	{ key, terms, ...timing }: OfPeriod,
	period: NewPeriod,
	former: ChargeRow | undefined,
): ChargeRow {
	const continued = former && Bun.deepEquals(former.terms, terms) ? former : undefined;
	const row = continued ?? {
		...{ id: work.newId(), environmentId: work.actor.environmentId, ownerKind: kind, ownerId, key, terms },
		...{
			position: 0,
			timeZone: "UTC",
			startsAt: period.start,
			billedUntil: null,
			usageEvents: null,
			usageMeterId: null,
		},
		...{ replacedAt: work.now, createdAt: work.now, updatedAt: work.now },
		...timing,
	};
	if (!continued) saveCharge(work, row);
	insertBilled(work, row, period);
	return row;
}

/** Records a stretch of a charge in arrears as billed. */
export function recordStretch(work: Work, charge: ChargeRow, period: NewPeriod): void {
	insertBilled(work, charge, period);
	changeCharge(work, charge, { billedUntil: period.end });
}

/** Moves the start of a charge of which nothing is billed. */
export const moveStart = (work: Work, charge: Pick<ChargeRow, "id">, startsAt: Instant): void =>
	changeCharge(work, charge, { startsAt });

function insertBilled(work: Work, { id }: ChargeRow, period: NewPeriod): void {
	const { start, end, usage, state = "BILLED", ...billed } = period;
	insertPeriod(work, {
		...{ ...billed, chargeId: id, startsAt: start, revision: 0, endsAt: end, state },
		...(usage && { usageQuantity: usage.quantity, usageEvents: usage.events.within({ start, end }) }),
		environmentId: work.actor.environmentId,
		createdAt: work.now,
	});
}

/** Records the time that another system billed, at an amount. The usage in it is unknown, so its terms are too. */
export function recordElsewhere(
	work: Work,
	owner: ChargeOwner,
	charge: Charge,
	{ start, end, rated }: Omit<NewPeriod, "usage" | "invoiceId">,
	events: CountedEvents | null,
): void {
	const { id } = openCharge(work, owner, { ...charge, terms: null, startsAt: start, billedUntil: end }, events);
	insertPeriod(work, {
		...{ chargeId: id, startsAt: start, revision: 0, endsAt: end, state: "ELSEWHERE", rated },
		environmentId: work.actor.environmentId,
		createdAt: work.now,
	});
}

type Opened = Omit<Charge, "terms" | "endsAt"> & {
	readonly terms: ChargeTerms | null;
	readonly endsAt: Instant | null;
	readonly position?: number;
};

/** Opens a charge, or continues the current one of its key on the same terms. */
export const openCharge = (work: Work, owner: ChargeOwner, opened: Opened, events: CountedEvents | null): ChargeRow =>
	continueOrOpen(work, owner, opened, events, {
		current: selectCurrentCharge(work, owner.id, opened.key),
		isAfter: true,
	});

interface Continued {
	/** Undefined: there is none. */
	readonly current: ChargeRow | undefined;
	/** Whether what follows comes after all that the charge has billed. */
	readonly isAfter: boolean;
}

function continueOrOpen(
	work: Work,
	{ kind, id: ownerId }: ChargeOwner,
	{ key, terms, startsAt, ...timing }: Opened,
	events: CountedEvents | null,
	{ current, isAfter }: Continued,
): ChargeRow {
	const changes = { ...timing, ...markOf(timing.billedUntil, events) };
	if (current && isAfter && Bun.deepEquals(current.terms, terms)) {
		const differing = differences(current, changes);
		if (Object.keys(differing).length > 0) changeCharge(work, current, differing);
		return { ...current, ...changes };
	}
	if (current) changeCharge(work, current, { replacedAt: work.now });
	const row: ChargeRow = {
		...{ id: work.newId(), environmentId: work.actor.environmentId, ownerKind: kind, ownerId, key, terms, startsAt },
		...{ position: 0, timeZone: "UTC", replacedAt: null, createdAt: work.now, updatedAt: work.now },
		...changes,
	};
	saveCharge(work, row);
	return row;
}

/** Usually only the end of the billed time differs, and of a charge in advance nothing. */
function differences(current: ChargeRow, changes: Partial<ChargeRow>): Partial<ChargeRow> {
	const before = new Map<string, unknown>(Object.entries(current));
	return Object.fromEntries(
		Object.entries(changes).filter(([name, value]) => !Bun.deepEquals(before.get(name), value)),
	);
}

export const markOf = (billedUntil: Instant | null, events: CountedEvents | null) => ({
	usageEvents: events && billedUntil !== null ? events.before(billedUntil) : null,
	usageMeterId: events?.meterId ?? null,
});

/** Returns the current charge of a key; undefined before its first bill. */
export const currentCharge = (work: Work, ownerId: string, key: string): ChargeRow | undefined =>
	selectCurrentCharge(work, ownerId, key);

/** Returns the current charges of an owner whose keys begin so. */
export const currentChargesOf = (work: Work, owner: Pick<ChargeOwner, "id">, keys: KeyStarts): ChargeRow[] =>
	selectCurrentCharges(work, owner.id, keys);

/** Returns all bills of an owner's periods in order of time, each period with its last bill last. */
export const billsOf = (work: Work, owner: Pick<ChargeOwner, "id">): PeriodOfCharge[] => selectPeriods(work, owner.id);

/** Returns the last bills of a key's periods that begin at a time or later; of one time that of the newest charge last. */
export const periodsFrom = (work: Work, ownerId: string, key: string, from: Instant): PeriodOfCharge[] =>
	selectPeriodsFrom(work, { ownerId, key }, from);

/**
 * Credits a whole period. Its charge ends, and if the key was billed before the period, another one goes on from there,
 * so that the time can be billed again.
 */
export function creditPeriod(work: Work, { period, charge }: PeriodOfCharge, creditNoteId: string | null): void {
	const { chargeId, startsAt, revision, environmentId } = period;
	insertCredit(work, {
		...{ chargeId, startsAt, revision, environmentId, creditNoteId, createdAt: work.now },
		...creditFor(period, selectCredits(work, period)),
	});
	changeCharge(work, charge, { replacedAt: work.now });
	if (isFirstOfKey(work, { period, charge })) return;
	const dates = { createdAt: work.now, updatedAt: work.now };
	saveCharge(work, { ...charge, id: work.newId(), billedUntil: startsAt, replacedAt: null, ...dates });
}

/** Returns the newest period of each current charge of an owner whose key begins so, in the order of the charges. */
export const newestPeriodsOf = (work: Work, owner: Pick<ChargeOwner, "id">, keys: KeyStarts): PeriodOfCharge[] =>
	selectNewestPeriods(work, owner.id, keys);

/** Returns the periods of an owner's charges, whose keys begin so, that begin within a time and have no credit, in the order of the charges. */
export const periodsBetween = (
	work: Work,
	owner: Pick<ChargeOwner, "id">,
	key: string,
	time: Period,
): PeriodOfCharge[] => selectPeriodsBetween(work, owner.id, key, time);

/** Records the credit of a part of a period. */
export function creditPart(
	work: Work,
	{ period }: PeriodOfCharge,
	{ from, rated }: { readonly from: Instant; readonly rated: CreditedAmounts },
): void {
	const { chargeId, startsAt, revision, endsAt, environmentId } = period;
	insertCredit(work, {
		...{ chargeId, startsAt, revision, fromAt: from, toAt: endsAt, environmentId, rated },
		...{ creditNoteId: null, createdAt: work.now },
	});
}

/** Ends a charge: nothing more of it is billed, and nothing is credited. */
export const endCharge = (work: Work, { charge }: Pick<PeriodOfCharge, "charge">): void =>
	changeCharge(work, charge, { replacedAt: work.now });

/** Changes the place of a charge among those of its owner. */
export const moveCharge = (work: Work, { charge }: PeriodOfCharge, position: number): void => {
	if (charge.position !== position) changeCharge(work, charge, { position });
};

/** Records the rest of a period's amount after credit notes that were issued by hand. Null: all of it. */
export const leaveAmount = (work: Work, { period }: PeriodOfCharge, left: ChargePeriodRow["left"]): void =>
	changeLeft(work, period, left);

/** Gives a charge to another owner, which goes on billing it. */
export const giveCharge = (work: Work, { charge }: PeriodOfCharge, to: ChargeOwner): void =>
	moveToOwner(work, charge, to.id);

/** Whether nothing of its key is billed before a period. */
export const isFirstOfKey = (work: Work, { period, charge }: PeriodOfCharge): boolean =>
	selectPeriodsBefore(work, charge, period.startsAt, 1).length === 0;

/** Records how far a key counts as paid. */
export function payUntil(work: Work, ownerId: string, key: string, billedUntil: Instant): void {
	const charge = selectCurrentCharge(work, ownerId, key);
	if (charge) changeCharge(work, charge, { billedUntil });
}

/** Returns all billed periods of an owner in order of time. */
export const billedPeriodsOf = (work: Work, owner: Pick<ChargeOwner, "id">): BilledPeriod[] =>
	sumRevisions(selectPeriods(work, owner.id));

/** Returns the billed amounts of an owner by key. */
export const billedAmounts = (work: Work, owner: Pick<ChargeOwner, "id">): Map<string, Totals> =>
	new Map(
		[...Map.groupBy(selectAmounts(work, owner.id), ({ key }) => key)].map(([key, rows]) => [
			key,
			sumTotals(rows.map(({ rated }) => rated)),
		]),
	);

/** Returns the credits of an owner, each with its period. */
export const creditedPeriodsOf = (work: Work, owner: Pick<ChargeOwner, "id">) => selectCreditedPeriods(work, owner.id);

/** Returns the periods whose regular bill is on an invoice. */
export const periodsOfInvoice = (work: Work, invoiceId: string): PeriodOfCharge[] =>
	selectPeriodsOfInvoice(work, invoiceId);

/** Returns the billed periods of an owner that contain now. */
export const runningPeriods = (work: Work, owner: Pick<ChargeOwner, "id">): PeriodOfCharge[] =>
	selectRunningPeriods(work, owner.id);
