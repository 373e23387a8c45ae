import type { Work } from "../../kernel/work";
import { writeEvent } from "../outbox/operations";
import type { CustomerPayload } from "../outbox/schema";
import type { CustomerRow } from "./table";

const payloadOf = ({ id, refId, name, email, billingId, metadata }: CustomerRow): CustomerPayload => ({
	...{ id: refId, entityId: id, name, email, billingId, metadata },
});

export const customerCreated = (work: Work, row: CustomerRow): void =>
	writeEvent(work, "customer.created", row.id, payloadOf(row));

/** Emits the event of a changed customer row. */
export function customerChanged(work: Work, before: CustomerRow, row: CustomerRow): void {
	const payload = payloadOf(row);
	const isArchived = before.archivedAt === null && row.archivedAt !== null;
	writeEvent(work, isArchived ? "customer.deleted" : "customer.updated", row.id, payload);
	const method = row.defaultPaymentMethod;
	if (Bun.deepEquals(method, before.defaultPaymentMethod)) return;
	const type = method === null ? "payment_method.detached" : "payment_method.attached";
	writeEvent(work, type, row.id, { ...payload, paymentMethodId: method?.billingId ?? null });
}
