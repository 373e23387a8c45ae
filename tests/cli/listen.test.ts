import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { Webhook } from "standardwebhooks";
import { run } from "../../src/cli/commands";
import { type Listening, listen } from "../../src/cli/listen";
import { receiver } from "../areas/webhooks/support";
import { type World, world } from "../support/world";

let here: World;
let onRequest: (nth: number) => Promise<Response | undefined>;
let server: ReturnType<typeof Bun.serve>;
let receiving: ReturnType<typeof receiver>;

beforeEach(() => {
	here = world();
	let requests = 0;
	onRequest = async () => undefined;
	receiving = receiver((nth) => new Response("", { status: nth === 2 ? 500 : 200 }));
	server = Bun.serve({
		port: 0,
		hostname: "127.0.0.1",
		idleTimeout: 60,
		fetch: async (request) => {
			requests += 1;
			const answer = await onRequest(requests);
			if (answer) return answer;
			const { pathname, search } = new URL(request.url);
			const key = request.headers.get("x-api-key") ?? "";
			const { status, body } = await here.call("GET", `${pathname}${search}`, { key });
			return Response.json(body, { status });
		},
	});
});

afterEach(() => {
	receiving.stop();
	server.stop(true);
});

/** Listens until `isDone`, and answers what was printed. */
async function listenUntil(isDone: (lines: readonly string[]) => boolean, more: Partial<Listening> = {}) {
	const lines: string[] = [];
	const stopping = new AbortController();
	const url = `http://127.0.0.1:${server.port}`;
	const listening = { url, apiKey: here.key, isPrinted: false, stopping: stopping.signal, ...more };
	const running = listen({ ...listening, print: (line) => void lines.push(line) });
	// A failure ends the wait as well.
	const ended = running.then(
		() => true,
		() => true,
	);
	for (let isOver = false; !isOver && !isDone(lines); )
		isOver = await Promise.race([ended, Bun.sleep(5).then(() => false)]);
	stopping.abort();
	await running;
	return lines;
}

const provision = (id: string) => here.call("POST", "/customers", { body: { id } });

describe("tollgate listen", () => {
	test("sends each event signed by what it prints, and shows what was answered", async () => {
		await provision("before");
		let isMade = false;
		const lines = await listenUntil(
			(printed) => {
				// Only what comes from now on.
				if (!isMade && printed.length === 1) {
					isMade = true;
					setTimeout(async () => {
						await provision("one");
						await provision("two");
					}, 200);
				}
				return printed.length === 3;
			},
			{ forward: receiving.url },
		);
		const [, secret = ""] = /(whsec_\S+),/.exec(lines[0] ?? "") ?? [];
		const verified = receiving.received.map(({ text, headers }) =>
			new Webhook(secret).verify(text, Object.fromEntries(headers)),
		);
		expect(verified).toMatchObject([
			{ type: "customer.created", id: "one" },
			{ type: "customer.created", id: "two" },
		]);
		expect(lines.slice(1).map((line) => line.replace(/^\d+ +(.*) in \d+ ms$/, "$1"))).toEqual([
			"customer.created  200",
			"customer.created  500",
		]);
	});

	test("goes on after its last event when the server was away, and prints some types only", async () => {
		await provision("one");
		await here.call("PATCH", "/customers/one", { body: { name: "One" } });
		onRequest = async (nth) => {
			if (nth !== 2) return undefined;
			await provision("two");
			return new Response("", { status: 502 });
		};
		const lines = await listenUntil((printed) => printed.some((line) => line.includes('"two"')), {
			after: 0,
			isPrinted: true,
			types: ["customer.created"],
		});
		const events = lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line).id);
		expect(events).toEqual(["one", "two"]);
		expect(lines[1]).toBe("The server does not answer; it is asked again.");
	});

	test("is refused a key that may not read", async () => {
		const refused = listenUntil(() => false, { isPrinted: true, apiKey: here.scopedKey("CUSTOMER:READ") });
		await expect(refused).rejects.toThrow("The server refuses");
	});

	test("wants to know what to do, and by which key", async () => {
		for (const args of [["--print"], ["--api-key", "x"], ["--api-key", "x", "--print", "--types", "nothing"]])
			expect(await run(["listen", ...args], {})).toBe(2);
		expect(await run(["listen", "--api-key", "x", "--forward", "ftp://a"], {})).toBe(2);
	});
});
