import { item } from "../areas/promotional-entitlements/grants";
import type { RunningServer } from "../support/process";

/** Customers of each client. No other client changes them, so a client knows what every read must show. */
const customersEach = 4;
/** Features that only make a customer's entitlements take longer to find: a write is more likely to happen meanwhile. */
const otherFeatures = 50;
/** Reads on connections of their own, so that they reach every HTTP thread. */
const readsAtOnce = 4;

interface Known {
	readonly id: string;
	/** Tokens whose consumption or report was acknowledged. */
	tokens: number;
	/** Calls that a read has shown: events are counted some time after they were acknowledged. */
	calls: number;
	sentCalls: number;
	/** The limit of the last grant that was acknowledged; 0 where there is none. */
	extra: number;
	name: string;
}

export interface Found {
	writes: number;
	reads: number;
	/** Reads that answered less than an acknowledged write had left, in words. */
	readonly stale: string[];
}

/** Two features, whose usage is reported and counted, and the customers of all clients with a subscription. */
export async function stock(server: RunningServer, clients: number): Promise<void> {
	const ok = async (method: string, path: string, body: object) => {
		const answer = await server.call(method, path, body);
		if (answer.status > 201) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
	};
	await ok("POST", "/products", { id: "app", displayName: "App" });
	const others = Array.from({ length: otherFeatures }, (_, at) => `other-${at}`);
	for (const id of ["tokens", "calls", "extra", ...others])
		await ok("POST", "/features", { id, displayName: id, featureType: "NUMBER", meterType: "INCREMENTAL" });
	const filters = [{ conditions: [{ field: "eventName", operation: "EQUALS", value: "call" }] }];
	await ok("PATCH", "/features/calls", { meter: { aggregation: { function: "COUNT" }, filters } });
	await ok("POST", "/plans", { id: "team", displayName: "Team", productId: "app" });
	const limit = { type: "FEATURE", usageLimit: 1_000_000_000, resetPeriod: "MONTH" };
	await ok("POST", "/plans/team/entitlements", {
		entitlements: ["tokens", "calls", ...others].map((id) => ({ id, ...limit })),
	});
	await ok("PATCH", "/plans/team", { charges: { pricingType: "FREE", pricingModels: [] } });
	await ok("POST", "/plans/team/publish", { migrationType: "NEW_CUSTOMERS" });
	for (let client = 0; client < clients; client += 1)
		for (let at = 0; at < customersEach; at += 1) {
			await ok("POST", "/customers", { id: idOf(client, at) });
			await ok("POST", "/subscriptions", { customerId: idOf(client, at), planId: "team" });
		}
}

const idOf = (client: number, at: number) => `c${client}-${at}`;

/** Changes the catalogue again and again: no thread keeps what customers are entitled to. */
export async function churn(server: RunningServer, endMs: number): Promise<void> {
	for (let made = 0; performance.now() < endMs; made += 1) {
		const { status } = await server.call("PATCH", "/features/extra", { displayName: `Extra ${made}` });
		if (status !== 200) throw new Error(`A feature's change was answered with ${status}.`);
	}
}

/** Writes to customers of its own, and reads each of them back on every thread. */
export class Client {
	readonly #server: RunningServer;
	readonly #customers: readonly Known[];
	readonly #number: number;
	readonly #found: Found;
	#made = 0;

