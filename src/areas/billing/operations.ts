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
	insertCredit,
	insertPeriod,
	saveCharge,
	selectAmounts,
	selectCreditedPeriods,
	selectCredits,
	selectCurrentCharge,
	selectPeriods,
	selectPeriodsBefore,
	selectPeriodsOfInvoice,
	selectRunningPeriods,
} from "./store";
import type { ChargePeriodRow, ChargeRow } from "./table";

/** The usage of a billed period. */
export interface BilledUsage {
	/** In priced units. */
	readonly quantity: NonNullable<ChargePeriodRow["usageQuantity"]>;
	readonly events: CountedEvents;
}

/** A period that a bill charges. */
export interface NewPeriod extends Period {
	readonly rated: Totals;
	readonly invoiceId: string | null;
	/** Null: not charged by usage. */
	readonly usage: BilledUsage | null;
}

/** Records a period as billed. Opens a charge, unless the current one of its key has the same terms. */
export function recordPeriod(work: Work, owner: ChargeOwner, charge: Charge, period: NewPeriod): void {
	const { start, end, rated, invoiceId, usage } = period;
	const { id } = openCharge(work, owner, { ...charge, startsAt: start, billedUntil: end }, usage?.events ?? null);
	insertPeriod(work, {
		...{ chargeId: id, startsAt: start, revision: 0, endsAt: end, state: "BILLED", rated, invoiceId },
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

type Opened = Omit<Charge, "terms"> & { readonly terms: ChargeTerms | null };

function openCharge(
	work: Work,
	{ kind, id: ownerId }: ChargeOwner,
	charge: Opened,
	events: CountedEvents | null,
): ChargeRow {
	const current = selectCurrentCharge(work, ownerId, charge.key);
	const isContinued = current !== undefined && Bun.deepEquals(current.terms, charge.terms);
	if (current && !isContinued) changeCharge(work, current, { replacedAt: work.now });
	const { billedUntil } = charge;
	const row: ChargeRow = {
		...{ id: isContinued ? current.id : work.newId(), environmentId: work.actor.environmentId },
		...{ ownerKind: kind, ownerId, timeZone: "UTC", replacedAt: null },
		...charge,
		...markOf(billedUntil, events),
		...(isContinued ? { startsAt: current.startsAt, createdAt: current.createdAt } : { createdAt: work.now }),
		updatedAt: work.now,
	};
	saveCharge(work, row);
	return row;
}

const markOf = (billedUntil: Instant | null, events: CountedEvents | null) => ({
	usageEvents: events && billedUntil !== null ? events.before(billedUntil) : null,
	usageMeterId: events?.meterId ?? null,
});

/** Periods read at once, newest first. Late usage nearly always belongs to the newest ones. */
const periodsPerRead = 50;

/** A billed period that has gained events since its last bill. */
export interface GainedPeriod extends PeriodOfCharge {
	readonly terms: ChargeTerms;
	/** The number of its events now. */
	readonly eventsNow: number;
}

/**
 * Returns the billed periods of a key that have gained usage since. They are checked, newest first, only if the number
 * of events before them has grown, until all new events are found. So a bill costs the same however long it is billed.
 */
export function gainedPeriods(work: Work, ownerId: string, key: string, events: CountedEvents): GainedPeriod[] {
	const charge = selectCurrentCharge(work, ownerId, key);
	if (!charge || charge.billedUntil === null || charge.usageEvents === null) return [];
	if (charge.usageMeterId !== null && events.meterId !== charge.usageMeterId) return [];
	const found: GainedPeriod[] = [];
	let missing = events.before(charge.billedUntil) - charge.usageEvents;
	for (let before = charge.billedUntil; missing > 0; ) {
		const rows = selectPeriodsBefore(work, charge, before, periodsPerRead);
		for (const row of rows) {
			const { startsAt, endsAt, usageEvents } = row.period;
			// An earlier revision of the period that was just checked.
			if (startsAt === before) continue;
			before = startsAt;
			const eventsNow = events.within({ start: startsAt, end: endsAt });
			const gained = eventsNow - (usageEvents ?? eventsNow);
			if (gained > 0 && row.charge.terms) found.push({ ...row, terms: row.charge.terms, eventsNow });
			// A late change of a level affects every later period.
			missing = events.isLevel ? gained : missing - gained;
			if (missing <= 0) break;
		}
		if (rows.length === 0) break;
	}
	return found;
}

/** Records late usage of periods of one key as billed. */
export function recordLate(
	work: Work,
	late: ReadonlyArray<GainedPeriod & Pick<NewPeriod, "rated" | "invoiceId"> & Pick<BilledUsage, "quantity">>,
	events: CountedEvents,
): void {
	for (const { period, rated, invoiceId, quantity, eventsNow } of late)
		insertPeriod(work, {
			...period,
			...{ revision: period.revision + 1, rated, invoiceId, usageQuantity: quantity, usageEvents: eventsNow },
			createdAt: work.now,
		});
	const [first] = late;
	const current = first && selectCurrentCharge(work, first.charge.ownerId, first.charge.key);
	if (current) changeCharge(work, current, markOf(current.billedUntil, events));
}

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
