import { describe, expect, test } from "bun:test";
import type { ServerWebSocket, Socket } from "bun";
import { SlowReaders } from "../../../src/http/responses/slow-readers";
import { eventually } from "../../support/process";

type Ws = ServerWebSocket<undefined>;

const until = (isSo: () => boolean) => eventually(async () => isSo() || undefined);

const text = "x".repeat(64 * 1024);

/** Real sockets: who reads, who does not, and what waits for all of them. */
async function site(bytesMax: number) {
	const readers = new SlowReaders(bytesMax);
	const open: Ws[] = [];
	const closed = new Set<Ws>();
	const server = Bun.serve<undefined>({
		port: 0,
		fetch: (request, here) => (here.upgrade(request) ? undefined : new Response("", { status: 400 })),
		websocket: {
			open: (ws) => void open.push(ws),
			message: () => {},
			drain: (ws) => readers.drained(ws),
			close: (ws) => {
				readers.remove(ws);
				closed.add(ws);
			},
		},
	});
	const sockets: Socket[] = [];
	const lines = ["GET / HTTP/1.1", "Host: here", "Upgrade: websocket", "Connection: Upgrade"];
	const head = [...lines, "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13", "", ""].join(
		"\r\n",
	);
	const connect = async (): Promise<{ readonly ws: Ws; readonly socket: Socket }> => {
		const socket = await Bun.connect({
			...{ hostname: "127.0.0.1", port: server.port ?? 0 },
			socket: { data: () => {}, error: () => {} },
		});
		sockets.push(socket);
		const before = open.length;
		socket.write(head);
		await until(() => open.length > before);
		return { ws: open.at(-1) as Ws, socket };
	};
	const end = async () => {
		for (const socket of sockets) socket.terminate();
		await server.stop(true);
	};
	const waiting = () => open.filter((ws) => !closed.has(ws)).reduce((sum, ws) => sum + ws.getBufferedAmount(), 0);
	return { readers, closed, connect, end, waiting };
}

describe("buffers for slow readers", () => {
	test("have one bound for all: the longest idle reader is dropped first, active readers stay", async () => {
		const bytesMax = 4 * 1024 * 1024;
		const { readers, closed, connect, end, waiting } = await site(bytesMax);
		try {
			const reading = await connect();
			const slow = [await connect(), await connect(), await connect()] as const;
			for (const { socket } of slow) socket.pause();
			// Before the second and the third are sent anything, much waits for the first.
			const [first, second, third] = slow;
			for (const { ws } of [first, second, third]) while (ws.getBufferedAmount() < bytesMax / 4) readers.send(ws, text);
			expect(closed.size).toBe(0);
			expect(readers.bytes).toBe(waiting());
			while (!closed.has(first.ws)) {
				for (const { ws } of [reading, second, third]) readers.send(ws, text);
				expect(readers.bytes).toBeLessThanOrEqual(bytesMax);
				await Bun.sleep(0);
			}
			expect(closed.has(second.ws) || closed.has(third.ws)).toBe(false);
			// Once it has taken what waited for it, another is slower.
			second.socket.resume();
			await until(() => second.ws.getBufferedAmount() === 0);
			second.socket.pause();
			while (!closed.has(third.ws)) {
				for (const { ws } of [reading, second]) readers.send(ws, text);
				expect(readers.bytes).toBeLessThanOrEqual(bytesMax);
				await Bun.sleep(0);
			}
			expect(closed.has(second.ws)).toBe(false);
			expect(closed.has(reading.ws)).toBe(false);
			await until(() => readers.bytes === waiting());
		} finally {
			await end();
		}
	}, 30_000);

	test("are empty once all have read them, or are gone", async () => {
		const { readers, connect, end } = await site(64 * 1024 * 1024);
		try {
			const [one, other] = [await connect(), await connect()];
			for (const { socket, ws } of [one, other]) {
				socket.pause();
				while (ws.getBufferedAmount() < 1024 * 1024) readers.send(ws, text);
			}
			expect(readers.bytes).toBeGreaterThanOrEqual(2 * 1024 * 1024);
			one.socket.resume();
			other.socket.terminate();
			await until(() => readers.bytes === 0);
		} finally {
			await end();
		}
	}, 30_000);
});
