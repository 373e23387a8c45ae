import type { Instant } from "../../kernel/clock";
import { type Decimal, minus, plus, zero } from "../../kernel/decimal";
import { assert } from "../../kernel/errors";
import type { Work } from "../../kernel/work";
import { hasAny } from "./operations.attribution";
import { applicableBudgets, type BudgetDecision, decidedBudgets, type GovernedUse } from "./operations.decide";
import { windowAt } from "./rules.cadence";
import { usedAfter } from "./rules.chains";
import { type ChainedAssignment, selectChained } from "./store.assignments";
import { openCounter, saveReserved, saveUsedOfAll, selectCounter } from "./store.counters";
import { addEntry, deleteHold, insertHold, selectExpiredHolds, selectHolds } from "./store.usage";
import type { BudgetCounterRow, BudgetHoldRow } from "./table";
import { createNamedEntities } from "./templates/operations";

/** Usage that has happened. */
export interface CountedUse extends GovernedUse {
	/** The row id of the feature or currency. */
	readonly capabilityId: string;
	/** In reported units, or credits. Negative if it reverses usage. */
	readonly amount: Decimal;
	/** The id of the report, consumption or event, for the recount. */
	readonly sourceId: string;
	/** The reservation that it consumes: its budgets count the usage. */
	readonly reservationId?: string | null | undefined;
	/** The decision that granted the use. Its counters are not read again, so no other write may come between the decision and the count. */
	readonly decided?: BudgetDecision | undefined;
}

/**
 * Counts usage at all budgets that apply, in the window of its time. Never refuses: the usage has happened. Reports, consumption and credits
 * call it in the transaction that records them. A budget counts no usage from before it began.
 */
export function countAtBudgets(work: Work, use: CountedUse): void {
	const { customerId, capabilityId, amount, sourceId } = use;
	if (amount === zero || !(hasAny(use.dimensions) || use.reservationId)) return;
	const counters = countersOf(work, use);
	if (counters.length === 0) return;
	saveUsedOfAll(work, counters, (used) => usedAfter(used, amount));
	addEntry(work, { customerId, capabilityId, sourceId, amount, counters: counters.map(({ id }) => id) });
	work.usageChanged(customerId);
}

/** Returns the counters of the budgets that count a use. */
function countersOf(work: Work, use: CountedUse): BudgetCounterRow[] {
	const { customerId, capabilityId, at, amount, decided, reservationId } = use;
	// An expired reservation reserves nothing: its commit is decided and counted as a new use, even if its holds are still stored.
	const held = reservationId ? selectHolds(work, reservationId).filter(({ expiresAt }) => work.now < expiresAt) : [];
	// A reversal creates nothing.
	if (held.length === 0 && decided?.hasNew !== false && !amount.startsWith("-")) createNamedEntities(work, use);
	const known = decided && held.length === 0 ? decidedBudgets(decided, capabilityId) : [];
	if (known.length > 0)
		return known.flatMap(({ budget, window, counter }) =>
			at < budget.anchorAt ? [] : (counter ?? openCounter(work, customerId, budget, window)),
		);
	const budgets = held.length > 0 ? heldBudgets(work, held, capabilityId) : applicableBudgets(work, use, capabilityId);
	return budgets.flatMap((budget) =>
		at < budget.anchorAt ? [] : openCounter(work, customerId, budget, windowAt(budget, at)),
	);
}

/** Returns the budgets at which a reservation was made. Those of entities archived since are suspended. */
function heldBudgets(work: Work, holds: readonly BudgetHoldRow[], capabilityId: string): ChainedAssignment[] {
	const counters = holds.filter((hold) => hold.capabilityId === capabilityId).flatMap((hold) => hold.counters);
	return selectChained(
		work,
		counters.flatMap((id) => selectCounter(work, id)?.assignmentId ?? []),
	);
}

/** A reservation that budgets granted. */
export interface HeldUse extends GovernedUse {
	readonly reservationId: string;
	readonly capabilityId: string;
	readonly amount: Decimal;
	readonly expiresAt: Instant;
}

/**
 * Reserves an amount at all budgets that apply, until the reservation ends or expires. Zero reserves nothing, but the commit counts at
 * these budgets.
 */
export function holdAtBudgets(work: Work, use: HeldUse): void {
	const { reservationId, customerId, capabilityId, amount, at, expiresAt } = use;
	for (const hold of selectExpiredHolds(work, customerId)) release(work, hold);
	createNamedEntities(work, use);
	const counters = applicableBudgets(work, use, capabilityId).map((budget) => {
		const counter = openCounter(work, customerId, budget, windowAt(budget, at));
		saveReserved(work, counter.id, plus(counter.reserved, amount));
		return counter.id;
	});
	if (counters.length > 0) insertHold(work, { reservationId, capabilityId, customerId, amount, expiresAt, counters });
}

/** Releases what a reservation holds at budgets, because it was committed or released. */
export function releaseAtBudgets(work: Work, reservationId: string): void {
	for (const hold of selectHolds(work, reservationId)) release(work, hold);
}

function release(work: Work, hold: BudgetHoldRow): void {
	for (const id of hold.counters) {
		const counter = selectCounter(work, id);
		assert(counter, "counters are never deleted");
		saveReserved(work, id, minus(counter.reserved, hold.amount));
	}
	deleteHold(work, hold);
}
