import { exact } from "../../kernel/decimal";
import { assert, fail } from "../../kernel/errors";
import type { Work } from "../../kernel/work";
import { disputesOfInvoice } from "../invoices/disputes/operations";
import { invoicesByIds } from "../invoices/operations";
import type { InvoiceRow } from "../invoices/table";
import { caseChanged } from "./events";
import { planMail } from "./mails/operations";
import { beginCharges, followCharges, isReversed, recordLastTry } from "./operations.charges";
import { policyOfInvoice } from "./operations.context";
import { anchorNow, running, zoneOfCase } from "./operations.running";
import { assertActive, getPolicy } from "./policies/operations";
import { retriesOf } from "./policies/rules";
import type { DunningPolicyRow } from "./policies/table";
import { assertMayBecome, nextStates } from "./rules";
import { dueDayOf, nextAt, promiseOver } from "./rules.schedule";
import { dayOf } from "./rules.suspension";
import type { CollectionStart, CollectionSuspend } from "./schema";
import type { EndReason } from "./schema.values";
import { findCaseOf, insertCase, saveCase } from "./store";
import type { DunningCaseRow } from "./table";

/**
 * Follows an invoice whose state has changed: a case starts with the issue, ends with the payment or the credit, and continues after a
 * reversed payment. A notice of the invoice calls it (scheduler/notices.ts).
 */
export function followInvoice(work: Work, invoiceId: string): void {
	const invoice = invoicesByIds(work, [invoiceId]).get(invoiceId);
	if (!invoice) return;
	const known = findCaseOf(work, invoice.id);
	if (invoice.state === "OPEN") {
		if (!known) startAtIssue(work, invoice);
		else if (known.endReason === "PAID" || known.endReason === "CREDITED") reopen(work, known, invoice);
	} else if (known && known.state !== "ENDED") endSettled(work, known, invoice);
}

/** Follows a charge or a dispute that concerns an invoice, when it starts, waits or ends. A notice of it calls this. */
export function followCharge(work: Work, invoiceId: string): void {
	const invoice = invoicesByIds(work, [invoiceId]).get(invoiceId);
	const known = invoice && findCaseOf(work, invoice.id);
	if (!known || invoice.state !== "OPEN" || known.state === "ENDED") return;
	followCharges(work, followDisputes(work, known, invoice), invoice);
}

/** A dispute of money that has paid a part of the invoice suspends its case, and the end of the last such dispute resumes it. */
function followDisputes(work: Work, row: DunningCaseRow, invoice: InvoiceRow): DunningCaseRow {
	const disputes = disputesOfInvoice(work, invoice.id);
	const isDisputed = disputes.some(({ endedAt }) => endedAt === null);
	if (isDisputed && row.state !== "SUSPENDED") return suspendCase(work, invoice, { reason: "DISPUTE" });
	const { suspension, suspendedAt } = row;
	const hasEnded = suspendedAt !== null && disputes.some(({ endedAt }) => endedAt !== null && endedAt >= suspendedAt);
	return suspension === "DISPUTE" && !isDisputed && hasEnded ? resumeCase(work, invoice) : row;
}

/** Ends the case of an invoice that is no longer OPEN. */
export const endSettled = (work: Work, row: DunningCaseRow, invoice: InvoiceRow): DunningCaseRow =>
	endCase(work, recordLastTry(work, row), invoice, settledBy(invoice));

/** Credit notes alone settle an invoice without a payment. */
const settledBy = ({ state, amountPaid, balanceApplied }: InvoiceRow): EndReason =>
	state === "CANCELED" ? "CANCELED" : exact(amountPaid).plus(exact(balanceApplied)).gt(0) ? "PAID" : "CREDITED";

export function endCase(work: Work, row: DunningCaseRow, invoice: InvoiceRow, endReason: EndReason): DunningCaseRow {
	const ended = saveCase(work, row, {
		...{ state: "ENDED", endReason, endedAt: work.now, nextDueAt: null, problem: null, mailKind: null },
		// A schedule that stood still begins to count from the end.
		...(row.suspendedAt !== null && { anchorDay: anchorNow(work, row, row.suspendedAt) }),
		...{ suspension: null, suspendedAt: null, suspendedUntil: null },
	});
	caseChanged(work, "dunning.case_ended", ended, invoice);
	return ended;
}

function startAtIssue(work: Work, invoice: InvoiceRow): void {
	const applied = policyOfInvoice(work, invoice);
	if (applied) openCase(work, invoice, applied, true);
}

/** Returns whether the steps of an invoice are charges. */
const isCharged = ({ collectionMethod }: InvoiceRow, policy: DunningPolicyRow): boolean =>
	collectionMethod === "CHARGE" && retriesOf(policy).days.length > 0;

function termsOf(invoice: InvoiceRow, policy: DunningPolicyRow) {
	const { id, endAction, endAfterDays } = policy;
	const { days, buckets } = retriesOf(policy);
	const charged = isCharged(invoice, policy);
	return {
		...{ policyId: id, endAction, endAfterDays, anchorDay: dueDayOf(invoice.dueAt), position: 0 },
		...{ reminders: charged ? [...days] : policy.reminders, retryBuckets: charged ? [...buckets] : null },
		...{ waitingFor: null, mailKind: null },
	};
}

interface Applied {
	readonly policy: DunningPolicyRow;
	/** Null: a person named the policy. */
	readonly source: DunningCaseRow["policySource"];
}

