import type Stripe from "stripe";
import { type StandInClock, standInClock } from "../clock";
import { type Random, randomFrom } from "../random";

export type StoredEvent = Stripe.EventBase & { readonly type: EventType };
export type EventType = Stripe.Event["type"];

/** The secret side of a saved method: its number, and whether the customer authenticated when it was saved. */
export interface Hidden {
	readonly number: string;
	isSetUp: boolean;
}

/** A step that the provider takes by itself, at its time. */
export interface Due {
	readonly at: number;
	readonly step: "settle debit" | "dispute" | "finish refund" | "expire session";
	readonly id: string;
}

/** All objects of one account of the stand-in, by id in the order of their creation. */
export interface Objects {
	counter: number;
	readonly customers: Map<string, Stripe.Customer>;
	readonly methods: Map<string, Stripe.PaymentMethod>;
	readonly setups: Map<string, Stripe.SetupIntent>;
	readonly intents: Map<string, Stripe.PaymentIntent>;
	readonly sessions: Map<string, Stripe.Checkout.Session>;
	readonly charges: Map<string, Stripe.Charge>;
	readonly refunds: Map<string, Stripe.Refund>;
	readonly disputes: Map<string, Stripe.Dispute>;
	readonly movements: Map<string, Stripe.BalanceTransaction>;
	readonly payouts: Map<string, Stripe.Payout>;
	readonly events: Map<string, StoredEvent>;
	readonly endpoints: Map<string, Stripe.WebhookEndpoint>;
	readonly hidden: Map<string, Hidden>;
	/** The client's order of line items, for the page: the name of the thing that a session sells. */
	readonly names: Map<string, string>;
	due: Due[];
}

export interface Account {
	readonly clock: StandInClock;
	readonly random: Random;
	readonly objects: Objects;
	readonly secretKey: string;
	/** The address of the stand-in, for the links to its pages; known when it listens. */
	baseUrl: string;
	/** How long a direct debit is processing. */
	readonly debitMs: number;
	/** Stores and delivers an event. */
	emit(type: EventType, object: object): void;
	deliver: (event: StoredEvent) => void;
}

export const emptyObjects = (): Objects => ({
	counter: 0,
	customers: new Map(),
	methods: new Map(),
	setups: new Map(),
	intents: new Map(),
	sessions: new Map(),
	charges: new Map(),
	refunds: new Map(),
	disputes: new Map(),
	movements: new Map(),
	payouts: new Map(),
	events: new Map(),
	endpoints: new Map(),
	hidden: new Map(),
	names: new Map(),
	due: [],
});

export const apiVersion = "2026-10-28.endive";

export function openAccount(seed: number, debitMs: number, objects = emptyObjects()): Account {
	const random = randomFrom(seed);
	const account: Account = {
		...{ clock: standInClock(), random, objects, baseUrl: "", debitMs },
		secretKey: `sk_test_${randomFrom(seed ^ 0x5ec).letters(24)}`,
		deliver: () => {},
		emit: (type, object) => {
			const event: StoredEvent = {
				...{ id: newId(account, "evt"), object: "event" as const },
				type,
				...{ api_version: apiVersion, created: account.clock.seconds(), livemode: false, pending_webhooks: 1 },
				// The event has the object as it is now.
				data: { object: structuredClone(object) as Stripe.Event.Data.Object },
				request: { id: null, idempotency_key: null },
			};
			objects.events.set(event.id, event);
			account.deliver(event);
		},
	};
	return account;
}

/** A new id that no restart repeats: a counter, then letters. */
export function newId({ objects, random }: Account, prefix: string): string {
	objects.counter += 1;
	return `${prefix}_${objects.counter.toString(36).padStart(8, "0")}${random.letters(16)}`;
}

/** Finds an object by its id, for `expand`. */
export function findObject({ objects }: Account, id: string): object | undefined {
	const byPrefix: Readonly<Record<string, ReadonlyMap<string, object>>> = {
		cus: objects.customers,
		pm: objects.methods,
		seti: objects.setups,
		pi: objects.intents,
		cs: objects.sessions,
		ch: objects.charges,
		py: objects.charges,
		re: objects.refunds,
		pyr: objects.refunds,
		du: objects.disputes,
		txn: objects.movements,
		po: objects.payouts,
	};
	return byPrefix[id.slice(0, id.indexOf("_"))]?.get(id);
}

/** Registers a step of the future. */
export const later = ({ objects, clock }: Account, ms: number, step: Due["step"], id: string): void =>
	void objects.due.push({ at: clock.now() + ms, step, id });
