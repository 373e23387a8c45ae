import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createApp } from "../../src/app";
import { Bodies, bodyBytesPerThread } from "../../src/http/body";
import { bodySizes } from "../../src/http/body-sizes";
import { longText, type World, world } from "../support/world";

const mebibyte = 1024 * 1024;

/** A body that is sent in pieces, so that its length is not announced; `sent` tells how much of it was taken. */
function pieces(piece: Uint8Array, count: number) {
	const sent = { bytes: 0, isCancelled: false };
	const body = new ReadableStream<Uint8Array>({
		pull(controller) {
			if (sent.bytes >= piece.byteLength * count) return controller.close();
			sent.bytes += piece.byteLength;
			controller.enqueue(piece);
		},
		cancel() {
			sent.isCancelled = true;
		},
	});
	return { body, sent };
}

/** A body of which nothing more ever comes. */
const stuck = () =>
	new ReadableStream<Uint8Array>({
		start(controller) {
			controller.enqueue(new TextEncoder().encode('{"id":'));
		},
	});

async function post(
	{ services, key }: World,
	path: string,
	body: ReadableStream,
	headers: Record<string, string> = {},
) {
	const app = createApp(services);
	await app.modules;
	return app.handle(
		new Request(`http://localhost/api/v1${path}`, {
			method: "POST",
			headers: { "content-type": "application/json", "x-api-key": key, ...headers },
			body,
		}),
	);
}

const withBodies = (bodies: Bodies): World => {
	const w = world();
	return { ...w, services: { ...w.services, bodies } };
};

describe("how large a body may be", () => {
	test.each([
		["/auth/login", 4096],
		["/subscriptions/none/cancel", 64 * 1024],
		["/products", mebibyte],
		["/events", 8 * mebibyte],
	])("%s takes %d bytes, and one more is 413", async (path, bytesMax) => {
		const { call } = world();
		const text = (bytes: number) => `{${" ".repeat(bytes - 2)}}`;
		expect((await call("POST", path, { body: text(bytesMax) })).status).not.toBe(413);
		expect(await call("POST", path, { body: text(bytesMax + 1) })).toMatchObject({
			status: 413,
			body: { code: null, message: expect.stringContaining(String(bytesMax)) },
		});
	});

	test("a body without an announced length is counted while it is read, and the rest of it is left", async () => {
		const { body, sent } = pieces(new Uint8Array(64 * 1024).fill(0x20), 1000);
		const answer = await post(world(), "/products", body);
		expect(answer.status).toBe(413);
		expect(sent.bytes).toBeLessThan(2 * mebibyte);
		expect(sent.isCancelled).toBe(true);
		expect(answer.headers.get("connection")).toBe("close");
	});

	test("a body in pieces is read whole, wherever a character is cut", async () => {
		const text = new TextEncoder().encode(JSON.stringify({ id: "pieces", displayName: "Größe €" }));
		let at = 0;
		const body = new ReadableStream<Uint8Array>({
			pull: (controller) => (at < text.length ? controller.enqueue(text.slice(at, ++at)) : controller.close()),
		});
		const answer = await post(world(), "/products", body);
		expect((await answer.json()).data.displayName).toBe("Größe €");
	});

	test("the body of a caller without permission is not read", async () => {
		const { body, sent } = pieces(new Uint8Array(1024), 10_000);
		const answer = await post(world(), "/events", body, { "x-api-key": "server-nobody" });
		expect(answer.status).toBe(401);
		// The chunks that a stream makes ready before anybody reads.
		expect(sent.bytes).toBeLessThanOrEqual(1024);
	});

	test("every route that is said to take more is one", async () => {
		const app = createApp(world().services);
		await app.modules;
		const routes = app.routes.map(({ method, path }) => `${method} ${path.replace("/api/v1", "")}`);
		expect(Object.keys(bodySizes).filter((route) => !routes.includes(route))).toEqual([]);
	});
});

