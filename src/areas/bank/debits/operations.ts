import { type Instant, instantOf } from "../../../kernel/clock";
import { exact, zero } from "../../../kernel/decimal";
import { DomainError, fail } from "../../../kernel/errors";
import { isStorageTrouble } from "../../../kernel/storage/failures";
import type { Work } from "../../../kernel/work";
import { findOpenAttempt } from "../../collection/attempts/operations";
import { activeMandate, assertNoDebit, findDebit, getDebit, moveDebit, planDebit } from "../../direct-debit/operations";
import { getMandate, stopMandate } from "../../direct-debit/operations.mandates";
import { assertCollects, assertIn, debitIdOf } from "../../direct-debit/rules";
import { stateOn, stoppingCodes } from "../../direct-debit/rules.mandate";
import { type Day, dayOf } from "../../direct-debit/rules.target";
import type { DebitCreate, DebitReturn } from "../../direct-debit/schema";
import type { DebitRow, MandateRow } from "../../direct-debit/table";
import { amountsDue, getInvoice, invoicesByIds } from "../../invoices/operations";
import { receiptsByIds } from "../../invoices/payments/operations.receipts";
import { returnReceipt } from "../../invoices/payments/operations.return";
import { assertOpen } from "../../invoices/payments/rules";
import type { InvoiceRow } from "../../invoices/table";
import { takePayment } from "../../subscriptions/lifecycle/operations.payment";
import { spread } from "../entries/operations.take";
import type { StatementEntry } from "../statements/rules.statement";
import type { BankAccountRow } from "../table";

/**
 * Plans a direct debit of an OPEN invoice in euro. Throws InvoiceNotFound, BillingInvoiceStatusError unless the invoice is OPEN and the
 * mandate ACTIVE, DuplicatedEntityNotAllowed while a debit or an attempt collects it, InvalidArgumentError for another currency and
 * without a mandate of the customer for the legal entity.
 */
export function createDebit(work: Work, { invoiceId, mandateId }: DebitCreate): DebitRow {
	const invoice = getInvoice(work, invoiceId);
	assertOpen(invoice);
	if (invoice.currency !== "eur")
		throw fail(
			"InvalidArgumentError",
			`The invoice ${invoice.number} is in ${invoice.currency}; SEPA direct debits are in eur.`,
		);
	assertNoDebit(work, invoice.id);
	const attempt = findOpenAttempt(work, invoice.id);
	if (attempt !== undefined)
		throw fail(
			"DuplicatedEntityNotAllowed",
			`The payment attempt '${attempt}' of the invoice '${invoice.id}' is under way; wait for its end, or cancel it.`,
		);
	const amount = amountsDue(work, [invoice]).get(invoice.id) ?? zero;
	const { customerId, legalEntityId, currency, number: description, dueAt } = invoice;
	const toDebit = { invoiceId: invoice.id, customerId, legalEntityId, currency, amount, description, dueAt };
	return planDebit(work, toDebit, mandateOf(work, invoice, mandateId));
}

function mandateOf(work: Work, invoice: InvoiceRow, mandateId: string | undefined): MandateRow {
	const mandate = mandateId === undefined ? activeMandate(work, invoice) : getMandate(work, mandateId);
	const isOwn = mandate?.customerId === invoice.customerId && mandate.legalEntityId === invoice.legalEntityId;
	if (!mandate || !isOwn)
		throw fail(
			"InvalidArgumentError",
			mandateId === undefined
				? `The customer of the invoice ${invoice.number} has no ACTIVE mandate for its legal entity; record one by POST /api/v1/mandates.`
				: `The mandate '${mandateId}' is of another customer or legal entity than the invoice ${invoice.number}.`,
		);
	assertCollects(mandate.reference, stateOn(mandate, dayOf(work.now)));
	return mandate;
}

interface Arrival {
	/** Unique within the account. */
	readonly reference: string;
	readonly bookedOn: Day;
}

