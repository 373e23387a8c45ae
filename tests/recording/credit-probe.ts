import type { Request } from "./plan";
import { dataOf, type Server } from "./server";

const environment = "probe";
const id = "probe";

const post = (path: string, body: unknown): Request => ({ method: "POST", path, body });

const meter = {
	aggregation: { function: "COUNT" },
	filters: [{ conditions: [{ field: "eventName", operation: "EQUALS", value: id }] }],
};
const charge = {
	billingModel: "CREDIT_BASED",
	featureId: id,
	pricePeriods: [{ billingPeriod: "MONTHLY", creditRate: { amount: 1, currencyId: id } }],
};
const setup: readonly Request[] = [
	post("/products", { id, displayName: id }),
	post("/credits/custom-currencies", { id, displayName: id }),
	post("/features", { id, displayName: id, featureType: "NUMBER", meterType: "INCREMENTAL" }),
	{ method: "PATCH", path: `/features/${id}`, body: { meter } },
	post("/plans", { id, displayName: id, productId: id }),
	{ method: "PATCH", path: `/plans/${id}`, body: { charges: { pricingType: "PAID", pricingModels: [charge] } } },
	post(`/plans/${id}/publish`, { migrationType: "NEW_CUSTOMERS" }),
	post("/customers", { id }),
	post("/subscriptions", { customerId: id, planId: id, billingPeriod: "MONTHLY" }),
];

/**
 * Waits until events have consumed their credits, by events of its own, in an environment that is not recorded. Release 0.2.0 and earlier ones
 * advance a clock without that wait.
 */
export class CreditProbe {
	readonly #server: Server;
	#sent = 0;

	private constructor(server: Server) {
		this.#server = server;
	}

	static async create(server: Server): Promise<CreditProbe> {
		const probe = new CreditProbe(server);
		await server.createEnvironment({ name: environment, billingAnchor: "SUBSCRIPTION_START" });
		for (const request of setup) await probe.#send(request);
		return probe;
	}

	/**
	 * Resolves when all earlier events have consumed their credits. The server charges events in steps, in the order of the log. The first own
	 * event may share its step with earlier events of other customers. The second begins a later step.
	 */
	async settled(): Promise<void> {
		await this.#charged();
		await this.#charged();
	}

	async #charged(): Promise<void> {
		this.#sent += 1;
		const event = { eventName: id, customerId: id, idempotencyKey: String(this.#sent) };
		await this.#send(post("/events", { events: [event] }));
		while ((await this.#consumed()) < this.#sent) await Bun.sleep(5);
	}

	async #consumed(): Promise<number> {
		const body = await this.#send({ method: "GET", path: `/credits/balances?customerId=${id}` });
		return Number(dataOf(body)[0]?.currentUsage ?? 0);
	}

	async #send({ method, path, body }: Request): Promise<unknown> {
		const response = await this.#server.send(environment, method, path, body);
		if (response.status > 201) throw new Error(`${method} ${path}: ${JSON.stringify(response.body)}`);
		return response.body;
	}
}