	constructor(server: RunningServer, number: number, found: Found) {
		this.#server = server;
		this.#number = number;
		this.#found = found;
		this.#customers = Array.from({ length: customersEach }, (_, at) => ({
			...{ id: idOf(number, at), name: "", tokens: 0, calls: 0, sentCalls: 0, extra: 0 },
		}));
	}

	async run(endMs: number): Promise<void> {
		const writes = [
			...[this.#consume, this.#consume, this.#consume, this.#report],
			...[this.#rename, this.#grant, this.#provision, this.#send],
		];
		while (performance.now() < endMs) {
			const customer = pick(this.#customers);
			const write = pick(writes);
			const writing = { isOver: false };
			const meanwhile = [this.#readOn(customer, writing), this.#readOn(customer, writing)];
			await write.call(this, customer);
			writing.isOver = true;
			this.#found.writes += 1;
			for (let round = 0; round < 2; round += 1)
				await Promise.all([
					...Array.from({ length: readsAtOnce }, () => this.#readTokens(customer)),
					this.#readExtra(customer),
					this.#readCalls(customer),
					this.#readName(customer),
				]);
			await Promise.all(meanwhile);
		}
	}

	/** Reads while a write is carried out: what these reads leave in a cache must not outlive it. */
	async #readOn(customer: Known, writing: { readonly isOver: boolean }): Promise<void> {
		while (!writing.isOver) await this.#readTokens(customer);
	}

	/** Answers the data; undefined where the call is over its limit of thirty a minute, and nothing has happened. */
	// biome-ignore lint/suspicious/noExplicitAny: a test reads the JSON that came, whatever it is.
	async #call(method: string, path: string, body?: object): Promise<any> {
		const answer = await this.#server.call(method, path, body);
		if (answer.status === 429) return undefined;
		if (answer.status > 201) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
		return answer.body.data ?? {};
	}

	async #consume(customer: Known): Promise<void> {
		const data = await this.#call("POST", `/customers/${customer.id}/entitlements/tokens/consume`, { amount: 1 });
		if (data?.isGranted) customer.tokens += 1;
	}

	async #report(customer: Known): Promise<void> {
		const usage = { customerId: customer.id, featureId: "tokens", value: 2 };
		if (await this.#call("POST", "/usage", { usages: [usage] })) customer.tokens += 2;
	}

	async #rename(customer: Known): Promise<void> {
		const name = `${this.#number}-${++this.#made}`;
		if (await this.#call("PATCH", `/customers/${customer.id}`, { name })) customer.name = name;
	}

	async #grant(customer: Known): Promise<void> {
		const grant = item("extra", { usageLimit: customer.extra + 1 });
		const path = `/customers/${customer.id}/promotional-entitlements`;
		if (await this.#call("POST", path, { promotionalEntitlements: [grant] })) customer.extra += 1;
	}

	/** A customer that was just provisioned has access at once. */
	async #provision(): Promise<void> {
		const customerId = `n${this.#number}-${++this.#made}`;
		if (!(await this.#call("POST", "/customers", { id: customerId }))) return;
		await this.#check(customerId, "tokens", ({ isGranted }) =>
			isGranted ? "granted without a subscription" : undefined,
		);
		if (!(await this.#call("POST", "/subscriptions", { customerId, planId: "team" }))) return;
		await Promise.all(
			Array.from({ length: readsAtOnce }, () =>
				this.#check(customerId, "tokens", ({ isGranted }) => (isGranted ? undefined : "denied after its provision")),
			),
		);
	}

	/** Events show once they are counted. What one read has shown, each later one must show. */
	async #send(customer: Known): Promise<void> {
		const event = { customerId: customer.id, eventName: "call", idempotencyKey: `${this.#number}-${++this.#made}` };
		if (await this.#call("POST", "/events", { events: [event] })) customer.sentCalls += 1;
	}

	#readTokens(customer: Known): Promise<void> {
		const least = customer.tokens;
		return this.#check(customer.id, "tokens", ({ currentUsage }) =>
			currentUsage < least ? `${currentUsage} tokens after ${least}` : undefined,
		);
	}

	#readCalls(customer: Known): Promise<void> {
		const least = customer.calls;
		return this.#check(customer.id, "calls", ({ currentUsage }) => {
			if (currentUsage > customer.sentCalls) return `${currentUsage} calls, though ${customer.sentCalls} were sent`;
			customer.calls = Math.max(customer.calls, currentUsage);
			return currentUsage < least ? `${currentUsage} calls after ${least}` : undefined;
		});
	}

	#readExtra(customer: Known): Promise<void> {
		const least = customer.extra;
		return this.#check(customer.id, "extra", ({ usageLimit }) =>
			(usageLimit ?? 0) < least ? `a limit of ${usageLimit} after ${least} was granted` : undefined,
		);
	}

	async #readName(customer: Known): Promise<void> {
		const { name } = customer;
		if (name === "") return;
		const shown = (await this.#call("GET", `/customers/${customer.id}`))?.name;
		this.#note(customer.id, shown === name ? undefined : `the name ${shown} after ${name}`);
	}

	async #check(
		customerId: string,
		featureId: string,
		judge: (shown: { isGranted: boolean; currentUsage: number; usageLimit?: number | null }) => string | undefined,
	): Promise<void> {
		const shown = await this.#call("GET", `/customers/${customerId}/entitlements/check?featureId=${featureId}`);
		this.#note(customerId, judge(shown));
	}

	#note(customerId: string, stale: string | undefined): void {
		this.#found.reads += 1;
		if (stale !== undefined) this.#found.stale.push(`${customerId}: ${stale}`);
	}
}

function pick<T>(all: readonly T[]): T {
	const one = all[Math.floor(Math.random() * all.length)];
	if (one === undefined) throw new Error("There is nothing to pick from.");
	return one;
}
