import type { AttemptOrder, Bucket } from "../../../src/areas/collection/providers/provider";
import { zero } from "../../../src/kernel/decimal";
import { chargingWorld } from "../collection/charging";
import { scripted } from "../collection/scripted";
import { standard } from "./site";

/** The end of a charge at the provider. */
export type Outcome = "PAID" | "ACTION" | Bucket;

/**
 * A world on a frozen clock on Monday, 2 February 2026, 12:00 UTC, with a customer in Berlin, a default policy, a provider whose charges end as
 * `outcomes` says, one after the other (then the last one), and a saved method.
 */
export async function chargedSite(outcomes: Outcome[], policy: object | null = {}, method: string | null = "pm_1") {
	const payments = new Map<string, AttemptOrder>();
	const charges: string[] = [];
	const ended = new Map<string, Outcome>();
	const answer = (order: AttemptOrder, outcome: Outcome | null) =>
		({
			...{
				ref: `pi_${order.ours}`,
				ours: order.ours,
				refunded: zero,
				fee: null,
				method: null,
				movedAt: null,
				dispute: null,
			},
			state:
				outcome === null
					? "UNCONFIRMED"
					: outcome === "PAID"
						? "SUCCEEDED"
						: outcome === "ACTION"
							? "REQUIRES_ACTION"
							: "FAILED",
			received: { currency: order.money.currency, amount: outcome === "PAID" ? order.money.amount : zero },
			failure:
				outcome === null || outcome === "PAID" || outcome === "ACTION"
					? null
					: { code: outcome.toLowerCase(), message: "Declined.", bucket: outcome },
			actionUrl: outcome === "ACTION" ? "https://example.com/authenticate" : null,
		}) as const;
	const charge = (order: AttemptOrder) => {
		if (!ended.has(order.ours)) {
			charges.push(order.methodRef);
			ended.set(order.ours, (outcomes.length > 1 ? outcomes.shift() : outcomes[0]) ?? "PAID");
		}
		return answer(order, ended.get(order.ours) ?? null);
	};
	const open = scripted({
		can: {
			...{ twoSteps: true, findByReference: false },
			...{ savedMethods: true, partialRefunds: true, disputes: true, keyHours: 24 },
		},
		verify: async () => ({ account: "Acme Payments", live: false }),
		lookMethod: async (ref) => ({
			...{ ref, customerRef: "cus_1", kind: "CARD", brand: "visa", last4: "4242" },
			...{ expiresMonth: 12, expiresYear: 2099, country: "US" },
		}),
		create: async (order) => {
			payments.set(`pi_${order.ours}`, order);
			return answer(order, null);
		},
		confirm: async (ref) => charge(payments.get(ref) as AttemptOrder),
		look: async (ref) => {
			const order = typeof ref === "string" ? payments.get(ref) : undefined;
			return order ? answer(order, ended.get(order.ours) ?? null) : "NOT_FOUND";
		},
		cancel: async (ref) => ({ ...answer(payments.get(ref) as AttemptOrder, null), state: "CANCELED" }),
	});
	const w = await chargingWorld({ url: "http://127.0.0.1:9", secretKey: "sk_test_1" }, open);
	await w.connect();
	const saveMethod = (ref: string) => w.waiting("POST", "/customers/acme/payment-methods", { paymentMethodId: ref });
	if (method !== null) await saveMethod(method);
	await w.send("PATCH", "/customers/acme", { timezone: "Europe/Berlin", language: "en" });
	await w.advance("2026-02-02T12:00:00Z");
	if (policy) await w.send("POST", "/dunning-policies", { ...standard, appliesTo: { isDefault: true }, ...policy });
	/** Lets the collector and the due steps work in turns until both rest. */
	const settle = async () => {
		for (let turn = 0; turn < 60; turn += 1) {
			const before = charges.length;
			await w.collect();
			const { steps } = await w.advance(w.transactions.read(w.actor, ({ now }) => now));
			if (steps === 0 && charges.length === before) return;
		}
		throw new Error("the schedule does not rest");
	};
	const only = async () => (await w.invoices())[0];
	const shown = async () =>
		(await w.send("GET", `/customers/acme/invoices/${(await only()).invoiceId}/collection`)).data;
	return {
		...{ ...w, saveMethod, settle, charges, shown, only },
		sell: async (body: object = {}) => {
			const answered = await w.provision(body);
			await settle();
			return answered;
		},
		/** Lets time pass until an instant, with the provider's answers. */
		until: async (at: string) => {
			await w.advance(at);
			await settle();
		},
		/** The steps of the case as "kind days outcome time". */
		steps: async (): Promise<string[]> =>
			(await shown()).steps.map(
				({ kind, days, outcome, at }: Record<string, unknown>) => `${kind} ${days} ${outcome} ${at}`,
			),
		/** The attempts of the first invoice, oldest first, as "trigger state time". */
		tries: async (): Promise<string[]> =>
			(await w.attempts(`?limit=100&invoiceId=${(await only()).invoiceId}`))
				.toReversed()
				.map(({ trigger, state, createdAt }) => `${trigger} ${state} ${createdAt}`),
		/** The mails about the first invoice, oldest first. */
		mails: async () => {
			const { invoiceId } = await only();
			const { data } = await w.send("GET", "/customers/acme/reminders?limit=100");
			return data.toReversed().filter(({ invoiceIds }: { invoiceIds: string[] }) => invoiceIds.includes(invoiceId));
		},
		collection: async (verb: string, body: object = {}) =>
			w.send("POST", `/customers/acme/invoices/${(await only()).invoiceId}/collection/${verb}`, body),
	};
}