describe("bodies under way", () => {
	test("one that stops coming is 408, its connection is closed, and its memory is free again", async () => {
		const bodies = new Bodies({ patienceMs: () => 20 });
		const answer = await post(withBodies(bodies), "/products", stuck());
		expect(answer.status).toBe(408);
		expect(answer.headers.get("connection")).toBe("close");
		expect(await answer.json()).toEqual({ message: expect.stringContaining("slowly"), code: null });
		expect(bodies.bytes).toBe(0);
	});

	test("together they take so much and no more: one too many is 503, and is served once there is room", async () => {
		const bodies = new Bodies({ totalBytesMax: 100, patienceMs: () => 50 });
		const w = withBodies(bodies);
		const first = post(w, "/products", stuck());
		// The first has come so far when the second is sent.
		while (bodies.bytes === 0) await Bun.sleep(1);
		const { body } = pieces(new TextEncoder().encode(`{"id":"a","displayName":"${longText(70)}"}`), 1);
		const second = await post(w, "/products", body);
		expect(second.status).toBe(503);
		expect(second.headers.get("retry-after")).toBe("1");
		expect((await first).status).toBe(408);
		const { body: again } = pieces(new TextEncoder().encode(`{"id":"a","displayName":"${longText(70)}"}`), 1);
		expect((await post(w, "/products", again)).status).toBe(201);
		expect(bodies.bytes).toBe(0);
	});
});

describe("how many values a body may hold", () => {
	const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, "v"]));

	test.each([
		["/auth/login", 100, 200],
		["/subscriptions/none/cancel", 20_000, 30_000],
		["/products", 50_000, 60_000],
		["/customers/import", 150_000, 600_000],
	])("%s takes %d of them, refused before they are read", async (path, valuesMax, count) => {
		const { call } = world();
		const refusal = { status: 400, body: { message: expect.stringContaining(`more than ${valuesMax} values`) } };
		expect(
			await call("POST", path, { body: JSON.stringify(path.endsWith("cancel") ? Array(count).fill(1) : keys(count)) }),
		).toMatchObject(refusal);
		// Neither what stands in a text nor what escapes in it is counted.
		expect(await call("POST", path, { body: JSON.stringify({ a: '",{'.repeat(valuesMax / 20) }) })).not.toMatchObject(
			refusal,
		);
	});

	test("an import of a thousand customers with all the metadata that they may have fits", async () => {
		const customers = Array.from({ length: 1000 }, (_, at) => ({
			id: `c${at}`,
			name: "A",
			email: "a@b.example",
			metadata: keys(100),
		}));
		expect((await world().call("POST", "/customers/import", { body: { customers } })).status).toBe(200);
	});
});

describe("the content of a body", () => {
	const hostile = ["toString", "valueOf", "toJSON", "constructor", "__proto__", "hasOwnProperty", "then", "length"];
	const values = fc.letrec((tie) => ({
		any: fc.oneof(
			{ maxDepth: 3, depthSize: "small" },
			fc.constantFrom<unknown>(1, "x", null, true),
			fc.array(tie("any"), { maxLength: 3 }),
			fc
				.array(fc.tuple(fc.constantFrom(...hostile), tie("any")), { minLength: 1, maxLength: 3 })
				.map((entries) => Object.fromEntries(entries)),
		),
	})).any;
	/** As text: assigning `__proto__` would set it. */
	const json = (value: unknown): string => JSON.stringify(value) ?? "null";

	test.each([
		["/auth/login", ["email", "password"]],
		["/products", ["id", "displayName", "metadata"]],
		["/subscriptions", ["customerId", "planId", "billingPeriod", "priceOverrides", "startDate"]],
		["/subscriptions/preview", ["customerId", "planId", "chargesQuantities"]],
		["/coupons", ["id", "type", "amountsOff", "percentOff"]],
		["/events", ["events"]],
	])("however a value would describe itself, %s refuses it with 400", async (path, keys) => {
		const { call } = world();
		await fc.assert(
			fc.asyncProperty(fc.constantFrom(...keys, ...hostile), values, async (key, value) => {
				const answer = await call("POST", path, { body: `{"${key}":${json(value)}}` });
				expect([400, 429]).toContain(answer.status);
			}),
			{ numRuns: 60 },
		);
	});

	test("names the place where it is wrong, whatever stands there", async () => {
		const answer = await world().call("POST", "/auth/login", {
			key: "",
			body: '{"email":{"toString":1},"password":"x"}',
		});
		expect(answer).toMatchObject({
			status: 400,
			body: { code: "BadUserInput", message: expect.stringContaining("/email") },
		});
	});

	test.each([
		["/products?limit=%5B%7B%22toString%22%3A1%7D%5D"],
		["/products?status=%5B%7B%22toString%22%3A1%7D%5D"],
		["/products?status=%7B%22toString%22%3A1%7D"],
		["/products?__proto__=1"],
		["/products?toString=1"],
	])("a query is refused with 400 likewise: %s", async (path) => {
		expect((await world().call("GET", path)).status).toBe(400);
	});
});

test.each([1, 2, 3, 8])("each of %i threads takes a bank file of the largest size", (threads) => {
	expect(bodyBytesPerThread(threads)).toBeGreaterThanOrEqual(64 * mebibyte);
});
