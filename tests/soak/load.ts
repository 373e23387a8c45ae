import { addCustomers, digits, stock, subscribe } from "../bench/catalogue";
import { ok, type Serving } from "../bench/serving";
import { documents } from "../graphql/push/client";
import { testKey } from "../support/process";

/** Customers with a subscription: as many at the end as at the beginning. */
const customers = 1000;
/** Customers that buy and cancel, again and again. They come after the others. */
const buyers = 200;
const heldMs = 5000;

const customer = () => `c-${digits(Math.floor(Math.random() * customers))}`;

/** The catalogue and the fixed population. */
export async function populate(server: Serving, receiver: string): Promise<void> {
	await stock(server);
	await ok(server, "POST", "/products", { id: "tools", displayName: "Tools" });
	const feature = { id: "tokens", displayName: "Tokens", featureType: "NUMBER", meterType: "INCREMENTAL" };
	await ok(server, "POST", "/features", feature);
	await ok(server, "POST", "/plans", { id: "team", displayName: "Team", productId: "tools" });
	await ok(server, "POST", "/plans/team/entitlements", {
		entitlements: [{ type: "FEATURE", id: "tokens", usageLimit: 1_000_000_000, resetPeriod: "MONTH" }],
	});
	await ok(server, "PATCH", "/plans/team", { charges: { pricingType: "FREE", pricingModels: [] } });
	await ok(server, "POST", "/plans/team/publish", { migrationType: "NEW_CUSTOMERS" });
	await addCustomers(server, customers + buyers);
	await subscribe(server, "metered", customers);
	await subscribe(server, "team", customers);
	await ok(server, "POST", "/webhooks", { endpoint: receiver });
}

/** Requests of one kind, so many in a second. */
interface Kind {
	readonly perSecond: number;
	send(): Promise<unknown>;
}

/** The mix: about a hundred requests a second, 200 events a second among them, and fifty streams open at any time. */
function kindsOf(server: Serving): readonly Kind[] {
	const bought: string[] = [];
	let buyer = 0;
	let event = 0;
	const post = (path: string, body: object) => ok(server, "POST", path, body);
	const get = (path: string) => ok(server, "GET", path);
	const events = () =>
		Array.from({ length: 20 }, () => {
			event += 1;
			return {
				eventName: "api.request",
				customerId: customer(),
				idempotencyKey: `soak-${event}`,
				dimensions: { region: "eu-west" },
			};
		});
	return [
		{ perSecond: 10, send: () => post("/events", { events: events() }) },
		{ perSecond: 40, send: () => get(`/customers/${customer()}/entitlements/check?featureId=calls`) },
		{ perSecond: 10, send: () => get(`/customers/${customer()}/entitlements`) },
		{ perSecond: 10, send: () => post(`/customers/${customer()}/entitlements/tokens/consume`, { amount: 1 }) },
		{
			perSecond: 5,
			send: () => post("/usage", { usages: [{ customerId: customer(), featureId: "tokens", value: 1 }] }),
		},
		{ perSecond: 5, send: () => ok(server, "PATCH", `/customers/${customer()}`, { name: crypto.randomUUID() }) },
		{ perSecond: 3, send: () => get("/customers?limit=50") },
		{ perSecond: 2, send: () => get(`/subscriptions?limit=50&customerId=${customer()}`) },
		{ perSecond: 5, send: () => graphql(server) },
		{
			perSecond: 1,
			send: async () => {
				buyer += 1;
				const customerId = `c-${digits(customers + (buyer % buyers))}`;
				const subscription = { customerId, planId: "pro", billingPeriod: "MONTHLY" };
				bought.push((await post("/subscriptions", subscription)).subscription.id);
			},
		},
		{
			perSecond: 1,
			// A little later than it was bought, so that a few are always there.
			send: async () => {
				if (bought.length < 20) return;
				await post(`/subscriptions/${bought.shift()}/cancel`, { cancellationTime: "IMMEDIATE" });
			},
		},
		{ perSecond: 5, send: () => followStream(server) },
		{ perSecond: 5, send: () => followSocket(server) },
	];
}

async function graphql(server: Serving): Promise<void> {
	const query = `query($id: String!) {
		customers(filter: { customerId: { eq: $id } }) { edges { node { customerId name subscriptions { subscriptionId } } } }
	}`;
	const { status, body } = await server.call("POST", "/graphql", { query, variables: { id: customer() } });
	if (status !== 200 || body.errors) throw new Error(`GraphQL: ${status} ${JSON.stringify(body)}`);
}

/** An event stream, opened, held and closed by the client. */
async function followStream({ url }: Serving): Promise<void> {
	const ending = new AbortController();
	const answer = await fetch(`${url}/api/v1/stream/entitlements?customerId=${customer()}`, {
		headers: { "x-api-key": testKey },
		signal: ending.signal,
	});
	if (answer.status !== 200) throw new Error(`A stream was refused: ${answer.status} ${await answer.text()}`);
	await Bun.sleep(heldMs);
	ending.abort();
}

/** A socket with one subscription, opened, held and closed by the client. */
async function followSocket({ url }: Serving): Promise<void> {
	const socket = new WebSocket(`${url.replace("http", "ws")}/graphql`, ["graphql-transport-ws"]);
	const say = (message: object) => socket.send(JSON.stringify(message));
	socket.onopen = () => say({ type: "connection_init", payload: { headers: { "X-API-KEY": testKey } } });
	socket.onmessage = ({ data }) => {
		if (JSON.parse(String(data)).type === "connection_ack")
			say({ type: "subscribe", id: "usage", payload: { query: documents.usageUpdated } });
	};
	const refused = new Promise<never>((_, reject) => {
		socket.onerror = () => reject(new Error("A socket was refused."));
	});
	await Promise.race([Bun.sleep(heldMs), refused]);
	socket.close();
}

/** Sends the mix, `rate` times as much of it, whatever the answers take. */
export class Load {
	requests = 0;
	failed = 0;
	failure = "";
	readonly #timers: ReadonlyArray<ReturnType<typeof setInterval>>;
	readonly #underWay = new Set<Promise<void>>();

	constructor(server: Serving, rate: number) {
		this.#timers = kindsOf(server).map((kind) => setInterval(() => this.#send(kind), 1000 / (kind.perSecond * rate)));
	}

	/** Sends no more. Resolves when all is answered. */
	async stop(): Promise<void> {
		for (const timer of this.#timers) clearInterval(timer);
		await Promise.all(this.#underWay);
	}

	#send(kind: Kind): void {
		const sent = kind
			.send()
			.catch((error: unknown) => {
				this.failed += 1;
				this.failure ||= String(error);
			})
			.then(() => {
				this.requests += 1;
				this.#underWay.delete(sent);
			});
		this.#underWay.add(sent);
	}
}
