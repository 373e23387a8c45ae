import type { Instant } from "../../kernel/clock";
import type { Work } from "../../kernel/work";
import { getOwnEnvironment } from "../access/operations";
import {
	attemptsOfInvoice,
	isRefusedForever,
	isTried,
	latestAttempt,
	triesAllowedFrom,
} from "../collection/attempts/operations.tries";
import { isFinal } from "../collection/attempts/rules.states";
import type { AttemptRow } from "../collection/attempts/table";
import type { PaymentMethodRow } from "../collection/methods/table";
import { findOpenDebit } from "../direct-debit/operations.rows";
import type { InvoiceRow } from "../invoices/table";
import { chargeAgain, chargeableOf } from "../subscriptions/lifecycle/operations.charge";
import { planMail } from "./mails/operations";
import { postponedByDebit, zoneOfCase } from "./operations.running";
import { type AfterTry, afterFailure, type FailedTry, finalNotice, usesStep, waiting } from "./rules.charges";
import { daysOf, isEnd } from "./rules.schedule";
import type { StepOutcome, WaitReason } from "./schema.values";
import { insertSteps, saveCase } from "./store";
import type { DunningCaseRow } from "./table";

/** Follows the charges of an OPEN invoice: what has ended since decides about the next step. A case of reminders follows none. */
export function followCharges(work: Work, row: DunningCaseRow, invoice: InvoiceRow): DunningCaseRow {
	if (row.retryBuckets === null) return row;
	let followed = row;
	for (const attempt of attemptsOfInvoice(work, invoice.id, row.attemptId))
		followed = followAttempt(work, followed, attempt);
	return tryNewMethod(work, followed, invoice);
}

/** Begins the charges of a case. At the issue, the first try is that of the invoice; without a method, the case waits. */
export function beginCharges(work: Work, row: DunningCaseRow, invoice: InvoiceRow, isIssue: boolean): DunningCaseRow {
	const last = latestAttempt(work, invoice.id);
	if (isIssue && last) return followCharges(work, row, invoice);
	const known = last ? saveCase(work, row, { attemptId: last.id, attemptPhase: "ENDED" }) : row;
	if (last && !isFinal(last.state)) return followAttempt(work, known, last);
	return isIssue ? runRetry(work, known, invoice) : known;
}

function followAttempt(work: Work, row: DunningCaseRow, attempt: AttemptRow): DunningCaseRow {
	const isKnown = row.attemptId === attempt.id;
	if (isKnown && row.attemptPhase === "ENDED") return row;
	if (!isFinal(attempt.state)) {
		const isAction = attempt.state === "REQUIRES_ACTION";
		if (isKnown && (row.attemptPhase === "ACTION" || !isAction)) return row;
		return isAction ? needsCustomer(work, row, attempt) : runs(work, row, attempt);
	}
	const ended = { attemptId: attempt.id, attemptPhase: "ENDED" } as const;
	if (attempt.state === "SUCCEEDED") {
		// The money was reversed, and Tollgate does not charge it again by itself.
		const position = recordTry(work, row, attempt, "DONE") ? row.position + 1 : row.position;
		return settleTry(work, row, ended, waiting({ ...row, position }, "REVERSED", zoneOfCase(work, row), work.now));
	}
	const failed = failedTry(row, attempt);
	if (usesStep(failed)) recordTry(work, row, attempt, "FAILED");
	const from = timeOf(work, attempt);
	return settleTry(work, row, ended, afterFailure(row, failed, zoneOfCase(work, row), from), from);
}

/** A charge that the customer did not authenticate in time has failed; a person has canceled any other. */
function failedTry({ attemptId, attemptPhase }: DunningCaseRow, attempt: AttemptRow): FailedTry {
	const isUnauthenticated = attemptId === attempt.id && attemptPhase === "ACTION";
	const bucket = attempt.state === "FAILED" ? (attempt.failure?.bucket ?? "RETRY_LATER") : null;
	return { bucket: bucket ?? (isUnauthenticated ? "AUTHENTICATE" : null), isPlanned: isPlanned(attempt) };
}

const isPlanned = ({ trigger }: AttemptRow): boolean => trigger === "ISSUE" || trigger === "RETRY";

/** On a frozen clock, a provider's answer takes no time. */
const timeOf = (work: Work, { createdAt }: AttemptRow): Instant =>
	getOwnEnvironment(work).clockAt === null ? work.now : createdAt;

/** While a charge runs, no step is due: its end decides. */
function runs(work: Work, row: DunningCaseRow, { id }: AttemptRow): DunningCaseRow {
	const isStill = row.state === "SUSPENDED" || row.state === "FINAL_NOTICE";
	return saveCase(work, row, {
		...{ attemptId: id, attemptPhase: "RUNNING", waitingFor: null, mailKind: null, problem: null },
		...(row.state !== "SUSPENDED" && { nextDueAt: null }),
		...(!isStill && { state: "RETRYING" }),
	});
}

