import type { Instant } from "../../kernel/clock";
import type { Decimal } from "../../kernel/decimal";
import type { Period } from "../../kernel/period";
import type { Work } from "../../kernel/work";
import { noAmounts } from "../pricing/totals";
import type { CountedEvents } from "../usage/operations";
import { type BilledUsage, markOf, type NewPeriod, openCharge } from "./operations";
import type { PeriodOfCharge } from "./rules.billed";
import type { Charge, ChargeOwner, ChargeTerms, UsageTerms } from "./rules.charge";
import { changeCharge, insertPeriod, selectCurrentCharge, selectPeriodsBefore, selectPeriodsFrom } from "./store";
import type { ChargePeriodRow, ChargeRow, RatedAmounts, UsageState } from "./table";

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
 * Returns the billed periods of a charge's key that have gained usage since. Periods from `billedUntil` on are always
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
	// Counting up to the last bill of an open window would read its later events one by one.
	for (const [startsAt, row] of lastBills) if (!except.has(startsAt)) check(row);
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
	readonly rated: RatedAmounts;
	readonly invoiceId: string | null;
	/** All that is billed of the window, in reported units. */
	readonly quantity: Decimal;
	readonly averagedOverMs: number | null;
	readonly usageState?: UsageState | null;
	/** The last bill of the window; null: this is the first. */
	readonly last: PeriodOfCharge | null;
	/** It is billed on the terms of its last bill, whatever the current ones are. */
	readonly isLate: boolean;
}

/** A charge for usage. Its windows that start before `billedUntil` are closed. */
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
	for (const { start, end, rated, invoiceId, quantity, averagedOverMs, usageState = null, last, isLate } of windows) {
		const billed = {
			...{ rated, invoiceId, usageQuantity: quantity, usageEvents: events.within({ start, end }) },
			...{ endsAt: end, averagedOverMs, usageState, state: "BILLED" as const },
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
	{
		start,
		end,
		quantity,
		averagedOverMs,
		usageState = null,
		last,
	}: Omit<UsageWindow, "rated" | "invoiceId" | "isLate">,
	events: CountedEvents,
): void {
	const counted = {
		...{ rated: noAmounts, invoiceId: null, usageQuantity: quantity, usageEvents: events.within({ start, end }) },
		...{ endsAt: end, averagedOverMs, usageState },
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
