import { HttpRefusal } from "../../http/refusal";
import { type Decimal, isLess, zero } from "../../kernel/decimal";
import { fail } from "../../kernel/errors";
import type { Page } from "../../kernel/page";
import type { Work } from "../../kernel/work";
import { enqueueTask } from "../../tasks/operations";
import { getOwnEnvironment } from "../access/operations";
import { getCustomer, getCustomerById } from "../customers/operations";
import { debitChanged, fileReady } from "./events";
import { getCreditor } from "./operations.creditors";
import {
	changeDebit,
	changeFile,
	findOpenDebit,
	insertDebit,
	pageDebits,
	plannedOfMandate,
	selectDebits,
} from "./operations.rows";
import { assertFollows, assertIn, isOpenState } from "./rules";
import { stateOn } from "./rules.mandate";
import { addDaysTo, bankingDayFrom, dayOf, laterOf } from "./rules.target";
import type { Announcement, DebitListQuery, DebitState } from "./schema";
import { mandatesOfCustomer } from "./store";
import type { DebitRow, MandateRow } from "./table";

/** Our bound: debits that one call cancels. A mandate with more has them canceled when their file is made. */
const canceledMax = 500;

/** The amount due of an invoice. Ids are row ids; the amount is in major units. */
export interface InvoiceToDebit {
	readonly invoiceId: string;
	readonly customerId: string;
	readonly legalEntityId: string;
	/** ISO 4217, lower case. */
	readonly currency: string;
	readonly amount: Decimal;
	/** The invoice's number. */
	readonly description: string;
	readonly dueAt: number;
}

/** Returns a debit of this environment. The catalogue of errors has no code for an unknown one. */
export function getDebit(work: Work, debitId: string): DebitRow {
	const [found] = selectDebits(work, [debitId]);
	if (!found) throw new HttpRefusal(404, `There is no direct debit '${debitId}' in this environment.`);
	return found;
}

export const findDebit = (work: Work, debitId: string): DebitRow | undefined => selectDebits(work, [debitId])[0];

/** Lists debits, newest first. Throws CustomerNotFound. */
export function listDebits(work: Work, query: DebitListQuery): Page<DebitRow> {
	const { customerId } = query;
	return pageDebits(work, query, customerId === undefined ? undefined : getCustomer(work, customerId).id);
}

/** Returns the newest ACTIVE mandate of a customer for a legal entity. */
export const activeMandate = (
	work: Work,
	{ customerId, legalEntityId }: Pick<InvoiceToDebit, "customerId" | "legalEntityId">,
): MandateRow | undefined =>
	mandatesOfCustomer(work, customerId).findLast(
		(mandate) => mandate.legalEntityId === legalEntityId && stateOn(mandate, dayOf(work.now)) === "ACTIVE",
	);

/** Plans the debit of an invoice at its issue, if it is in euro and its customer has an ACTIVE mandate. */
export function debitIssued(work: Work, invoice: InvoiceToDebit): void {
	if (invoice.currency !== "eur" || !isLess(zero, invoice.amount)) return;
	const mandate = activeMandate(work, invoice);
	if (mandate) planDebit(work, invoice, mandate);
}

/**
 * Plans a debit and announces it to the customer: the bank collects it on a day of TARGET, not before the invoice is due, and after the days
 * that the legal entity announces it before.
 */
export function planDebit(work: Work, invoice: InvoiceToDebit, mandate: MandateRow): DebitRow {
	const { leadDays } = getCreditor(work, mandate.legalEntityId);
	const announced = addDaysTo(dayOf(work.now), leadDays);
	const due = dayOf(invoice.dueAt);
	const { invoiceId, customerId, legalEntityId, amount, description } = invoice;
	const debit = insertDebit(work, {
		...{ invoiceId, customerId, legalEntityId, amount, description, mandateId: mandate.id },
		...{ state: "PLANNED", isOpen: true, collectionOn: bankingDayFrom(laterOf(due, announced)) },
		...{ announcement: announcementOf(work, customerId), sequence: null, fileId: null, fileGroup: null },
		...{ receiptId: null, returnId: null, returnCode: null, returnedOn: null, endedAt: null },
	});
	if (debit.announcement === "PENDING") enqueueTask(work, { type: "SEND_MAIL", payload: { debitId: debit.id } });
	debitChanged(work, debit);
	return debit;
}

/** A frozen clock passes years in seconds, so its mails are not sent. */
function announcementOf(work: Work, customerId: string): Announcement {
	if (getOwnEnvironment(work).clockAt !== null) return "TEST_CLOCK";
	return getCustomerById(work, customerId).email === null ? "NO_ADDRESS" : "PENDING";
}

/** Throws DuplicatedEntityNotAllowed while a direct debit collects an invoice. */
export function assertNoDebit(work: Work, invoiceId: string): void {
	const open = findOpenDebit(work, invoiceId);
	if (!open) return;
	const remedy = open.state === "PLANNED" ? "cancel it first" : "wait until it is settled or returned";
	throw fail(
		"DuplicatedEntityNotAllowed",
		`The direct debit '${open.id}' collects the invoice '${invoiceId}' on ${open.collectionOn}; ${remedy}.`,
	);
}

/** Saves the new state of a debit, and emits its event. */
export function moveDebit(work: Work, before: DebitRow, state: DebitState, changes: Partial<DebitRow> = {}): DebitRow {
	assertFollows(before.state, state);
	const isOpen = isOpenState(state);
	const moved = changeDebit(work, before.id, { ...changes, state, isOpen, ...(!isOpen && { endedAt: work.now }) });
	debitChanged(work, moved);
	return moved;
}

/** Cancels a debit that no file has. Throws BillingInvoiceStatusError for another state. */
export function cancelDebit(work: Work, debitId: string): DebitRow {
	const debit = getDebit(work, debitId);
	assertIn(["PLANNED"], debit);
	return moveDebit(work, debit, "CANCELED");
}

/** Cancels the debit of an invoice of which nothing is due any more, if no file has it. */
export function cancelPlannedDebit(work: Work, invoiceId: string): void {
	const open = findOpenDebit(work, invoiceId);
	if (open?.state === "PLANNED") moveDebit(work, open, "CANCELED");
}

/** Cancels the debits of a mandate that are in no file. */
export function cancelPlannedOf(work: Work, mandateId: string): void {
	for (const debit of plannedOfMandate(work, mandateId, canceledMax)) moveDebit(work, debit, "CANCELED");
}

/** Ends the making of a file: it can be downloaded, and its rows change no more. */
export const finishFile = (work: Work, fileId: string): void =>
	fileReady(work, changeFile(work, fileId, { state: "READY" }));