function needsCustomer(work: Work, row: DunningCaseRow, attempt: AttemptRow): DunningCaseRow {
	const isStill = row.state === "SUSPENDED" || row.state === "FINAL_NOTICE";
	const changed = saveCase(work, row, {
		...{ attemptId: attempt.id, attemptPhase: "ACTION", waitingFor: "AUTHENTICATE" },
		...(row.state !== "SUSPENDED" && { nextDueAt: null }),
		...(!isStill && { state: "WAITING" }),
	});
	return planMail(work, changed, "AUTHENTICATION_NEEDED", timeOf(work, attempt));
}

/** Stores what follows a charge. A suspended case keeps standing still, and knows where to go on. */
function settleTry(
	work: Work,
	row: DunningCaseRow,
	ended: Partial<DunningCaseRow>,
	{ mailKind, ...after }: AfterTry,
	from: Instant = work.now,
): DunningCaseRow {
	const { position, anchorDay, waitingFor } = after;
	if (row.state === "SUSPENDED") return saveCase(work, row, { ...ended, position, anchorDay, waitingFor });
	const changed = saveCase(work, row, { ...ended, ...after, problem: null });
	return mailKind === null ? changed : planMail(work, changed, mailKind, from);
}

/** Records the step of a planned charge, once. Returns whether it is one. */
function recordTry(work: Work, row: DunningCaseRow, attempt: AttemptRow, outcome: StepOutcome): boolean {
	if (!isPlanned(attempt) || isEnd(row, row.position)) return false;
	const { id: caseId, round, position } = row;
	insertSteps(work, [
		{
			...{ caseId, round, position, kind: "RETRY", days: daysOf(row, position) },
			outcome,
			mailId: null,
			at: attempt.createdAt,
		},
	]);
	return true;
}

/** Records the charge that settled an invoice. */
export function recordLastTry(work: Work, row: DunningCaseRow): DunningCaseRow {
	if (row.retryBuckets === null) return row;
	let recorded = row;
	for (const attempt of attemptsOfInvoice(work, row.invoiceId, row.attemptId)) {
		const isKnown = recorded.attemptId === attempt.id && recorded.attemptPhase === "ENDED";
		if (isKnown || !isFinal(attempt.state)) continue;
		const isPaid = attempt.state === "SUCCEEDED";
		const counts = isPaid || usesStep(failedTry(recorded, attempt));
		const uses = counts && recordTry(work, recorded, attempt, isPaid ? "DONE" : "FAILED");
		const position = uses ? recorded.position + 1 : recorded.position;
		recorded = saveCase(work, recorded, { attemptId: attempt.id, attemptPhase: "ENDED", position, waitingFor: null });
	}
	return recorded;
}

/** Returns whether the reversed money is that of the last charge. Tollgate does not charge it again by itself. */
export function isReversed(work: Work, row: DunningCaseRow): boolean {
	if (row.retryBuckets === null) return false;
	return latestAttempt(work, row.invoiceId)?.state === "SUCCEEDED";
}

/** Makes the try of a case that is due: charges the customer's method, or waits for one that may be tried. */
export function runRetry(work: Work, row: DunningCaseRow, invoice: InvoiceRow): DunningCaseRow {
	const postponed = postponedByDebit(work, row);
	if (postponed) return postponed;
	const method = chargeableOf(work, invoice);
	if (!method || isRefusedForever(work, method)) return wait(work, row, method ? "NEVER" : "NO_METHOD");
	const allowedFrom = triesAllowedFrom(work, method);
	if (allowedFrom !== null) return saveCase(work, row, { waitingFor: "DECLINES", nextDueAt: allowedFrom });
	return charge(work, row, invoice, method, "RETRY");
}

function charge(
	work: Work,
	row: DunningCaseRow,
	invoice: InvoiceRow,
	method: PaymentMethodRow,
	trigger: "RETRY" | "NEW_METHOD",
): DunningCaseRow {
	return runs(work, row, chargeAgain(work, invoice, method, trigger));
}

function wait(work: Work, row: DunningCaseRow, reason: WaitReason): DunningCaseRow {
	return settleTry(work, row, {}, waiting(row, reason, zoneOfCase(work, row), work.now));
}

/** Charges a case that waits for the customer by a method that has not charged its invoice yet. It uses no step. */
export function tryNewMethod(work: Work, row: DunningCaseRow, invoice: InvoiceRow): DunningCaseRow {
	const isOpen = row.attemptPhase === "RUNNING" || row.attemptPhase === "ACTION";
	const runsOn = row.state === "RETRYING" || row.state === "WAITING" || row.state === "FINAL_NOTICE";
	if (isOpen || !runsOn || findOpenDebit(work, invoice.id)) return row;
	const method = chargeableOf(work, invoice);
	if (!method || isTried(work, invoice.id, method) || isRefusedForever(work, method)) return row;
	return charge(work, row, invoice, method, "NEW_METHOD");
}

/** Ends the tries of a case that waits for the customer. */
export function endWaiting(work: Work, row: DunningCaseRow): DunningCaseRow {
	const { id: caseId, round, position } = row;
	insertSteps(
		work,
		row.reminders.slice(position).map((days, index) => ({
			...{ caseId, round, position: position + index, kind: "RETRY" as const, days },
			...{ outcome: "SKIPPED" as const, mailId: null, at: work.now },
		})),
	);
	return settleTry(work, row, {}, finalNotice(row, zoneOfCase(work, row), work.now));
}
