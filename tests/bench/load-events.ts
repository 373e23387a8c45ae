/**
 * Sends usage events in a process of its own: keep-alive connections over raw sockets, one request in flight on each, every
 * event with a key of its own. The requests are made once and only their keys are patched, so that the server is what is
 * measured. Prints the events a second that were acknowledged.
 *
 * Arguments: port, API key, seconds, connections, events in each request, number of customers.
 */
const [port, apiKey, ...numbers] = process.argv.slice(2);
const [seconds = 0, connections = 0, perRequest = 0, customers = 0] = numbers.map(Number);

const keyDigits = 12;
const marker = "#".repeat(keyDigits);

/** One raw request, and where the keys of its events stand in it. */
function template(): { bytes: Buffer; keysAt: number[] } {
	const events = Array.from({ length: perRequest }, (_, at) => ({
		eventName: "api.request",
		customerId: `bench-${at % customers}`,
		idempotencyKey: marker,
		timestamp: new Date(Date.now() - at * 1000).toISOString(),
		dimensions: { bytes: at, region: "eu-west" },
	}));
	const body = JSON.stringify({ events });
	const head = `POST /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-KEY: ${apiKey}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
	const text = head + body;
	const keysAt = [...text.matchAll(new RegExp(marker, "g"))].map(({ index }) => index);
	return { bytes: Buffer.from(text), keysAt };
}

let lastKey = 0;
function patch({ bytes, keysAt }: ReturnType<typeof template>): Buffer {
	for (const position of keysAt) {
		lastKey += 1;
		for (let digit = keyDigits - 1, rest = lastKey; digit >= 0; digit -= 1) {
			bytes[position + digit] = 48 + (rest % 10);
			rest = Math.floor(rest / 10);
		}
	}
	return bytes;
}

let answered = 0;
let running = true;

for (let connection = 0; connection < connections; connection += 1) {
	const request = template();
	let unsent: Buffer = Buffer.alloc(0);
	let seen = "";
	const push = (socket: Bun.Socket, bytes: Buffer) => {
		const written = socket.write(bytes);
		unsent = bytes.subarray(Math.max(0, written));
	};
	await Bun.connect({
		hostname: "127.0.0.1",
		port: Number(port),
		socket: {
			open(socket) {
				push(socket, patch(request));
			},
			drain(socket) {
				if (unsent.length > 0) push(socket, unsent);
			},
			data(socket, chunk) {
				seen += chunk.toString("latin1");
				if (!seen.endsWith("{}}")) return;
				if (!seen.startsWith("HTTP/1.1 200")) throw new Error(seen);
				seen = "";
				answered += 1;
				if (running) push(socket, patch(request));
			},
		},
	});
}

// The first half second warms up and is not counted.
await Bun.sleep(500);
const before = answered;
const start = performance.now();
await Bun.sleep(seconds * 1000);
console.log(Math.round(((answered - before) * perRequest) / ((performance.now() - start) / 1000)));
running = false;
process.exit(0);

export {};
