import type { Work } from "../../../kernel/work";
import { confirmPayment } from "../operations.issue";
import { voidGrant } from "../operations.void";
import { endPendingRecharge } from "../recharge/end-pending";
import { saveGrant } from "../store.wallets";
import type { CreditGrantRow } from "../table";
import { selectGrantsOfInvoice } from "./store";

/** Activates the pending grants of a paid invoice (its row id), now or at their effective dates. */
export function activatePaidGrants(work: Work, invoiceId: string): void {
	for (const grant of pendingGrantsOf(work, invoiceId)) confirmPayment(work, endPendingRecharge(work, grant, "paid"));
}

/** Voids the pending grants of an invoice that was credited before its payment. */
export function voidUnpaidGrants(work: Work, invoiceId: string): void {
	for (const grant of pendingGrantsOf(work, invoiceId)) voidPendingGrant(work, grant);
}

/** Voids a grant that awaits its payment. No payment is collected any more. */
export const voidPendingGrant = (work: Work, grant: CreditGrantRow): CreditGrantRow =>
	saveGrant(work, voidGrant(work, endPendingRecharge(work, grant, "voided")), { paymentCollection: "NOT_REQUIRED" });

const pendingGrantsOf = (work: Work, invoiceId: string): CreditGrantRow[] =>
	selectGrantsOfInvoice(work, invoiceId).filter(({ status }) => status === "PAYMENT_PENDING");
