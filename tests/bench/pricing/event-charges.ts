import { addCustomers, digits, publish } from "../catalogue";
import type { Row } from "../row";
import { cpuMs, ms, ok, type Serving, whole, withServer } from "../serving";

const perSecond = 2_000;
const perRequest = 20;
const seconds = Number(process.env.BENCH_EVENT_CHARGES_SECONDS ?? 20);
const timeoutMs = 60_000;
const goal = "p99 1 s";

/**
 * The time from the acknowledgement of an event until its charge is on an invoice that a client can read: alone, at 2,000 events a
 * second of 100 subscriptions, and of 2,000. Each unit costs 0.01, so the total of invoices is the number of charged events.
 */
export const measureEventCharges = async (): Promise<Row[]> => {
	const rows: Row[] = [];
	for (const subscriptions of [100, 2_000])
		rows.push(
			...(await withServer(async (server) => {
				await stock(server, subscriptions);
				const alone = subscriptions === 100 ? await eventsAlone(server) : undefined;
				const { lags, cpuUs, rate } = await chargedUnderLoad(server, subscriptions);
				return [
					...(alone ? [{ work: "event alone: from acknowledged to charged", here: textOf(alone), goal }] : []),
					{
						work: `the same at ${whole(rate)} events/s of ${whole(subscriptions)} subscriptions`,
						here: `${textOf(lags)}, ${whole(cpuUs)} µs CPU`,
						...ratioOf(lags),
						goal,
					},
				];
			})),
		);
	return rows;
};

/** The pause between two invoices of a subscription. With steady events, an invoice that takes no time still lets them wait for it. */
const pauseMs = 500;

const ratioOf = (lags: readonly number[]): Pick<Row, "ceiling" | "ratio"> => ({
	ceiling: `p99 ${ms(0.99 * pauseMs)} by the pause alone`,
	ratio: (0.99 * pauseMs) / at(sorted(lags), 0.99),
});

async function stock(server: Serving, subscriptions: number): Promise<void> {
	await ok(server, "POST", "/products", { id: "app", displayName: "App" });
	await ok(server, "POST", "/features", {
		...{ id: "calls", displayName: "Calls", featureType: "NUMBER", meterType: "INCREMENTAL" },
	});
	const filters = [{ conditions: [{ field: "eventName", operation: "EQUALS", value: "call" }] }];
	await ok(server, "PATCH", "/features/calls", { meter: { aggregation: { function: "SUM", field: "n" }, filters } });
	await ok(server, "POST", "/plans", { id: "api", displayName: "API", productId: "app" });
	const pricePeriods = [{ billingPeriod: "MONTHLY", price: { amount: 0.01, currency: "usd" } }];
	await ok(server, "PATCH", "/plans/api", {
		charges: {
			pricingType: "PAID",
			pricingModels: [{ billingModel: "USAGE_BASED", featureId: "calls", paymentTime: "AT_EVENT", pricePeriods }],
		},
	});
	await publish(server, "api");
	await addCustomers(server, subscriptions);
	for (let at = 0; at < subscriptions; at += 1)
		await ok(server, "POST", "/subscriptions", { customerId: idOf(at), planId: "api", billingPeriod: "MONTHLY" });
}

const idOf = (at: number): string => `c-${digits(at)}`;

/** The acknowledged events of each customer that are not charged, in the order of the log. */
class Charges {
	readonly #waiting = new Map<string, number[]>();
	/** Milliseconds from the acknowledgement to the charge; 0 for a charge that is seen first. */
	readonly lags: number[] = [];
	#early = new Map<string, number>();

	acknowledge(customerId: string, at: number): void {
		const early = this.#early.get(customerId) ?? 0;
		if (early > 0) {
			this.#early.set(customerId, early - 1);
			this.lags.push(0);
			return;
		}
		const waiting = this.#waiting.get(customerId);
		if (waiting) waiting.push(at);
		else this.#waiting.set(customerId, [at]);
	}

	charge(customerId: string, events: number, at: number): void {
		const charged = this.#waiting.get(customerId)?.splice(0, events) ?? [];
		for (const acknowledged of charged) this.lags.push(at - acknowledged);
		const early = events - charged.length;
		if (early > 0) this.#early.set(customerId, (this.#early.get(customerId) ?? 0) + early);
	}
}

/** Reads the feed of events until the charges of all events are in it. */
async function follow(server: Serving, charges: Charges, isOver: () => boolean): Promise<void> {
	let after: number | undefined;
	for (const started = performance.now(); !isOver(); ) {
		const from = after === undefined ? "from=end" : `after=${after}&limit=100`;
		const { body } = await server.call("GET", `/events-out?${from}`);
		const seen = performance.now();
		after = body.next;
		for (const { type, customer, subTotal } of body.data)
			if (type === "invoice.created") charges.charge(customer.id, Math.round(subTotal * 100), seen);
		if (performance.now() - started > (seconds + 10) * 1000 + timeoutMs) throw new Error("Events are not charged.");
		await Bun.sleep(20);
	}
}

let keys = 0;
async function send(server: Serving, customers: readonly string[], charges: Charges): Promise<void> {
	const events = customers.map((customerId) => {
		keys += 1;
		return { eventName: "call", customerId, idempotencyKey: `charged-${keys}`, dimensions: { n: 1 } };
	});
	await ok(server, "POST", "/events", { events });
	const acknowledged = performance.now();
	for (const customerId of customers) charges.acknowledge(customerId, acknowledged);
}

/** Each event has a subscription of its own, so no earlier invoice makes it wait. */
async function eventsAlone(server: Serving): Promise<number[]> {
	const charges = new Charges();
	const samples = 50;
	let sent = 0;
	const following = follow(server, charges, () => charges.lags.length === samples);
	for (await Bun.sleep(500); sent < samples; sent += 1) {
		await send(server, [idOf(sent)], charges);
		await Bun.sleep(100 + Math.random() * 100);
	}
	await following;
	return charges.lags;
}

async function chargedUnderLoad(server: Serving, subscriptions: number) {
	const charges = new Charges();
	let sent = 0;
	let isSent = false;
	const following = follow(server, charges, () => isSent && charges.lags.length === sent);
	await Bun.sleep(500);
	const warm = 3;
	const cpu = cpuMs(server.pid);
	const started = performance.now();
	for (let request = 0; request < ((seconds + warm) * perSecond) / perRequest; request += 1) {
		const due = started + (request * perRequest * 1000) / perSecond;
		const ahead = due - performance.now();
		if (ahead > 1) await Bun.sleep(ahead);
		await send(
			server,
			Array.from({ length: perRequest }, () => idOf(Math.floor(Math.random() * subscriptions))),
			charges,
		);
		sent += perRequest;
	}
	const rate = sent / ((performance.now() - started) / 1000);
	isSent = true;
	await following;
	const cpuUs = ((cpuMs(server.pid) - cpu) * 1000) / sent;
	return { lags: charges.lags.slice(warm * perSecond), cpuUs, rate };
}

const sorted = (lags: readonly number[]): number[] => [...lags].sort((one, other) => one - other);
const at = (lags: readonly number[], part: number): number => lags[Math.ceil(lags.length * part) - 1] ?? Number.NaN;

function textOf(lags: readonly number[]): string {
	const of = sorted(lags);
	return `median ${ms(at(of, 0.5))}, p99 ${ms(at(of, 0.99))}, longest ${ms(at(of, 1))}`;
}
