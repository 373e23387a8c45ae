/**
 * A load generator in a process of its own: keep-alive connections over raw sockets, one request in flight on each. Requests
 * are made once and only their marks are patched, so that the server is what is measured. Prints one line of JSON (`Load`
 * without the server's CPU).
 *
 * Reads JSON from standard input: `Traffic` and the port.
 */
export interface Traffic {
	/** A whole HTTP request. In it `@@@@@@` stands for a random number below `many`, `############` for the next one. */
	readonly request: string;
	readonly many?: number;
	/** The first of the next ones. */
	readonly from?: number;
	readonly seconds: number;
	readonly connections: number;
	/** At most so many requests in all. */
	readonly requestsMax?: number;
	/** A connection starts at most one request in so many milliseconds. */
	readonly paceMs?: number;
	/** Counted from the first request on, where nothing can be warmed up. */
	readonly isCold?: boolean;
}

export interface Answered {
	readonly requests: number;
	readonly perSecond: number;
	readonly p50: number;
	readonly p99: number;
	readonly longest: number;
	/** Requests that were answered otherwise than with 200 or 201, and the first such answer. */
	readonly failed: number;
	readonly failure: string;
}

const warmUpMs = 500;

interface Spec extends Traffic {
	readonly port: number;
}

/** The places in the bytes where a mark stands. */
const placesOf = (text: string, mark: string): number[] =>
	[...text.matchAll(new RegExp(mark, "g"))].map(({ index }) => index);

class Requests {
	readonly #random = "@".repeat(6);
	readonly #next = "#".repeat(12);
	#made: number;

	constructor(readonly spec: Spec) {
		this.#made = spec.from ?? 0;
	}

	template() {
		const { request } = this.spec;
		return {
			bytes: Buffer.from(request),
			random: placesOf(request, this.#random),
			next: placesOf(request, this.#next),
		};
	}

	patch({ bytes, random, next }: ReturnType<Requests["template"]>): Buffer {
		for (const place of random) write(bytes, place, 6, Math.floor(Math.random() * (this.spec.many ?? 1)));
		for (const place of next) {
			this.#made += 1;
			write(bytes, place, 12, this.#made);
		}
		return bytes;
	}
}

function write(bytes: Buffer, place: number, digits: number, value: number): void {
	let rest = value;
	for (let digit = digits - 1; digit >= 0; digit -= 1) {
		bytes[place + digit] = 48 + (rest % 10);
		rest = Math.floor(rest / 10);
	}
}

/** The bytes of one answer, once all have come; undefined before. */
function lengthOf(seen: Buffer): number | undefined {
	const head = seen.indexOf("\r\n\r\n");
	if (head < 0) return undefined;
	const length = /\r\ncontent-length: (\d+)/i.exec(seen.toString("latin1", 0, head))?.[1] ?? "0";
	const whole = head + 4 + Number(length);
	return seen.length >= whole ? whole : undefined;
}

async function run(spec: Spec): Promise<Answered> {
	const requests = new Requests(spec);
	const took: number[] = [];
	let [started, failed, failure, running] = [0, 0, "", true];
	const begun = performance.now();
	const countedFrom = begun + (spec.isCold ? 0 : warmUpMs);
	const end = countedFrom + spec.seconds * 1000;
	let last = countedFrom;
	const connect = async (place: number): Promise<void> => {
		const { promise: done, resolve } = Promise.withResolvers<void>();
		const template = requests.template();
		let unsent: Buffer = Buffer.alloc(0);
		let seen: Buffer = Buffer.alloc(0);
		let sentAt = 0;
		let dueAt = begun + ((spec.paceMs ?? 0) * place) / spec.connections;
		const send = (socket: Bun.Socket, bytes: Buffer): void => {
			unsent = bytes.subarray(Math.max(0, socket.write(bytes)));
		};
		const fire = (socket: Bun.Socket): void => {
			const ahead = spec.paceMs === undefined ? 0 : dueAt - performance.now();
			if (ahead > 1) {
				setTimeout(() => fire(socket), ahead);
				return;
			}
			dueAt += spec.paceMs ?? 0;
			if (performance.now() >= end || !running || started >= (spec.requestsMax ?? Number.POSITIVE_INFINITY)) {
				resolve();
				socket.end();
				return;
			}
			started += 1;
			sentAt = performance.now();
			send(socket, requests.patch(template));
		};
		await Bun.connect({
			hostname: "127.0.0.1",
			port: spec.port,
			socket: {
				open: fire,
				drain: (socket) => {
					if (unsent.length > 0) send(socket, unsent);
				},
				data: (socket, chunk) => {
					seen = seen.length === 0 ? Buffer.from(chunk) : Buffer.concat([seen, chunk]);
					const length = lengthOf(seen);
					if (length === undefined) return;
					const status = seen.toString("latin1", 9, 12);
					if (status !== "200" && status !== "201") {
						failed += 1;
						failure ||= seen.toString();
						running = failed < 100;
					} else if (sentAt >= countedFrom) {
						last = performance.now();
						took.push(last - sentAt);
					}
					seen = Buffer.alloc(0);
					fire(socket);
				},
				close: () => resolve(),
			},
		});
		await done;
	};
	await Promise.all(Array.from({ length: spec.connections }, (_, place) => connect(place)));
	took.sort((one, other) => one - other);
	const at = (part: number): number => took[Math.min(took.length - 1, Math.ceil(took.length * part) - 1)] ?? Number.NaN;
	const perSecond = took.length / ((last - countedFrom) / 1000);
	return { requests: took.length, perSecond, p50: at(0.5), p99: at(0.99), longest: at(1), failed, failure };
}

if (import.meta.main) {
	console.log(JSON.stringify(await run(await Bun.stdin.json())));
	process.exit(0);
}
