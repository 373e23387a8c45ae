import { expect, test } from "bun:test";
import { PushedEntitlements } from "../../clients/typescript/src/pushed";
import { eventually } from "../support/process";

/** A fake of the server's streams, with messages set by the tests. */
function streams() {
	const opened: Array<{ ids: readonly string[]; tell(text: string): void; end(): void; isAborted(): boolean }> = [];
	const server = { isRefusing: false };
	const open = async (ids: readonly string[], signal: AbortSignal): Promise<Response> => {
		if (server.isRefusing) return new Response("", { status: 503 });
		let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
		const body = new ReadableStream<Uint8Array>({
			start: (given) => {
				controller = given;
			},
		});
		signal.addEventListener("abort", () => controller?.error(signal.reason));
		opened.push({
			ids,
			tell: (text) => controller?.enqueue(new TextEncoder().encode(text)),
			end: () => controller?.close(),
			isAborted: () => signal.aborted,
		});
		return new Response(body);
	};
	const stream = (index: number) => eventually(async () => opened[index], 20_000);
	return { server, open, opened, stream };
}

const message = (
	event: "snapshot" | "change",
	customerId: string,
	limits: Readonly<Record<string, number>>,
	more: object = {},
) => {
	const entitlements = Object.entries(limits).map(([id, usageLimit]) => ({
		type: "FEATURE",
		feature: { id },
		isGranted: true,
		usageLimit,
		...more,
	}));
	const at = "2026-01-01T00:00:00.000Z";
	return `event: ${event}\ndata: ${JSON.stringify({ customerId, entitlements, removed: [], at })}\n\n`;
};

const limitOf = (pushed: PushedEntitlements, customerId: string, featureId = "calls") =>
	pushed.find(customerId, featureId)?.usageLimit;

const seen = (pushed: PushedEntitlements, customerId: string, limit: number) =>
	eventually(async () => (limitOf(pushed, customerId) === limit ? true : undefined), 20_000);

test("messages of the stream are applied, however they are split into chunks", async () => {
	const { open, stream } = streams();
	const changes: string[] = [];
	const pushed = new PushedEntitlements({ open, onChange: (id, features) => changes.push(`${id} ${features}`) });
	expect(limitOf(pushed, "acme")).toBeUndefined();
	const { tell, ids } = await stream(0);
	expect(ids).toEqual(["acme"]);
	const snapshot = message("snapshot", "acme", { calls: 1, seats: 2 });
	tell(snapshot.slice(0, 30));
	tell(`${snapshot.slice(30)}: still here\n\n`);
	await seen(pushed, "acme", 1);
	tell(message("change", "acme", { calls: 5 }));
	await seen(pushed, "acme", 5);
	expect(limitOf(pushed, "acme", "seats")).toBe(2);
	const gone = { customerId: "acme", entitlements: [], removed: ["feature:seats"], at: "2026-01-01T00:00:00.000Z" };
	tell(`event: change\ndata: ${JSON.stringify(gone)}\n\n`);
	await eventually(async () => (limitOf(pushed, "acme", "seats") === undefined ? true : undefined));
	expect(changes).toEqual(["acme calls", "acme seats"]);
	pushed.close();
});

test("an expired answer is requested again", async () => {
	const { open, stream } = streams();
	const pushed = new PushedEntitlements({ open });
	limitOf(pushed, "acme");
	const { tell } = await stream(0);
	tell(message("snapshot", "acme", { calls: 1 }, { validUntil: "2026-01-01T00:00:00.300Z" }));
	await seen(pushed, "acme", 1);
	await eventually(async () => (limitOf(pushed, "acme") === undefined ? true : undefined));
	pushed.close();
});

test("another customer opens another stream in place of the first and keeps the known answers, also after an error", async () => {
	const { server, open, opened, stream } = streams();
	const pushed = new PushedEntitlements({ open });
	limitOf(pushed, "acme");
	const first = await stream(0);
	first.tell(message("snapshot", "acme", { calls: 1 }));
	await seen(pushed, "acme", 1);
	server.isRefusing = true;
	limitOf(pushed, "beta");
	await Bun.sleep(200);
	expect([opened.length, limitOf(pushed, "acme")]).toEqual([1, 1]);
	server.isRefusing = false;
	const second = await stream(1);
	expect(second.ids.toSorted()).toEqual(["acme", "beta"]);
	expect(limitOf(pushed, "acme")).toBe(1);
	second.tell(message("snapshot", "beta", { calls: 7 }));
	await seen(pushed, "beta", 7);
	expect(first.isAborted()).toBe(true);
	pushed.close();
});

test("after the end of a stream nothing is known until the next stream sends it", async () => {
	const { open, stream } = streams();
	const pushed = new PushedEntitlements({ open });
	limitOf(pushed, "acme");
	const first = await stream(0);
	first.tell(message("snapshot", "acme", { calls: 1 }));
	await seen(pushed, "acme", 1);
	first.end();
	const second = await stream(1);
	expect(limitOf(pushed, "acme")).toBeUndefined();
	second.tell(message("snapshot", "acme", { calls: 2 }));
	await seen(pushed, "acme", 2);
	pushed.close();
});

test("customers beyond the limit of a stream are not followed, and do not open streams in turn", async () => {
	const { open, opened, stream } = streams();
	const pushed = new PushedEntitlements({ open });
	for (let at = 0; at < 300; at += 1) limitOf(pushed, `customer-${at}`);
	expect((await stream(0)).ids).toHaveLength(200);
	for (let at = 0; at < 300; at += 1) limitOf(pushed, `customer-${at}`);
	await Bun.sleep(200);
	expect(opened.length).toBe(1);
	pushed.close();
});
