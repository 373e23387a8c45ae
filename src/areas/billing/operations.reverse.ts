import type { Instant } from "../../kernel/clock";
import type { Work } from "../../kernel/work";
import type { PeriodOfCharge } from "./rules.billed";
import { creditFor } from "./rules.credit";
import { changeCharge, saveCharge, selectCurrentCharge, selectPeriods } from "./store";
import { insertCredit, selectCredits, selectReversedOfInvoice } from "./store.credits";
import type { ChargeRow } from "./table";

/** Returns all bills of a key's periods that end after a time, in order of time, each period with its last bill last. */
export const periodsEndingAfter = (
	work: Work,
	{ ownerId, key }: Pick<ChargeRow, "ownerId" | "key">,
	from: Instant,
): PeriodOfCharge[] =>
	selectPeriods(work, ownerId).filter(({ charge, period }) => charge.key === key && period.endsAt > from);

/** Returns the bills on an invoice that are credited from their start on, of any owner. */
export const reversedOfInvoice = (work: Work, invoiceId: string): PeriodOfCharge[] =>
	selectReversedOfInvoice(work, invoiceId);

/**
 * Credits the newest windows of a charge for usage as a whole, with all their bills. The charge ends, and another one on the same terms goes
 * on from the first of them, so that the time can be billed again.
 */
export function reverseUsage(work: Work, charge: ChargeRow, rows: readonly PeriodOfCharge[]): void {
	creditWhole(work, rows);
	const { billedUntil, usageEvents } = charge;
	const closed = lastBills(rows).filter(({ period }) => billedUntil !== null && period.startsAt < billedUntil);
	const counted = closed.reduce((sum, { period }) => sum + (period.usageEvents ?? 0), 0);
	const first = firstStart(rows);
	goOn(work, charge, {
		billedUntil: billedUntil !== null && first < billedUntil ? first : billedUntil,
		usageEvents: usageEvents === null ? null : usageEvents - counted,
	});
}

/**
 * Credits the newest stretches of a key in arrears as a whole. Their charges end, and another one on the terms of the first of them goes on
 * from it, so that the time can be billed again. Returns it.
 */
export function reverseStretches(work: Work, rows: readonly PeriodOfCharge[]): ChargeRow | undefined {
	const [first] = rows.toSorted((one, other) => one.period.startsAt - other.period.startsAt);
	if (!first) return undefined;
	creditWhole(work, rows);
	for (const of of Map.groupBy(rows, ({ charge }) => charge.id).values()) {
		const [{ charge } = first] = of;
		const startsAt = firstStart(of);
		changeCharge(work, charge, { billedUntil: startsAt > charge.startsAt ? startsAt : null, replacedAt: work.now });
	}
	return goOn(work, first.charge, { startsAt: firstStart(rows), billedUntil: null });
}

function creditWhole(work: Work, rows: readonly PeriodOfCharge[]): void {
	for (const { period } of rows) {
		const { chargeId, startsAt, revision, environmentId } = period;
		insertCredit(work, {
			...{ chargeId, startsAt, revision, environmentId, creditNoteId: null, createdAt: work.now },
			...creditFor(period, selectCredits(work, period)),
		});
	}
}

/** Ends the current charge of a key, and opens a copy of a charge in its place. */
function goOn(work: Work, charge: ChargeRow, changes: Partial<ChargeRow>): ChargeRow {
	const current = selectCurrentCharge(work, charge.ownerId, charge.key);
	if (current) changeCharge(work, current, { replacedAt: work.now });
	const dates = { replacedAt: null, createdAt: work.now, updatedAt: work.now };
	const next = { ...charge, ...changes, ...dates, id: work.newId() };
	saveCharge(work, next);
	return next;
}

/** Returns the last bill of each period. */
const lastBills = (rows: readonly PeriodOfCharge[]): PeriodOfCharge[] => [
	...new Map(rows.map((one) => [`${one.charge.id} ${one.period.startsAt}`, one])).values(),
];

const firstStart = (rows: readonly PeriodOfCharge[]): Instant =>
	Math.min(...rows.map(({ period }) => period.startsAt)) as Instant;
