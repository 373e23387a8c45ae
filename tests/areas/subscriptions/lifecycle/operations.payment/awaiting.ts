import { scenario } from "../../scenario";

export const seats = (quantity: number) => ({ charges: [{ id: "seats", quantity, type: "FEATURE" }] });
export const pro = { planId: "pro", billingPeriod: "MONTHLY" };
export const awaiting = { awaitPaymentConfirmation: true };

/** The scenario of subscriptions to `pro` and their payments. A test file calls this once, at its top. */
export function paymentScenario() {
	const mine = scenario();
	const paid = (id: string) => mine.post(`/subscriptions/${id}/invoice/paid`);
	const newestInvoice = async (customerId: string) =>
		(await mine.world.call("GET", `/customers/${customerId}/invoices?limit=100`)).body.data.at(-1);

	async function begun(body: object = {}) {
		const customerId = await mine.customer();
		const { id, subscription } = await mine.provision({ customerId, ...pro, ...body });
		return { customerId, id, subscription };
	}

	return { mine, paid, newestInvoice, begun };
}
