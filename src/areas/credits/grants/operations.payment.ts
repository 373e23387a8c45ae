import type { Work } from "../../../kernel/work";
import { confirmPayment, voidGrant } from "../operations.grant-life";
import { saveGrant } from "../store.wallets";
import type { CreditGrantRow } from "../table";
import { selectGrantsOfInvoice } from "./store";

/** An invoice (its row id) was paid: the grants that waited for it count from now, or from when they become effective. */
export function countPaidGrants(work: Work, invoiceId: string): void {
	for (const grant of waitingFor(work, invoiceId)) confirmPayment(work, grant);
}

/** An invoice was credited before it was paid: no payment will come, and the grants that waited for it never count. */
export function voidUnpaidGrants(work: Work, invoiceId: string): void {
	for (const grant of waitingFor(work, invoiceId)) voidWaiting(work, grant);
}

/** Voids what waits for its payment: nothing is to be collected any more. */
export const voidWaiting = (work: Work, grant: CreditGrantRow): CreditGrantRow =>
	saveGrant(work, voidGrant(work, grant), { paymentCollection: "NOT_REQUIRED" });

const waitingFor = (work: Work, invoiceId: string): CreditGrantRow[] =>
	selectGrantsOfInvoice(work, invoiceId).filter(({ status }) => status === "PAYMENT_PENDING");
