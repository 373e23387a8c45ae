import type { Work } from "../../../kernel/work";
import { carryOutDue } from "../operations.due";
import { confirmPayment, voidGrant } from "../operations.grant-life";
import { saveGrant, selectGrant } from "../store.wallets";
import type { CreditGrantRow } from "../table";
import { selectGrantsOfInvoice } from "./store";

/** An invoice (its row id) was paid: the grants that waited for it count from now, or from when they become effective. */
export function countPaidGrants(work: Work, invoiceId: string): void {
	for (const grant of waitingFor(work, invoiceId)) confirmPayment(work, grant);
}

/** An invoice was credited before it was paid: no payment will come, and the grants that waited for it never count. */
export function voidUnpaidGrants(work: Work, invoiceId: string): void {
	for (const grant of waitingFor(work, invoiceId))
		saveGrant(work, voidGrant(work, grant), { paymentCollection: "NOT_REQUIRED" });
}

function* waitingFor(work: Work, invoiceId: string): Generator<CreditGrantRow, undefined> {
	for (const { id, status, walletId } of selectGrantsOfInvoice(work, invoiceId)) {
		if (status !== "PAYMENT_PENDING") continue;
		carryOutDue(work, walletId);
		const grant = selectGrant(work, id);
		if (grant) yield grant;
	}
}