/** Records the money of a debit as a receipt, which pays the invoice. What the invoice does not need is unallocated. */
export function settleDebit(
	work: Work,
	debit: DebitRow,
	account: BankAccountRow,
	{ reference, bookedOn }: Arrival,
): DebitRow {
	const invoices = [...invoicesByIds(work, [debit.invoiceId]).values()].filter(({ state }) => state === "OPEN");
	const dues = amountsDue(work, invoices);
	const { receipt } = takePayment(work, {
		...{ customerId: debit.customerId, legalEntityId: debit.legalEntityId, currency: "eur", amount: debit.amount },
		...{ method: "DIRECT_DEBIT", note: debit.description, reference },
		receivedAt: Math.min(instantOf(`${bookedOn}T00:00:00Z`), work.now) as Instant,
		source: { kind: "BANK", id: account.id },
		allocations: spread(
			debit.amount,
			invoices.map(({ id }) => ({ id, due: dues.get(id) ?? zero })),
		),
		excess: "UNALLOCATED",
	});
	return moveDebit(work, debit, "SETTLED", { receiptId: receipt.id });
}

/** Records the return of a debit by hand. Throws BillingInvoiceStatusError for another state, and the codes of `returnReceipt`. */
export function returnReported(work: Work, debitId: string, { code, returnedOn }: DebitReturn): DebitRow {
	const debit = getDebit(work, debitId);
	assertIn(["IN_FILE", "SETTLED"], debit);
	const today = dayOf(work.now);
	if (returnedOn !== undefined && returnedOn > today)
		throw fail("InvalidArgumentError", "'returnedOn' lies in the future; give the day of the return.");
	return returnDebit(work, debit, { code, returnedOn: returnedOn ?? today, reference: debit.id });
}

/**
 * Ends a debit that the bank rejected or returned. Money that had arrived is withdrawn, and the invoice is OPEN again. The mandate is stopped
 * for codes that end it. Throws the codes of `returnReceipt`.
 */
function returnDebit(
	work: Work,
	debit: DebitRow,
	{
		code,
		returnedOn,
		reference,
	}: { readonly code: string | null; readonly returnedOn: Day; readonly reference: string },
): DebitRow {
	const returnId =
		debit.receiptId === null ? null : withdraw(work, debit, debit.receiptId, { returnedOn, reference, code });
	const returned = moveDebit(work, debit, "RETURNED", { returnCode: code, returnedOn, returnId });
	if (code !== null && stoppingCodes.has(code)) stopMandate(work, debit.mandateId, code);
	return returned;
}

function withdraw(
	work: Work,
	debit: DebitRow,
	receiptId: string,
	{
		returnedOn,
		reference,
		code,
	}: { readonly returnedOn: Day; readonly reference: string; readonly code: string | null },
): string {
	const receivedAt = receiptsByIds(work, [receiptId]).get(receiptId)?.receivedAt ?? work.now;
	const at = Math.min(Math.max(instantOf(`${returnedOn}T00:00:00Z`), receivedAt), work.now) as Instant;
	const returning = { amount: debit.amount, reason: "RETURNED", reference, note: code, at } as const;
	return returnReceipt(work, receiptId, returning).returned.id;
}

/** Returns the debit that an entry of an account settles or returns; undefined if it names none that waits for it. */
export function debitOfEntry(
	work: Work,
	{ legalEntityId }: BankAccountRow,
	{ endToEndId, amount, currency }: Pick<StatementEntry, "endToEndId" | "amount" | "currency">,
): DebitRow | undefined {
	const id = debitIdOf(endToEndId);
	const debit = id === undefined ? undefined : findDebit(work, id);
	if (debit?.legalEntityId !== legalEntityId || currency !== "eur") return undefined;
	if (exact(amount).gt(0)) return debit.state === "IN_FILE" && exact(amount).eq(debit.amount) ? debit : undefined;
	// A bank may deduct its fee with the return.
	const isWhole = exact(amount).times(-1).gte(debit.amount);
	return isWhole && (debit.state === "IN_FILE" || debit.state === "SETTLED") ? debit : undefined;
}

/** Records the return of a debit by an entry. A person decides about a return that a rule rejects, such as one of refunded money. */
export function returnByEntry(
	work: Work,
	debit: DebitRow,
	{ id, returnCode, bookedOn }: { readonly id: string; readonly returnCode: string | null; readonly bookedOn: Day },
): void {
	try {
		work.tx.transaction(() => returnDebit(work, debit, { code: returnCode, returnedOn: bookedOn, reference: id }));
	} catch (error) {
		if (isStorageTrouble(error) || !(error instanceof DomainError)) throw error;
	}
}
