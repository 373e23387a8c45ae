import { aRefund } from "../areas/collection/refunds/refund";
import { accepting, collecting, collectorOf } from "../areas/collection/scripted";
import type { Answer, World } from "../support/world";

type Send = (method: string, target: string, body?: unknown) => Promise<Answer["body"]>;

/** An account at a payment provider that accepts every key, a saved method, and a charge that is declined. */
export async function connections(send: Send, here: World): Promise<void> {
	const collector = collectorOf(here, accepting());
	const waiting: Send = (method, target, body) => collecting(collector, send(method, target, body));
	const body = { kind: "STRIPE", name: "Cards", mode: "TEST", secretKey: "sk_test_1" };
	const { id } = await waiting("POST", "/provider-connections", body);
	await send("GET", "/provider-connections?status=ACTIVE");
	await send("GET", `/provider-connections/${id}`);
	const path = "/customers/parent/payment-methods";
	const page = await waiting("POST", `${path}/setup`, { ...{ connectionId: id }, ...urls });
	await send("GET", `${path}/setup/${page.id}`);
	const method = await waiting("POST", path, { connectionId: id, paymentMethodId: "pm_declined" });
	const spare = await waiting("POST", path, { connectionId: id, paymentMethodId: "pm_spare" });
	await send("POST", `/customers/parent/default-payment-method/${method.id}`);
	await send("DELETE", `${path}/${spare.id}`);
	await send("GET", path);
	const invoices = await send("GET", "/customers/parent/invoices");
	const open = invoices.find(({ state }: { state: string }) => state === "OPEN");
	const attempt = await send("POST", "/attempts", { invoiceId: open.invoiceId, paymentMethodId: method.id });
	await collector.drain();
	await send("GET", `/attempts/${attempt.id}`);
	await send("GET", "/attempts?customerId=parent&state=FAILED");
	const refund = here.transactions.write(here.actor, (work) => aRefund(work, "parent", id));
	await send("GET", `/refunds/${refund.id}`);
	await send("GET", "/refunds?customerId=parent&state=PLANNED");
}

const urls = { successUrl: "https://example.com/saved", cancelUrl: "https://example.com/back" };
