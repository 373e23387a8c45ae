import { type Instant, toIso, toIsoOrNull } from "../../kernel/clock";
import { toWire } from "../../kernel/decimal";
import { assert } from "../../kernel/errors";
import type { Work } from "../../kernel/work";
import { latestAttempt } from "../collection/attempts/operations.tries";
import { customersByIds } from "../customers/operations";
import { findOpenDebit } from "../direct-debit/operations.rows";
import { invoicesByIds } from "../invoices/operations";
import { isOverdue, issuedStateOf } from "../invoices/rules";
import type { InvoiceRow } from "../invoices/table";
import {
	type Collected,
	type CollectionOfCustomer,
	collect,
	getCollectedInvoice,
	stepsOf,
} from "./operations.collection";
import { zoneOf } from "./operations.context";
import { isExempt, policiesByIds, policyOf } from "./policies/operations";
import { explain } from "./rules.explanation";
import { daysOf, isEnd, positionAt } from "./rules.schedule";
import type { CollectedInvoice, Collection, DunningCase, DunningMail, InvoiceCollection } from "./schema";
import { selectCasesByIds, selectStepsOfMails } from "./store";
import type { DunningCaseRow, DunningMailRow } from "./table";

/** Returns the views of cases, in the given order. */
export function viewCases(work: Work, rows: readonly DunningCaseRow[]): DunningCase[] {
	const customers = customersByIds(work, [...new Set(rows.map(({ customerId }) => customerId))]);
	const policies = policiesByIds(work, [...new Set(rows.map(({ policyId }) => policyId))]);
	const invoices = invoicesByIds(
		work,
		rows.map(({ invoiceId }) => invoiceId),
	);
	return rows.map((row) => {
		const customer = customers.get(row.customerId);
		assert(customer, "a case has a customer");
		return {
			caseId: row.id,
			customerId: customer.refId,
			invoiceId: row.invoiceId,
			invoiceNumber: invoices.get(row.invoiceId)?.number ?? "",
			policyId: policies.get(row.policyId)?.refId ?? "",
			policySource: row.policySource,
			state: row.state,
			waitingFor: row.waitingFor,
			suspension: suspensionOf(row),
			note: row.note,
			next: nextOf(row, zoneOf(work, customer)),
			problem: problemOf(row),
			endReason: row.endReason,
			startedAt: toIso(row.startedAt),
			endedAt: toIsoOrNull(row.endedAt),
		};
	});
}

const dayText = (at: Instant): string => toIso(at).slice(0, 10);

const suspensionOf = ({ suspension, suspendedAt, suspendedUntil }: DunningCaseRow): DunningCase["suspension"] =>
	suspension === null || suspendedAt === null
		? null
		: {
				reason: suspension,
				since: toIso(suspendedAt),
				untilDay: suspendedUntil === null ? null : dayText(suspendedUntil),
			};

function nextOf(row: DunningCaseRow, timeZone: string): DunningCase["next"] {
	if (row.nextDueAt === null) return null;
	const at = toIso(row.nextDueAt);
	if (row.state === "SUSPENDED") return { kind: "RESUME", days: null, action: null, at };
	if (isEnd(row, row.position)) return { kind: "END", days: row.endAfterDays, action: row.endAction, at };
	if (row.retryBuckets !== null)
		return row.state === "WAITING"
			? { kind: "FINAL_NOTICE", days: daysOf(row, row.reminders.length - 1), action: null, at }
			: { kind: "RETRY", days: daysOf(row, row.position), action: null, at };
	const position = row.nextDueAt === row.startedAt ? row.position : positionAt(row, timeZone, row.nextDueAt);
	return { kind: "REMINDER", days: daysOf(row, position), action: null, at };
}

function problemOf({ problem }: DunningCaseRow): DunningCase["problem"] {
	if (problem === null) return null;
	const { code, message, since, attempts, retryAt } = problem;
	return { code, message, since: toIso(since), attempts, retryAt: toIso(retryAt) };
}

