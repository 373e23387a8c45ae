import { checkDocuments } from "../../../../src/areas/invoices/check/operations.check";
import { checkSeals } from "../../../../src/areas/invoices/check/operations.check-seals";
import { checkInvoices } from "../../../../src/areas/invoices/check/operations.sums";
import { checkDisputes } from "../../../../src/areas/invoices/disputes/operations.check";
import { getInvoice } from "../../../../src/areas/invoices/operations";
import { checkReceipts } from "../../../../src/areas/invoices/payments/operations.check-receipts";
import { outboxEvents } from "../../../../src/areas/outbox/table";
import type { CallOptions } from "../../../support/world";
import { decimal, instant, line } from "../samples";
import { invoiceWorld } from "../support";

/** A world on 20 February with calls of receipts. `issue` issues an invoice of an amount on 1 February. */
export function receiptWorld() {
	const world = invoiceWorld();
	world.clock.at = instant("2026-02-20T12:00:00Z");
	const send = async (method: string, path: string, options: CallOptions = {}) => {
		const { status, body } = await world.call(method, path, options);
		return { status, ...body };
	};
	const post = (path: string, body: unknown, options: CallOptions = {}) => send("POST", path, { ...options, body });
	return {
		...world,
		send,
		post,
		bill: (amount: number, changes: Parameters<typeof world.issue>[0] = {}) =>
			world.issue({
				lines: [line({ amount: decimal(amount) })],
				issuedAt: instant("2026-02-01T00:00:00Z"),
				dueAt: instant("2026-02-15T00:00:00Z"),
				...changes,
			}),
		record: (body: object, options?: CallOptions) =>
			post("/receipts", { customerId: "cust-1", currency: "usd", amount: 100, ...body }, options),
		receipt: async (id: string) => (await send("GET", `/receipts/${id}`)).data,
		credit: (id: string, body: object) => post(`/customers/cust-1/invoices/${id}/credit-note`, body),
		balance: async () => (await send("GET", "/customers/cust-1/balance")).data[0]?.amount ?? 0,
		state: (id: string) => world.transactions.read(world.actor, (work) => getInvoice(work, id)),
		check: () =>
			world.transactions.read(world.actor, (work) => [
				...checkInvoices(work),
				...checkDocuments(work),
				...checkReceipts(work),
				...checkDisputes(work),
				...checkSeals(work),
			]),
		events: () =>
			world.transactions.read(world.actor, ({ tx }) =>
				tx
					.select({ type: outboxEvents.type })
					.from(outboxEvents)
					.all()
					.map(({ type }) => type),
			),
	};
}
