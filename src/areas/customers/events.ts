import { eq } from "drizzle-orm";
import type { Work } from "../../kernel/work";
import { writeEvent } from "../outbox/operations";
import type { CustomerPayload } from "../outbox/schema";
import { type CustomerRow, customers } from "./table";

function payloadOf(work: Work, row: CustomerRow): CustomerPayload {
	const { id, refId, name, email, billingId, metadata, parentCustomerId } = row;
	const parentRef = parentCustomerId === null ? undefined : refOf(work, parentCustomerId);
	return {
		...{ id: refId, entityId: id, name, email, billingId, metadata },
		...(parentRef !== undefined && { parentCustomerId: parentRef }),
	};
}

const refOf = ({ tx }: Work, id: string): string | undefined =>
	tx.select({ refId: customers.refId }).from(customers).where(eq(customers.id, id)).get()?.refId;

export const customerCreated = (work: Work, row: CustomerRow): void =>
	writeEvent(work, "customer.created", row.id, payloadOf(work, row));

/** Emits the event of a changed customer row. */
export function customerChanged(work: Work, before: CustomerRow, row: CustomerRow): void {
	const payload = payloadOf(work, row);
	const isArchived = before.archivedAt === null && row.archivedAt !== null;
	writeEvent(work, isArchived ? "customer.deleted" : "customer.updated", row.id, payload);
	const method = row.defaultPaymentMethod;
	if (Bun.deepEquals(method, before.defaultPaymentMethod)) return;
	const type = method === null ? "payment_method.detached" : "payment_method.attached";
	writeEvent(work, type, row.id, { ...payload, paymentMethodId: method?.billingId ?? null });
}
