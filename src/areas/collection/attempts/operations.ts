import { HttpRefusal } from "../../../http/refusal";
import { type Decimal, exact, sum, toDecimal } from "../../../kernel/decimal";
import { fail } from "../../../kernel/errors";
import type { Page } from "../../../kernel/page";
import type { Work } from "../../../kernel/work";
import { findCustomer, getCustomerById } from "../../customers/operations";
import { assertNoDebit } from "../../direct-debit/operations";
import { findChargeable } from "../methods/operations";
import type { PaymentMethodRow } from "../methods/table";
import type { Answer } from "../providers/provider";
import { attemptChanged } from "./events";
import { isRefusedForever } from "./operations.tries";
import { endUncalled } from "./rules.apply";
import { isFinal } from "./rules.states";
import type { AttemptListQuery } from "./schema";
import {
	findAttemptByRef,
	findOpenAttempt,
	insertAttempt,
	listDueAttempts,
	pageAttempts,
	saveAttempt,
	selectAttempts,
} from "./store";
import type { AttemptRow } from "./table";

export { findOpenAttempt, listDueAttempts };

/** An amount due of an invoice (by row id), in major units. */
export interface DueInvoice {
	readonly invoiceId: string;
	readonly amount: Decimal;
}

/** A charge of a customer's saved method. Ids are row ids. */
export interface PlannedCharge extends Pick<AttemptRow, "customerId" | "legalEntityId" | "currency" | "description"> {
	readonly invoices: readonly DueInvoice[];
}

/** Returns the attempt with that id. The catalogue of errors has no code for an unknown one. */
export function getAttempt(work: Work, id: string): AttemptRow {
	const [attempt] = selectAttempts(work, [id]);
	if (!attempt) throw new HttpRefusal(404, `There is no payment attempt '${id}' in this environment.`);
	return attempt;
}

/** Returns the attempt that a payment of a provider belongs to: by the provider's reference, or by ours if that is not known yet. */
export function findAttemptOf(
	work: Work,
	connectionId: string,
	{ ref, ours }: Pick<Answer, "ref" | "ours">,
): AttemptRow | undefined {
	const known = findAttemptByRef(work, connectionId, ref);
	if (known || ours === null) return known;
	const [named] = selectAttempts(work, [ours]);
	return named?.connectionId === connectionId && named.ref === null ? named : undefined;
}

/** Lists attempts, newest first. Throws CustomerNotFound. */
export function listAttempts(work: Work, query: AttemptListQuery): Page<AttemptRow> {
	const { customerId } = query;
	const customer = customerId === undefined ? undefined : findCustomer(work, customerId);
	if (customerId !== undefined && !customer)
		throw fail("CustomerNotFound", `There is no customer '${customerId}' in this environment.`);
	return pageAttempts(work, query, customer?.id);
}

/** Plans an attempt in the caller's transaction, and wakes the collector. Throws DuplicatedEntityNotAllowed while another one or a direct debit runs. */
export function planAttempt(
	work: Work,
	{ customerId, legalEntityId, currency, description, invoices }: PlannedCharge,
	method: PaymentMethodRow,
	trigger: AttemptRow["trigger"],
): AttemptRow {
	for (const { invoiceId } of invoices) {
		const open = findOpenAttempt(work, invoiceId);
		if (open !== undefined)
			throw fail(
				"DuplicatedEntityNotAllowed",
				`The payment attempt '${open}' of the invoice '${invoiceId}' is under way; wait for its end, or cancel it.`,
			);
		assertNoDebit(work, invoiceId);
	}
	const attempt = insertAttempt(
		work,
		{
			...{ id: work.newId(), customerId, legalEntityId, currency, description, trigger },
			...{ connectionId: method.connectionId, methodId: method.id },
			amount: toDecimal(sum(invoices.map(({ amount }) => exact(amount)))),
			...{ state: "PLANNED", ref: null, pending: null, keyNumber: 1, keySince: null, isCancelWanted: false },
			...{ received: null, failure: null, actionUrl: null, receiptId: null, endedAt: null },
			...{ startedAt: work.machineNow, dueAt: work.machineNow },
		},
		invoices,
	);
	attemptChanged(work, attempt);
	work.wake("collector");
	return attempt;
}

/** Plans the payment of an invoice at its issue. Without a saved method that may be tried, the invoice waits for a payment. */
export function chargeIssued(work: Work, charge: PlannedCharge): void {
	const method = findChargeable(work, getCustomerById(work, charge.customerId), charge.legalEntityId);
	if (method && !isRefusedForever(work, method)) planAttempt(work, charge, method, "ISSUE");
}

/** Cancels the attempt of an invoice of which nothing is due any more. */
export function cancelAttemptOf(work: Work, invoiceId: string): void {
	const id = findOpenAttempt(work, invoiceId);
	if (id !== undefined) cancelAttempt(work, getAttempt(work, id));
}

/** Cancels an attempt. Money that arrives in spite of it is recorded. Throws BillingInvoiceStatusError for a final one. */
export function cancelByHand(work: Work, id: string): AttemptRow {
	const attempt = getAttempt(work, id);
	if (isFinal(attempt.state))
		throw fail("BillingInvoiceStatusError", `The payment attempt '${id}' is ${attempt.state}; it cannot be canceled.`);
	return cancelAttempt(work, attempt);
}

function cancelAttempt(work: Work, attempt: AttemptRow): AttemptRow {
	const wanted = endUncalled({ ...attempt, isCancelWanted: true });
	const ended = isFinal(wanted.state);
	const changed = saveAttempt(work, attempt, {
		...{ isCancelWanted: true, state: wanted.state, dueAt: ended ? null : work.machineNow },
		...(ended && { endedAt: work.now }),
	});
	if (ended) attemptChanged(work, changed);
	work.wake("collector");
	return changed;
}

/** Returns in how many milliseconds an attempt is due; undefined if none is. */
export const msUntilAttempt = (work: Work): number | undefined => {
	const [first] = listDueAttempts(work, 1);
	return first?.dueAt == null ? undefined : Math.max(0, first.dueAt - work.machineNow);
};
