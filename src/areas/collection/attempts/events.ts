import { toIso, toIsoOrNull } from "../../../kernel/clock";
import { toWire } from "../../../kernel/decimal";
import type { Work } from "../../../kernel/work";
import { customersByIds } from "../../customers/operations";
import { hasDunning } from "../../dunning/policies/operations";
import { scheduleNotice, writeEvent } from "../../outbox/operations";
import { invoicesOfAttempts } from "./store";
import type { AttemptRow } from "./table";

const types = {
	PLANNED: "payment_attempt.created",
	CREATED: "payment_attempt.created",
	CONFIRMING: "payment_attempt.created",
	PROCESSING: "payment_attempt.created",
	UNKNOWN: "payment_attempt.unknown",
	REQUIRES_ACTION: "payment_attempt.requires_action",
	CANCELED: "payment_attempt.canceled",
	FAILED: "payment_attempt.failed",
	SUCCEEDED: "payment_attempt.succeeded",
} as const;

/** Emits the event of a new attempt, or of its new state. */
export function attemptChanged(work: Work, row: AttemptRow): void {
	const customer = customersByIds(work, [row.customerId]).get(row.customerId);
	const invoices = invoicesOfAttempts(work, [row.id]);
	// The dunning cases of the invoices follow as a step of this instant.
	if (hasDunning(work))
		for (const { invoiceId } of invoices) scheduleNotice(work, "dunning.charge", invoiceId, work.now);
	writeEvent(work, types[row.state], row.id, {
		id: row.id,
		entityId: row.id,
		state: row.state,
		customer: { id: customer?.refId ?? "" },
		amount: toWire(row.amount),
		currency: row.currency,
		invoices: invoices.map(({ invoiceId, amount }) => ({
			...{ id: invoiceId, amount: toWire(amount) },
		})),
		failureCode: row.failure?.code ?? null,
		failureBucket: row.failure?.bucket ?? null,
		createdAt: toIso(row.createdAt),
		endedAt: toIsoOrNull(row.endedAt),
	});
}
