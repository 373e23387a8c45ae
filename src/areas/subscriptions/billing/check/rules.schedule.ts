import { type Instant, toIsoOrNull } from "../../../../kernel/clock";
import { billingPeriodContaining, cycleOf } from "../../rules";
import { effectiveEndAt, isBilledHere, nextDue } from "../../rules.due";
import { hasEnded } from "../../rules.status";
import type { ChargedPeriod, SubscriptionRow } from "../../table";

type Charged = SubscriptionRow & { readonly charged: ChargedPeriod | null };

/**
 * Yields the differences between the terms of a subscription and the times at which it is billed: by its status,
 * billing anchor and period, charged period, and first scheduled update.
 */
export function* scheduleDifferences(
	named: string,
	row: Charged,
	nextUpdateAt: Instant | null,
	now: Instant,
): Generator<string> {
	const differs = (what: string, found: Instant | null, expected: Instant | null): string =>
		`${named}: ${what} ${toIsoOrNull(found) ?? "never"}, expected ${toIsoOrNull(expected) ?? "never"}`;
	const expected = isStale(row) ? null : (nextDue(row)?.at ?? null);
	// A failed step is tried again later.
	if (row.nextDueAt !== expected && (row.nextDueAt === null || row.nextDueAt !== row.problem?.retryAt))
		yield differs("its next step is due", row.nextDueAt, expected);
	if (row.nextUpdateAt !== nextUpdateAt) yield differs("its next update comes", row.nextUpdateAt, nextUpdateAt);
	const endAt = effectiveEndAt(row);
	if (row.effectiveEndAt !== endAt) yield differs("it gives access until", row.effectiveEndAt, endAt);
	if (row.status === "ACTIVE" && isBilledHere(row)) yield* billedUntilDifferences(named, row, now, differs);
}

/** The first release left the time of the next usage bill in ended subscriptions; nothing is due then. */
const isStale = ({ status, endedAt, usageDueAt, nextDueAt }: SubscriptionRow): boolean =>
	hasEnded(status) && nextDueAt === null && usageDueAt !== null && endedAt !== null && usageDueAt <= endedAt;

/** A renewal is due at the end of the charged period, and no future period counts as billed. */
function* billedUntilDifferences(
	named: string,
	row: Charged,
	now: Instant,
	differs: (what: string, found: Instant | null, expected: Instant | null) => string,
): Generator<string> {
	const { billingPeriod, billedUntil, charged } = row;
	const cycle = cycleOf(row);
	if (cycle === null || billingPeriod === null || billedUntil === null) {
		yield `${named}: it is a paid subscription without billing periods`;
		return;
	}
	const periodAt = (at: Instant) => billingPeriodContaining(cycle, billingPeriod, at);
	const billedTo = "it counts as billed until";
	const ownEnd = periodAt((billedUntil - 1) as Instant).end;
	if (billedUntil !== ownEnd) yield differs(billedTo, billedUntil, ownEnd);
	else if (charged && charged.period.end !== billedUntil) yield differs(billedTo, billedUntil, charged.period.end);
	else {
		// Without a charge in advance, the renewal bills the usage of the period that was billed last.
		const lastBilledAt = row.usageBilledUntil ?? row.usageBilledFrom ?? row.startAt;
		const latest = periodAt((lastBilledAt > now ? lastBilledAt : now) as Instant).end;
		const expected = charged ? latest : periodAt(lastBilledAt).end;
		if (billedUntil > latest || (!charged && billedUntil > expected)) yield differs(billedTo, billedUntil, expected);
	}
}
