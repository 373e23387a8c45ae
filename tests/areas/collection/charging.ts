import { type OpenProvider, openProvider } from "../../../src/areas/collection/adapters";
import { Collector } from "../../../src/areas/collection/collector";
import { checkAttempts } from "../../../src/areas/invoices/payments/operations.check-attempts";
import { checkReceipts } from "../../../src/areas/invoices/payments/operations.check-receipts";
import { checkProviderRefunds } from "../../../src/areas/invoices/payments/operations.check-refunds";
import { openLog } from "../../../src/http/log";
import type { Instant } from "../../../src/kernel/clock";
import type { StandIn } from "../../support/providers/stripe/stand-in";
import { type Answer, folderSecret } from "../../support/world";
import { shop } from "../subscriptions/shop";
import { accepting, collecting } from "./scripted";

const visa = "4242424242424242";
export const setup = { successUrl: "https://example.com/ok", cancelUrl: "https://example.com/no" };

/** Submits a form of a page of the provider. */
export const submit = (url: string, fields: Record<string, string>): Promise<Response> =>
	fetch(url, { method: "POST", body: new URLSearchParams(fields), redirect: "manual" });

/**
 * The shop (areas/subscriptions/shop.ts), and the collector, which works by hand: with a stand-in of the provider, or with a scripted
 * provider.
 */
export async function chargingWorld({ url, secretKey }: Pick<StandIn, "url" | "secretKey">, open = openProvider) {
	const w = await shop();
	Object.assign(w.services.outgoing, { allowPrivateWebhooks: true });
	const collector = new Collector({
		...{ transactions: w.transactions, write: w.services.write, open, folderSecret },
		...{ log: openLog("silent"), isStopping: () => false, returnUrl: "https://example.com/portal" },
	});
	const send = async (method: string, path: string, body?: object): Promise<Answer["body"]> => {
		const { status, body: answer } = await w.call(method, path, { body });
		return { status, ...answer };
	};
	/** Calls a route that waits for the provider. */
	const waiting = (method: string, path: string, body?: object) => collecting(collector, send(method, path, body));
	/** Lets the collector work now, and after each of these times. */
	const collect = async (...afterMs: number[]) => {
		await collector.drain();
		for (const ms of afterMs) {
			w.clock.at = (w.clock.at + ms) as Instant;
			await collector.drain();
		}
	};
	const connection = { kind: "STRIPE", name: "Cards", mode: "TEST", secretKey, baseUrl: url };
	return {
		...{ ...w, send, waiting, collect, collector },
		connect: async (more: object = {}) =>
			(await waiting("POST", "/provider-connections", { ...connection, ...more })).data,
		/** Enters a number on the provider's page. */
		saveCard: async (number = visa, customer = "acme") => {
			const { data } = await waiting("POST", `/customers/${customer}/payment-methods/setup`, setup);
			const entered = await submit(data.url, { number });
			const next = entered.headers.get("location") ?? "";
			// The bank wants to see the customer.
			if (next.startsWith(url)) await submit(next, { outcome: "complete" });
			await collect(3_000);
			return data;
		},
		provision: (body: object = {}) =>
			send("POST", "/subscriptions", {
				...{ id: "s1", customerId: "acme", planId: "basic", billingPeriod: "MONTHLY" },
				...{ paymentCollectionMethod: "CHARGE", ...body },
			}),
		attempts: async (query = ""): Promise<Answer["body"][]> => (await send("GET", `/attempts${query}`)).data,
		invoices: async (): Promise<Answer["body"][]> => (await send("GET", "/customers/acme/invoices")).data,
		receipts: async (): Promise<Answer["body"][]> => (await send("GET", "/receipts")).data,
		check: () =>
			w.transactions.read(w.actor, (work) => [
				...checkReceipts(work),
				...checkAttempts(work),
				...checkProviderRefunds(work),
			]),
	};
}

const nowhere = { url: "http://127.0.0.1:9", secretKey: "sk_test_1" };

/** A charging world with a scripted provider, connected, whose customer has saved that method. */
export async function scriptedWorld(open: OpenProvider, method = "pm_1") {
	const w = await chargingWorld(nowhere, open);
	await w.connect();
	await w.waiting("POST", "/customers/acme/payment-methods", { paymentMethodId: method });
	return w;
}

/** Worlds in which a charge ends in each way: paid, canceled after the customer did not authenticate, declined, and UNKNOWN. */
export async function chargedWorlds() {
	const ends = [
		["pm_1", 2],
		["pm_action", 2],
		["pm_declined", 2],
		["pm_lost", 1],
	] as const;
	const charged = async (method: string, steps: 1 | 2) => {
		const w = await scriptedWorld(accepting([], steps), method);
		await w.provision();
		await w.collect(3_000, 12 * 3_600_000, 12 * 3_600_000, 7 * 86_400_000);
		const [receipt] = await w.receipts();
		if (receipt) {
			const [{ invoiceId }] = await w.invoices();
			await w.send("POST", `/customers/acme/invoices/${invoiceId}/credit-note`, { amount: 3 });
			for (const amount of [1, 2]) await w.send("POST", "/refunds", { receiptId: receipt.receiptId, amount });
			await w.collect();
		}
		return w;
	};
	return await Promise.all(ends.map(([method, steps]) => charged(method, steps)));
}
