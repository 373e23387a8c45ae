import type { Instant } from "../../../kernel/clock";
import type { Work } from "../../../kernel/work";
import type { PaymentMethodRow } from "../methods/table";
import { hasAttemptBy, selectAttemptsOfInvoice, selectLatestOfInvoice, selectLatestOfMethod } from "./store.tries";
import type { AttemptRow } from "./table";

/** Networks allow fifteen to twenty declines of a card in thirty days. See the design of payments. */
const declinesMax = 15;
const declineMs = 30 * 86_400_000;

/** Returns the attempts of an invoice from `since` (an attempt's id) on, oldest first. */
export const attemptsOfInvoice = (work: Work, invoiceId: string, since: string | null): AttemptRow[] =>
	selectAttemptsOfInvoice(work, invoiceId, since ?? "");

/** Returns the latest attempt of an invoice. */
export const latestAttempt = (work: Work, invoiceId: string): AttemptRow | undefined =>
	selectLatestOfInvoice(work, invoiceId);

/** Returns whether an attempt has charged the invoice by the method. */
export const isTried = (work: Work, invoiceId: string, { id }: PaymentMethodRow): boolean =>
	hasAttemptBy(work, invoiceId, id);

/** Returns whether no further try is allowed with a method: its last failure was of the bucket NEVER, and no charge has succeeded since. */
export function isRefusedForever(work: Work, { id }: Pick<PaymentMethodRow, "id">): boolean {
	const [failed] = selectLatestOfMethod(work, id, "FAILED", 1);
	if (failed?.failure?.bucket !== "NEVER") return false;
	const [paid] = selectLatestOfMethod(work, id, "SUCCEEDED", 1);
	return paid === undefined || paid.id < failed.id;
}

/** Returns from when on a method may be tried again by Tollgate itself; null: now. */
export function triesAllowedFrom(work: Work, { id }: Pick<PaymentMethodRow, "id">): Instant | null {
	const oldest = selectLatestOfMethod(work, id, "FAILED", declinesMax)[declinesMax - 1];
	const allowed = oldest ? ((oldest.createdAt + declineMs) as Instant) : null;
	return allowed !== null && allowed > work.now ? allowed : null;
}
