/**
 * A load generator in a process of its own: keep-alive connections over raw sockets, several requests in flight on each,
 * answers counted by their bytes. It costs a small part of what a server does, so the server is what is measured.
 *
 * Arguments: port, seconds, connections, requests in flight on each, and one raw HTTP request (base64).
 */
const [port, seconds, connections, inFlight, encoded] = process.argv.slice(2);
const request = Buffer.from(encoded ?? "", "base64");

/** Every answer to the same request has the same length but for its date; the first one tells it. */
async function answerLength(): Promise<number> {
	const { promise, resolve } = Promise.withResolvers<number>();
	let seen = Buffer.alloc(0);
	const socket = await Bun.connect({
		hostname: "127.0.0.1",
		port: Number(port),
		socket: {
			data(_, chunk) {
				seen = Buffer.concat([seen, chunk]);
				const head = seen.indexOf("\r\n\r\n");
				if (head < 0) return;
				const length = Number(/content-length: (\d+)/i.exec(seen.subarray(0, head).toString())?.[1]);
				if (seen.length >= head + 4 + length) resolve(head + 4 + length);
			},
		},
	});
	socket.write(request);
	const length = await promise;
	const status = Number(seen.subarray(9, 12).toString());
	if (status !== 200) throw new Error(seen.toString());
	socket.end();
	return length;
}

const length = await answerLength();
let bytes = 0;
let running = true;

for (let connection = 0; connection < Number(connections); connection += 1) {
	let pending = 0;
	await Bun.connect({
		hostname: "127.0.0.1",
		port: Number(port),
		socket: {
			open(socket) {
				socket.write(Buffer.concat(Array.from({ length: Number(inFlight) }, () => request)));
			},
			data(socket, chunk) {
				bytes += chunk.length;
				pending += chunk.length;
				const whole = Math.floor(pending / length);
				pending -= whole * length;
				if (running && whole > 0)
					socket.write(whole === 1 ? request : Buffer.concat(Array.from({ length: whole }, () => request)));
			},
		},
	});
}

// The first half second warms up and is not counted.
await Bun.sleep(500);
const before = bytes;
const start = performance.now();
await Bun.sleep(Number(seconds) * 1000);
const rate = (bytes - before) / length / ((performance.now() - start) / 1000);
running = false;
console.log(Math.round(rate));
process.exit(0);

export {};
