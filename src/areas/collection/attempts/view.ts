import { toIso, toIsoOrNull } from "../../../kernel/clock";
import { toWire } from "../../../kernel/decimal";
import type { Work } from "../../../kernel/work";
import { customersByIds } from "../../customers/operations";
import type { PaymentAttempt } from "./schema";
import { invoicesOfAttempts } from "./store";
import type { AttemptRow } from "./table";

/** Returns a view function for these attempts; reads the rows around them at once. */
export function attemptsShown(work: Work, rows: readonly AttemptRow[]): (row: AttemptRow) => PaymentAttempt {
	const customers = customersByIds(work, [...new Set(rows.map(({ customerId }) => customerId))]);
	const invoices = Map.groupBy(
		invoicesOfAttempts(
			work,
			rows.map(({ id }) => id),
		),
		({ attemptId }) => attemptId,
	);
	return (row) => ({
		id: row.id,
		state: row.state,
		trigger: row.trigger,
		customerId: customers.get(row.customerId)?.refId ?? "",
		connectionId: row.connectionId,
		paymentMethodId: row.methodId,
		amount: toWire(row.amount),
		currency: row.currency,
		invoices: (invoices.get(row.id) ?? []).map(({ invoiceId, amount }) => ({ invoiceId, amount: toWire(amount) })),
		reference: row.ref,
		failure: row.failure,
		actionUrl: row.actionUrl,
		receiptId: row.receiptId,
		createdAt: toIso(row.createdAt),
		endedAt: toIsoOrNull(row.endedAt),
	});
}

export const viewAttempt = (work: Work, row: AttemptRow): PaymentAttempt => attemptsShown(work, [row])(row);
