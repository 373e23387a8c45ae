import type { Instant } from "../../kernel/clock";
import type { Decimal } from "../../kernel/decimal";
import type { Period } from "../../kernel/period";
import type { Work } from "../../kernel/work";
import { noAmounts, sumTotals, type Totals } from "../pricing/totals";
import type { CountedEvents } from "../usage/operations";
import { type BilledPeriod, type PeriodOfCharge, sumRevisions } from "./rules.billed";
import type { Charge, ChargeOwner, ChargeTerms, UsageTerms } from "./rules.charge";
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
	selectCurrentCharges,
	selectPeriods,
	selectPeriodsBefore,
	selectPeriodsFrom,
	selectPeriodsOfInvoice,
	selectRunningPeriods,
} from "./store";
import type { ChargePeriodRow, ChargeRow } from "./table";

/** The usage of a billed period. */
export interface BilledUsage {
	/** All that is billed of the period; in priced units for a contract, in reported units for a subscription. */
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

type Opened = Omit<Charge, "terms" | "endsAt"> & {
	readonly terms: ChargeTerms | null;
	readonly endsAt: Instant | null;
};

/** Opens a charge, or continues the current one of its key on the same terms. */
function openCharge(
	work: Work,
	{ kind, id: ownerId }: ChargeOwner,
	{ key, terms, startsAt, ...timing }: Opened,
	events: CountedEvents | null,
): ChargeRow {
	const current = selectCurrentCharge(work, ownerId, key);
	const changes = { ...timing, ...markOf(timing.billedUntil, events) };
	if (current && Bun.deepEquals(current.terms, terms)) {
		changeCharge(work, current, changes);
		return { ...current, ...changes };
	}
	if (current) changeCharge(work, current, { replacedAt: work.now });
	const row: ChargeRow = {
		...{ id: work.newId(), environmentId: work.actor.environmentId, ownerKind: kind, ownerId, key, terms, startsAt },
		...{ timeZone: "UTC", replacedAt: null, createdAt: work.now, updatedAt: work.now },
		...changes,
	};
	saveCharge(work, row);
	return row;
}

const markOf = (billedUntil: Instant | null, events: CountedEvents | null) => ({
	usageEvents: events && billedUntil !== null ? events.before(billedUntil) : null,
	usageMeterId: events?.meterId ?? null,
});

/** Returns the current charge of a key; undefined before its first bill. */
export const currentCharge = (work: Work, ownerId: string, key: string): ChargeRow | undefined =>
	selectCurrentCharge(work, ownerId, key);

/** Returns the current charges of an owner. */
export const currentChargesOf = (work: Work, owner: Pick<ChargeOwner, "id">): ChargeRow[] =>
	selectCurrentCharges(work, owner.id);

/** Returns all bills of an owner's periods in order of time, each period with its last bill last. */
export const billsOf = (work: Work, owner: Pick<ChargeOwner, "id">): PeriodOfCharge[] => selectPeriods(work, owner.id);

/** Returns the bills of a key's periods that begin at a time or later, each with its last bill last. */
export const periodsFrom = (work: Work, ownerId: string, key: string, from: Instant): PeriodOfCharge[] =>
	selectPeriodsFrom(work, { ownerId, key }, from);

/** Periods read at once, newest first. Late usage nearly always belongs to the newest ones. */
const periodsPerRead = 50;

/** A billed period that has gained events since its last bill. */
export interface GainedPeriod extends PeriodOfCharge {
	readonly terms: ChargeTerms;
	/** The number of its events now. */
	readonly eventsNow: number;
}

/** The periods that a search for gained usage leaves out. */
interface Search {
	/** Periods that the bill charges as a whole, by their starts. */
	readonly except?: ReadonlySet<Instant>;
	/** Whether the owner bills the late usage of a period. Default: it does. */
	readonly isOwn?: (row: PeriodOfCharge) => boolean;
}

/**
 * Returns the billed periods of a charge's key that have gained usage since. Periods from \`billedUntil\` on are always
 * checked. Those before it are checked, newest first, only if the number of events before it has grown, until all new
 * events are found. So a bill costs the same however long it is billed. Counts of another meter are not comparable.
 */
export function gainedPeriods(
	work: Work,
	charge: ChargeRow | undefined,
	events: CountedEvents,
	{ except = new Set(), isOwn = () => true }: Search = {},
): GainedPeriod[] {
	if (!charge || charge.billedUntil === null || charge.usageEvents === null) return [];
	if (charge.usageMeterId !== null && events.meterId !== charge.usageMeterId) return [];
	const found: GainedPeriod[] = [];
	const check = (row: PeriodOfCharge): number => {
		const { startsAt, endsAt, usageEvents, state } = row.period;
		const eventsNow = usageEvents === null ? 0 : events.within({ start: startsAt, end: endsAt });
		const gained = usageEvents === null ? 0 : eventsNow - usageEvents;
		const { terms } = row.charge;
		const isOurs = state === "BILLED" && (gained <= 0 || isOwn(row));
		if (gained > 0 && isOurs && terms && !except.has(startsAt)) found.push({ ...row, terms, eventsNow });
		// A late change of a level affects every later period.
		return isOurs || events.isLevel ? gained : 0;
	};
	const lastBills = new Map(
		selectPeriodsFrom(work, charge, charge.billedUntil).map((row) => [row.period.startsAt, row]),
	);
	for (const row of lastBills.values()) check(row);
	let missing = events.before(charge.billedUntil) - charge.usageEvents;
	for (let before = charge.billedUntil; missing > 0; ) {
		const rows = selectPeriodsBefore(work, charge, before, periodsPerRead);
		for (const row of rows) {
			// An earlier bill of the period that was just checked.
			if (row.period.startsAt === before) continue;
			before = row.period.startsAt;
			missing = events.isLevel ? check(row) : missing - check(row);
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
		revisePeriod(work, period, { rated, invoiceId, usageQuantity: quantity, usageEvents: eventsNow });
	const [first] = late;
	const current = first && selectCurrentCharge(work, first.charge.ownerId, first.charge.key);
	if (current) changeCharge(work, current, markOf(current.billedUntil, events));
}

/** Adds a bill of a period that is billed already. */
const revisePeriod = (
	work: Work,
	period: ChargePeriodRow,
	changes: Pick<ChargePeriodRow, "rated" | "invoiceId" | "usageQuantity" | "usageEvents"> & Partial<ChargePeriodRow>,
): void => insertPeriod(work, { ...period, ...changes, revision: period.revision + 1, createdAt: work.now });

/** A window of usage that a subscription's bill counts. */
export interface UsageWindow extends Period {
	readonly rated: Totals;
	readonly invoiceId: string | null;
	/** All that is billed of the window, in reported units. */
	readonly quantity: Decimal;
	readonly averagedOverMs: number | null;
	/** The last bill of the window; null: this is the first. */
	readonly last: PeriodOfCharge | null;
	/** It is billed on the terms of its last bill, whatever the current ones are. */
	readonly isLate: boolean;
}

/** A charge for usage. Its windows that start before \`billedUntil\` are closed. */
export type UsageCharge = Omit<Charge<UsageTerms>, "endsAt">;

/**
 * Records the usage of a key as billed, in the transaction that bills it, so that none is billed twice or left out. A
 * charge without prices keeps its terms: nothing but late usage is billed.
 */
export function recordUsage(
	work: Work,
	owner: ChargeOwner,
	charge: UsageCharge | Pick<UsageCharge, "key" | "billedUntil">,
	windows: readonly UsageWindow[],
	events: CountedEvents,
): void {
	const current =
		"terms" in charge
			? openCharge(work, owner, { ...charge, endsAt: null }, events)
			: selectCurrentCharge(work, owner.id, charge.key);
	if (current && !("terms" in charge))
		changeCharge(work, current, { billedUntil: charge.billedUntil, ...markOf(charge.billedUntil, events) });
	for (const { start, end, rated, invoiceId, quantity, averagedOverMs, last, isLate } of windows) {
		const billed = {
			...{ rated, invoiceId, usageQuantity: quantity, usageEvents: events.within({ start, end }) },
			...{ endsAt: end, averagedOverMs, state: "BILLED" as const },
		};
		if (last && (isLate || last.charge.id === current?.id)) revisePeriod(work, last.period, billed);
		else if (current)
			insertPeriod(work, {
				...{ chargeId: current.id, startsAt: start, revision: 0, environmentId: work.actor.environmentId },
				...billed,
				createdAt: work.now,
			});
	}
}

/** Records the usage of a window as counted, and billed by nobody. Earlier bills of the window stay. */
export function excludeUsage(
	work: Work,
	owner: ChargeOwner,
	charge: UsageCharge,
	{ start, end, quantity, averagedOverMs, last }: Omit<UsageWindow, "rated" | "invoiceId" | "isLate">,
	events: CountedEvents,
): void {
	const counted = {
		...{ rated: noAmounts, invoiceId: null, usageQuantity: quantity, usageEvents: events.within({ start, end }) },
		...{ endsAt: end, averagedOverMs },
	};
	if (last) {
		revisePeriod(work, last.period, counted);
		return;
	}
	const current =
		selectCurrentCharge(work, owner.id, charge.key) ?? openCharge(work, owner, { ...charge, endsAt: null }, null);
	insertPeriod(work, {
		...{ chargeId: current.id, startsAt: start, revision: 0, environmentId: work.actor.environmentId },
		...counted,
		...{ state: "ELSEWHERE", createdAt: work.now },
	});
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
