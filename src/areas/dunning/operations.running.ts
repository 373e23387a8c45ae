import type { Instant } from "../../kernel/clock";
import type { Work } from "../../kernel/work";
import { getCustomerById } from "../customers/operations";
import { findOpenDebit } from "../direct-debit/operations.rows";
import { zoneOf } from "./operations.context";
import { runningState } from "./rules";
import { finalNotice, waiting } from "./rules.charges";
import { isEnd, movedAnchor, nextAt } from "./rules.schedule";
import { saveCase } from "./store";
import type { DunningCaseRow } from "./table";

export const zoneOfCase = (work: Work, { customerId }: Pick<DunningCaseRow, "customerId">): string =>
	zoneOf(work, getCustomerById(work, customerId));

/** Returns the day from which the steps of a case count whose schedule stood still since an instant. */
export const anchorNow = (work: Work, row: DunningCaseRow, since: Instant): number =>
	movedAnchor(row, { since, until: work.now }, zoneOfCase(work, row));

/** Returns the columns of a case whose schedule runs from now on. */
export function running(work: Work, row: DunningCaseRow): Partial<DunningCaseRow> {
	const { anchorDay, reminders, position } = row;
	const timeZone = zoneOfCase(work, row);
	const run = { anchorDay, problem: null, suspension: null, suspendedAt: null, suspendedUntil: null };
	if (row.retryBuckets === null)
		return { ...run, state: runningState(reminders, position), nextDueAt: nextAt(row, timeZone, work.now) };
	return { ...run, ...chargedRun(work, row, timeZone) };
}

/** While a charge runs, no step is due: its end decides. */
function chargedRun(work: Work, row: DunningCaseRow, timeZone: string): Partial<DunningCaseRow> {
	const { position, waitingFor } = row;
	const isOpen = row.attemptPhase === "RUNNING" || row.attemptPhase === "ACTION";
	if (isEnd(row, position)) {
		const { state, nextDueAt } = finalNotice(row, timeZone, work.now, false);
		return { state, nextDueAt: isOpen ? null : nextDueAt };
	}
	if (waitingFor !== null && waitingFor !== "DECLINES") {
		const { state, nextDueAt } = waiting(row, waitingFor, timeZone, work.now);
		return { state, nextDueAt: isOpen ? null : nextDueAt };
	}
	return { state: "RETRYING", nextDueAt: isOpen ? null : nextAt(row, timeZone, work.now) };
}

/**
 * Returns a case whose invoice a direct debit collects, and whose step is due again on the next morning: no step runs until the debit ends.
 * Returns undefined for any other case.
 */
export function postponedByDebit(work: Work, row: DunningCaseRow): DunningCaseRow | undefined {
	if (!findOpenDebit(work, row.invoiceId)) return undefined;
	return saveCase(work, row, { problem: null, nextDueAt: nextAt(row, zoneOfCase(work, row), work.now) });
}
