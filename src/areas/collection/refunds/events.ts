import { toIso, toIsoOrNull } from "../../../kernel/clock";
import { toWire } from "../../../kernel/decimal";
import type { Work } from "../../../kernel/work";
import { customersByIds } from "../../customers/operations";
import { writeEvent } from "../../outbox/operations";
import type { ProviderRefundRow } from "./table";

const types = {
	PLANNED: "provider_refund.created",
	SENT: "provider_refund.created",
	SUCCEEDED: "provider_refund.succeeded",
	FAILED: "provider_refund.failed",
} as const;

/** Emits the event of a new refund, or of its end. */
export function refundChanged(work: Work, row: ProviderRefundRow): void {
	writeEvent(work, types[row.state], row.id, {
		id: row.id,
		entityId: row.id,
		state: row.state,
		customer: { id: customersByIds(work, [row.customerId]).get(row.customerId)?.refId ?? "" },
		receipt: { entityId: row.receiptId },
		amount: toWire(row.amount),
		currency: row.currency,
		failureCode: row.failure?.code ?? null,
		createdAt: toIso(row.createdAt),
		endedAt: toIsoOrNull(row.endedAt),
	});
}
