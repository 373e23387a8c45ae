import { begun, connect, documents, type Pushed, subscribe as subscribeTo } from "../graphql/push/client";
import { testKey } from "../support/process";
import { addCustomers, eventsRequest, stock, subscribe } from "./catalogue";
import type { Row } from "./row";
import { load, median, ms, ok, residentMiB, type Serving, whole, withServer } from "./serving";

const samples = 200;
const customers = 1000;
/** A hundred events a request, twenty thousand a second: each customer has twenty. */
const busy = { many: customers, seconds: 24, connections: 4, paceMs: 20 };
const idleSockets = 10_000;
/** Sockets that are opened at the same time. */
const atOnce = 100;

/** How long after its acknowledgement an event is pushed, and what connections cost that wait. */
export async function measurePush(): Promise<Row[]> {
	const measured = await withServer(async (server) => {
		await stock(server);
		await addCustomers(server, customers);
		await subscribe(server, "metered", customers);
		const idle = await lagsMs(server, "idle");
		const sending = { isOver: false };
		const sent = load(server, { ...busy, request: eventsRequest(100) }).finally(() => {
			sending.isOver = true;
		});
		await Bun.sleep(600);
		const full = await lagsMs(server, "busy", sending);
		const { perSecond } = await sent;
		return [
			{ work: "acknowledged until pushed", here: shown(idle), goal: "p99 200 ms" },
			{ work: `the same at ${whole(perSecond * 100)} events/s`, here: shown(full), goal: "p99 200 ms" },
		];
	});
	return [...measured, await withServer(measureSockets)];
}

function shown(lags: readonly number[]): string {
	const sorted = [...lags].sort((one, other) => one - other);
	return `median ${ms(median(lags))}, p99 ${ms(sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN)} (${lags.length})`;
}

async function lagsMs(server: Serving, name: string, until = { isOver: false }): Promise<number[]> {
	const client = connect(server.url, testKey);
	const pushes = subscribeTo(client, documents.usageUpdated);
	await begun(client);
	const lags: number[] = [];
	let before = (await ok(server, "GET", "/customers/c-000000/entitlements/check?featureId=calls")).currentUsage;
	const isMore = ({ usage }: Pushed): boolean =>
		usage.customerId === "c-000000" && usage.featureId === "calls" && usage.currentUsage > before;
	for (let sample = 0; sample < samples && !until.isOver; sample += 1) {
		const event = { eventName: "api.request", customerId: "c-000000", idempotencyKey: `push-${name}-${sample}` };
		const pushed = pushes.until(isMore);
		await ok(server, "POST", "/events", { events: [event] });
		const acknowledged = performance.now();
		before = (await pushed).usage.currentUsage;
		lags.push(performance.now() - acknowledged);
	}
	void client.dispose();
	return lags;
}

/** Connections that have subscribed to the same fields as the known clients, and receive nothing. */
async function measureSockets(server: Serving): Promise<Row> {
	await stock(server);
	const before = residentMiB(server.pid);
	const sockets: WebSocket[] = [];
	while (sockets.length < idleSockets)
		sockets.push(...(await Promise.all(Array.from({ length: atOnce }, () => follow(server.url)))));
	await Bun.sleep(2_000);
	const after = residentMiB(server.pid);
	const open = sockets.filter(({ readyState }) => readyState === WebSocket.OPEN).length;
	for (const socket of sockets) socket.close();
	return {
		work: `${whole(open)} idle connections, two subscriptions each`,
		here: `${whole(after)} MiB in all, ${whole(before)} MiB without`,
		goal: "400 MB",
	};
}

function follow(url: string): Promise<WebSocket> {
	const socket = new WebSocket(`${url.replace("http", "ws")}/graphql`, ["graphql-transport-ws"]);
	const say = (message: object) => socket.send(JSON.stringify(message));
	return new Promise((resolve, reject) => {
		socket.onerror = () => reject(new Error("A connection was refused."));
		socket.onopen = () => say({ type: "connection_init", payload: { headers: { "X-API-KEY": testKey } } });
		socket.onmessage = ({ data }) => {
			const { type } = JSON.parse(String(data));
			if (type === "pong") resolve(socket);
			if (type !== "connection_ack") return;
			for (const name of ["entitlementsUpdated", "usageUpdated"] as const)
				say({ type: "subscribe", id: name, payload: { query: documents[name] } });
			say({ type: "ping" });
		};
	});
}