function viewCollected(work: Work, collected: readonly Collected[]): CollectedInvoice[] {
	const rows = collected.flatMap(({ row }) => row ?? []);
	const views = new Map(viewCases(work, rows).map((view) => [view.caseId, view]));
	return collected.map(({ invoice, amountDue, row }) => {
		const view = row ? (views.get(row.id) ?? null) : null;
		const lastAttempt = lastAttemptOf(work, invoice);
		return {
			invoiceId: invoice.id,
			number: invoice.number,
			state: issuedStateOf(invoice),
			currency: invoice.currency,
			total: toWire(invoice.total),
			amountDue: toWire(amountDue),
			dueDate: toIso(invoice.dueAt),
			isOverdue: isOverdue(invoice, work.now),
			case: view,
			lastAttempt,
			explanation: explain(view, lastAttempt, {
				...{ state: invoice.state, isExempt: isExempt(work, invoice.customerId) },
				debitOn: findOpenDebit(work, invoice.id)?.collectionOn ?? null,
			}),
		};
	});
}

/** Returns the last charge of an invoice that Tollgate charges. */
function lastAttemptOf(work: Work, { id, collectionMethod }: InvoiceRow): CollectedInvoice["lastAttempt"] {
	const attempt = collectionMethod === "CHARGE" ? latestAttempt(work, id) : undefined;
	if (!attempt) return null;
	const { state, trigger, failure, actionUrl } = attempt;
	return { attemptId: attempt.id, state, trigger, failure, actionUrl, createdAt: toIso(attempt.createdAt) };
}

/** Returns what is due of a customer, and what Tollgate does about it. */
export function viewCollection(work: Work, { customer, due, collected, hasMore }: CollectionOfCustomer): Collection {
	const { id, legalEntityId } = customer;
	return {
		customerId: customer.refId,
		timeZone: zoneOf(work, customer),
		policyId: policyOf(work, { customerId: id, planId: null, legalEntityId })?.policy.refId ?? null,
		isExempt: isExempt(work, id),
		due: due.map(({ currency, amount, overdue }) => ({
			currency,
			amount: toWire(amount),
			overdueAmount: toWire(overdue),
		})),
		invoices: viewCollected(work, collected),
		hasMore,
	};
}

/** Returns the collection of one invoice with the steps that ran. */
export function viewInvoiceCollection(work: Work, invoice: InvoiceRow): InvoiceCollection {
	const collected = collect(work, [invoice]);
	const [view] = viewCollected(work, collected);
	assert(view, "each invoice has a view");
	return {
		...view,
		steps: stepsOf(work, collected[0]?.row).map(({ round, kind, days, outcome, at, mailId }) => ({
			...{ round, kind, days, outcome, at: toIso(at), mailId },
		})),
	};
}

/** Changes the case of an invoice, and returns the collection of the invoice. Throws CustomerNotFound, InvoiceNotFound. */
export function changedCollection(
	work: Work,
	{ id, invoiceRef }: { readonly id: string; readonly invoiceRef: string },
	change: (invoice: InvoiceRow) => unknown,
): InvoiceCollection {
	const invoice = getCollectedInvoice(work, id, invoiceRef);
	change(invoice);
	return viewInvoiceCollection(work, invoice);
}

/** Returns the views of reminders, in the given order. */
export function viewMails(work: Work, rows: readonly DunningMailRow[]): DunningMail[] {
	const steps = selectStepsOfMails(
		work,
		rows.map(({ id }) => id),
	);
	const cases = new Map(
		selectCasesByIds(work, [...new Set(steps.map(({ caseId }) => caseId))]).map((row) => [row.id, row]),
	);
	const customers = customersByIds(work, [...new Set(rows.map(({ customerId }) => customerId))]);
	return rows.map((row) => ({
		mailId: row.id,
		customerId: customers.get(row.customerId)?.refId ?? "",
		kind: row.kind,
		language: row.language,
		recipient: row.recipient,
		subject: row.subject,
		text: row.body,
		status: row.status,
		invoiceIds:
			row.invoiceIds ??
			steps.flatMap(({ mailId, caseId }) => (mailId === row.id ? (cases.get(caseId)?.invoiceId ?? []) : [])),
		at: toIso(row.at),
		sentAt: toIsoOrNull(row.sentAt),
	}));
}