function openCase(work: Work, invoice: InvoiceRow, { policy, source }: Applied, isStart: boolean): DunningCaseRow {
	const terms = termsOf(invoice, policy);
	const { customerId, legalEntityId } = invoice;
	const row = insertCase(work, {
		...{ customerId, legalEntityId, invoiceId: invoice.id, ...terms, policySource: source },
		...{ state: terms.retryBuckets === null ? "REMINDING" : "RETRYING", round: 1, startedAt: work.now },
		...{ attemptId: null, attemptPhase: null },
		nextDueAt: nextAt(terms, zoneOfCase(work, invoice), work.now, isStart),
		...{ suspendedAt: null, suspension: null, suspendedUntil: null, note: null },
		...{ endReason: null, endedAt: null, problem: null },
	});
	caseChanged(work, "dunning.case_started", row, invoice);
	return row.retryBuckets === null ? row : beginCharges(work, row, invoice, isStart);
}

/** The schedule stood still while the invoice was settled. A case whose steps have all run stays ENDED. */
function reopen(work: Work, row: DunningCaseRow, invoice: InvoiceRow): void {
	assert(row.endedAt !== null, "an ended case has the time of its end");
	const waitingFor = isReversed(work, row) ? "REVERSED" : row.waitingFor;
	const resumed = running(work, { ...row, waitingFor, anchorDay: anchorNow(work, row, row.endedAt) });
	const started = saveCase(work, row, { ...resumed, waitingFor, endReason: null, endedAt: null });
	caseChanged(work, "dunning.case_started", started, invoice);
	if (waitingFor === "REVERSED") planMail(work, started, "METHOD_NEEDED", work.now);
}

/** Throws InvalidArgumentError for an invoice without a case. */
function caseOf(work: Work, invoice: InvoiceRow): DunningCaseRow {
	const row = findCaseOf(work, invoice.id);
	if (!row)
		throw fail(
			"InvalidArgumentError",
			`The invoice ${invoice.number} has no dunning case; start one with POST …/collection/start.`,
		);
	return row;
}

/**
 * Starts the case of an OPEN invoice that has none, or starts an ended one again from its first step. Reminders whose time has passed run as
 * one at the next 08:00. Throws InvalidArgumentError for a running case, an invoice that is not OPEN, and an invoice without a policy.
 */
export function startCase(work: Work, invoice: InvoiceRow, { policyId }: CollectionStart): DunningCaseRow {
	if (invoice.state !== "OPEN")
		throw fail("InvalidArgumentError", `The invoice ${invoice.number} is ${invoice.state}; nothing of it is due.`);
	const known = findCaseOf(work, invoice.id);
	if (known && known.state !== "ENDED")
		throw fail(
			"InvalidArgumentError",
			`The dunning case of ${invoice.number} is ${known.state} already; stop it first to start it again.`,
		);
	const applied = policyId === undefined ? policyOfInvoice(work, invoice) : namedPolicy(work, policyId);
	if (!applied)
		throw fail(
			"InvalidArgumentError",
			`No dunning policy applies to the invoice ${invoice.number}; name one in 'policyId', or set a default policy.`,
		);
	if (!known) return openCase(work, invoice, applied, false);
	const terms = { ...termsOf(invoice, applied.policy), policySource: applied.source, round: known.round + 1 };
	const started = saveCase(work, known, {
		...terms,
		...running(work, { ...known, ...terms }),
		...{ endReason: null, endedAt: null, startedAt: work.now, note: null },
	});
	caseChanged(work, "dunning.case_started", started, invoice);
	return started.retryBuckets === null ? started : beginCharges(work, started, invoice, false);
}

function namedPolicy(work: Work, policyRef: string): Applied {
	const policy = getPolicy(work, policyRef);
	assertActive(policy);
	return { policy, source: null };
}

/**
 * Stops the schedule of a case: for a promise until a day, a hold or a dispute. Another suspension replaces the first one. Throws
 * InvalidArgumentError for an ended case, and for a day that does not fit (`dayOf`).
 */
export function suspendCase(work: Work, invoice: InvoiceRow, input: CollectionSuspend): DunningCaseRow {
	const row = caseOf(work, invoice);
	assertMayBecome(row.state, "SUSPENDED");
	const timeZone = zoneOfCase(work, row);
	const day = dayOf(input, work.now, timeZone);
	const suspended = saveCase(work, row, {
		...{ state: "SUSPENDED", suspension: input.reason, suspendedAt: row.suspendedAt ?? work.now, problem: null },
		suspendedUntil: day === null ? null : day.start,
		nextDueAt: day === null ? null : promiseOver(day.number, timeZone),
		...(input.note !== undefined && { note: input.note }),
	});
	caseChanged(work, "dunning.case_suspended", suspended, invoice);
	return suspended;
}

/** Resumes a suspended case: the steps move by the days in which it stood still. Throws InvalidArgumentError for another state. */
export function resumeCase(work: Work, invoice: InvoiceRow): DunningCaseRow {
	const row = caseOf(work, invoice);
	if (row.suspendedAt === null || row.state !== "SUSPENDED")
		throw fail(
			"InvalidArgumentError",
			`The dunning case of ${invoice.number} is ${row.state}; only a SUSPENDED one resumes.`,
		);
	const resumed = saveCase(work, row, running(work, { ...row, anchorDay: anchorNow(work, row, row.suspendedAt) }));
	assert(nextStates.SUSPENDED.includes(resumed.state), "a suspended case may run again");
	caseChanged(work, "dunning.case_resumed", resumed, invoice);
	return resumed;
}

/** Ends a case by a person's decision; the invoice stays OPEN. Throws InvalidArgumentError for an ended case. */
export function stopCase(work: Work, invoice: InvoiceRow, note: string | null | undefined): DunningCaseRow {
	const row = caseOf(work, invoice);
	assertMayBecome(row.state, "ENDED");
	const noted = note === undefined ? row : saveCase(work, row, { note });
	return endCase(work, noted, invoice, "STOPPED");
}
