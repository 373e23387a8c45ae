import type { OpenProvider } from "../../../src/areas/collection/adapters";
import { Collector } from "../../../src/areas/collection/collector";
import {
	type Answer,
	type AttemptOrder,
	type Credentials,
	type Provider,
	ProviderError,
	type SavedMethod,
} from "../../../src/areas/collection/providers/provider";
import { openLog } from "../../../src/http/log";
import type { Instant } from "../../../src/kernel/clock";
import { zero } from "../../../src/kernel/decimal";
import { folderSecret, type World } from "../../support/world";

/** A provider whose methods a test states. Others fail as a network does. */
export function scripted(methods: Partial<Provider>, seen: Credentials[] = []) {
	const unanswered = async (): Promise<never> => {
		throw new ProviderError("UNANSWERED", "no answer");
	};
	const provider = new Proxy(methods, {
		get: (target, name) => (name === "then" ? undefined : (target[name as keyof Provider] ?? unanswered)),
	}) as Provider;
	return async (_: string, credentials: Credentials): Promise<Provider> => {
		seen.push(credentials);
		return provider;
	};
}

const two = { twoSteps: true, findByReference: false };
const one = { twoSteps: false, findByReference: true };
const all = { savedMethods: true, partialRefunds: true, disputes: true, keyHours: 24 };

/**
 * Accepts every key, has every method, and charges in two steps or in one: `pm_declined` is declined, `pm_action` needs the customer, and
 * the answers about `pm_lost` are lost.
 */
export function accepting(seen: Credentials[] = [], steps: 1 | 2 = 2) {
	const payments = new Map<string, AttemptOrder>();
	const charged = (order: AttemptOrder): Answer => {
		if (order.methodRef === "pm_lost") throw new ProviderError("UNANSWERED", "no answer");
		const state = { pm_declined: "FAILED", pm_action: "REQUIRES_ACTION" }[order.methodRef] as
			| Answer["state"]
			| undefined;
		return answerOf(order, state ?? "SUCCEEDED");
	};
	return scripted(
		{
			can: { ...all, ...(steps === 2 ? two : one) },
			verify: async () => ({ account: "Acme Payments", live: false }),
			openPage: async ({ ours }) => ({
				...{ ref: `page_${ours}`, url: "https://example.com/page", customerRef: "cus_1" },
				expiresAt: Date.UTC(2099, 0) as Instant,
			}),
			lookPage: async (ref) => ({ state: "COMPLETE", method: methodOf(`pm_${ref}`), payment: null }),
			lookMethod: async (ref) => (ref === "pm_unknown" ? "NOT_FOUND" : methodOf(ref)),
			create: async (order) => {
				payments.set(`pi_${order.ours}`, order);
				return steps === 2 ? answerOf(order, "UNCONFIRMED") : charged(order);
			},
			confirm: async (ref) => charged(payments.get(ref) as AttemptOrder),
			look: async (ref) => {
				const order = typeof ref === "string" ? payments.get(ref) : undefined;
				return order ? charged(order) : "NOT_FOUND";
			},
			// A refund of 1 is rejected later.
			refund: async ({ ours, money }) => ({
				...{ ref: `re_${ours}`, ours, money, failure: null },
				state: Number(money.amount) === 1 ? "FAILED" : "SUCCEEDED",
			}),
			cancel: async (ref) => answerOf(payments.get(ref) as AttemptOrder, "CANCELED"),
		},
		seen,
	);
}

const methodOf = (ref: string): SavedMethod => ({
	...{ ref, customerRef: "cus_1", kind: "CARD", brand: "visa", last4: "4242" },
	...{ expiresMonth: 12, expiresYear: 2099, country: "US" },
});

const answerOf = ({ ours, money }: AttemptOrder, state: Answer["state"]): Answer => ({
	...{ ref: `pi_${ours}`, ours, state, refunded: zero, fee: null, method: null, movedAt: null, dispute: null },
	received: { currency: money.currency, amount: state === "SUCCEEDED" ? money.amount : zero },
	failure: state === "FAILED" ? { code: "declined", message: "Declined.", bucket: "RETRY_LATER" } : null,
	actionUrl: state === "REQUIRES_ACTION" ? "https://example.com/authenticate" : null,
});

/** The collector of a world, which a test lets work. */
export const collectorOf = (w: World, open: OpenProvider): Collector =>
	new Collector({
		...{ transactions: w.transactions, write: w.services.write, open, folderSecret },
		...{ log: openLog("silent"), isStopping: () => false },
	});

/** Lets the collector work until a call of the API is answered. */
export async function collecting<T>(collector: Collector, call: Promise<T>): Promise<T> {
	let isAnswered = false;
	const answered = call.finally(() => {
		isAnswered = true;
	});
	while (!isAnswered) {
		await collector.drain();
		await Bun.sleep(2);
	}
	return await answered;
}
