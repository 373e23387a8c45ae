import type { Instant } from "../../kernel/clock";
import { dayMs } from "../../kernel/period";
import type { Work } from "../../kernel/work";
import { latestAttempt } from "../collection/attempts/operations.tries";
import { isFinal } from "../collection/attempts/rules.states";
import { invoicesByIds } from "../invoices/operations";
import type { InvoiceRow } from "../invoices/table";
import { policyOfInvoice } from "./operations.context";
import { zoneOfCase } from "./operations.running";
import { isPolicySettledSince } from "./policies/operations";
import { plannedAt, promiseOver } from "./rules.schedule";
import { selectCasesOf, selectSteps } from "./store";
import { hasNotice, selectCasesAfter, selectInvoicesAfter } from "./store.check";
import type { DunningCaseRow, DunningStepRow } from "./table";

/** A step runs at 08:00; the zone of a customer may have changed since it was planned. */
const slackMs = 2 * dayMs;

/**
 * Checks the dunning cases of this environment: each runs only while its invoice is OPEN, has each step once, has its next step at the time
 * of its schedule, and waits for no charge that has ended. Each OPEN invoice to which a policy applied at its issue has a case. An invoice whose
 * notice is still due is skipped.
 */
export function* checkCases(work: Work): Generator<string> {
	for (let after = ""; ; ) {
		const rows = selectCasesAfter(work, after);
		const last = rows.at(-1);
		if (!last) break;
		const ids = rows.map(({ id }) => id);
		const steps = Map.groupBy(selectSteps(work, ids), ({ caseId }) => caseId);
		const invoices = invoicesByIds(
			work,
			rows.map(({ invoiceId }) => invoiceId),
		);
		for (const row of rows) yield* differencesOf(work, row, invoices.get(row.invoiceId), steps.get(row.id) ?? []);
		after = last.id;
	}
	yield* missingCases(work);
}

function* differencesOf(
	work: Work,
	row: DunningCaseRow,
	invoice: InvoiceRow | undefined,
	steps: readonly DunningStepRow[],
): Generator<string> {
	const name = `the dunning case ${row.id}`;
	if (!invoice) return yield `${name}: its invoice is missing`;
	const positions = steps.filter(({ round }) => round === row.round).map(({ position }) => position);
	if (positions.length !== row.position || positions.some((position, at) => position !== at))
		yield `${name}: it is at step ${row.position}, and the steps ${positions.join(", ") || "(none)"} have run`;
	if (hasNotice(work, invoice.id)) return;
	if (row.state === "ENDED") {
		if (row.nextDueAt !== null) yield `${name}: it is ENDED, and a step is due`;
		return;
	}
	if (invoice.state !== "OPEN") yield `${name}: it is ${row.state}, and its invoice is ${invoice.state}`;
	else yield* timeDifferences(work, row, name);
}

function* timeDifferences(work: Work, row: DunningCaseRow, name: string): Generator<string> {
	const { nextDueAt, problem, attemptPhase } = row;
	const isCharging = attemptPhase === "RUNNING" || attemptPhase === "ACTION";
	const attempt = isCharging ? latestAttempt(work, row.invoiceId) : undefined;
	if (isCharging && (!attempt || isFinal(attempt.state)))
		yield `${name}: it waits for a charge that ${attempt ? "has ended" : "is missing"}`;
	if (problem !== null) return;
	const wanted = row.state === "SUSPENDED" ? promisedUntil(work, row) : isCharging ? null : scheduled(work, row);
	if ((nextDueAt === null) !== (wanted === null))
		yield `${name}: its next step is ${nextDueAt === null ? "not due, and should be" : "due, and should not be"}`;
	else if (nextDueAt !== null && wanted !== null && (nextDueAt < wanted.from || nextDueAt > wanted.until))
		yield `${name}: its next step is at ${new Date(nextDueAt).toISOString()}, not by its schedule`;
}

interface Span {
	readonly from: number;
	readonly until: number;
}

function promisedUntil(work: Work, row: DunningCaseRow): Span | null {
	if (row.suspendedUntil === null) return null;
	const at = promiseOver(row.suspendedUntil / dayMs, zoneOfCase(work, row));
	return { from: at - slackMs, until: at + slackMs };
}

/** A step whose time has passed runs on the morning after the last change; missing funds move a charge to an earlier day. */
function scheduled(work: Work, row: DunningCaseRow): Span {
	const last = row.reminders.length - 1;
	const position = row.state === "WAITING" ? last : row.position;
	const planned = plannedAt(row, position, zoneOfCase(work, row));
	const isMoved = row.waitingFor === "DECLINES";
	const early = row.retryBuckets === null || row.state !== "RETRYING" ? planned : Math.min(planned, row.updatedAt);
	return {
		from: Math.min(early, row.nextDueAt === row.startedAt ? row.startedAt : early) - slackMs,
		until: Math.max(planned, row.updatedAt) + slackMs + (isMoved ? 30 * dayMs : 0),
	};
}

/** Returns the OPEN invoices without a case to which a policy applied at the issue, as far as nothing has changed since. */
function* missingCases(work: Work): Generator<string> {
	for (let after = ""; ; ) {
		const rows = selectInvoicesAfter(work, after);
		const last = rows.at(-1);
		if (!last) return;
		const known = new Set(
			selectCasesOf(
				work,
				rows.map(({ id }) => id),
			).map(({ invoiceId }) => invoiceId),
		);
		for (const invoice of rows)
			if (invoice.state === "OPEN" && !known.has(invoice.id) && isExpected(work, invoice))
				yield `the invoice ${invoice.number}: its dunning case is missing`;
		after = last.id;
	}
}

const isExpected = (work: Work, invoice: InvoiceRow): boolean =>
	isPolicySettledSince(work, invoice.customerId, issuedOf(invoice)) &&
	policyOfInvoice(work, invoice) !== undefined &&
	!hasNotice(work, invoice.id);

/** An invoice may be dated back: its row is as old as its issue at the latest. */
const issuedOf = ({ issuedAt, createdAt }: InvoiceRow): Instant => Math.min(issuedAt, createdAt) as Instant;
