import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { Webhook } from "standardwebhooks";
import { hasExpiredDeliveries } from "../../../src/areas/webhooks/operations";
import { type World, world } from "../../support/world";
import { delivererOf, receiver } from "./support";

let ours: World;
let sending: ReturnType<typeof delivererOf>;
const open: Array<{ stop: () => unknown }> = [];

beforeEach(() => {
	ours = world();
	sending = delivererOf(ours);
});

afterEach(() => {
	for (const one of open.splice(0)) one.stop();
	sending.close();
});

function receiving(answer?: Parameters<typeof receiver>[0]) {
	const made = receiver(answer);
	open.push(made);
	return made;
}

async function hook(endpoint: string, more: Record<string, unknown> = {}) {
	const { body } = await ours.call("POST", "/webhooks", { body: { endpoint, ...more } });
	return body.data as { id: string; secretKey: string };
}

const provision = (id: string) => ours.call("POST", "/customers", { body: { id, name: id } });
const deliveriesOf = async (id: string) => (await ours.call("GET", `/webhooks/${id}/deliveries`)).body.data;

describe("an endpoint that fails", () => {
	test("shows since when, and is found by it, until something is delivered", async () => {
		let isWell = false;
		const { url } = receiving(() => new Response("", { status: isWell ? 200 : 500 }));
		const failing = await hook(url);
		const quiet = await hook("http://127.0.0.1:9/quiet", { eventLogTypes: ["contract.created"] });
		const shown = async (query = "") =>
			(await ours.call("GET", `/webhooks${query}`)).body.data.map(({ id }: { id: string }) => id);
		const since = async () => (await ours.call("GET", `/webhooks/${failing.id}`)).body.data.failingSince;
		expect(await since()).toBeNull();
		await provision("acme");
		await sending.run();
		expect(await since()).toBe(new Date(sending.clock.at).toISOString());
		expect(await shown("?failing=true")).toEqual([failing.id]);
		expect(await shown("?failing=false")).toEqual([quiet.id]);
		expect((await ours.call("GET", "/webhooks?failing=true", { key: ours.foreignKey })).body.data).toEqual([]);
		isWell = true;
		await provision("other");
		await sending.run();
		expect([await since(), await shown("?failing=true")]).toEqual([null, []]);
		isWell = false;
		await provision("third");
		await sending.run();
		await ours.call("PATCH", `/webhooks/${failing.id}`, { body: { status: "INACTIVE" } });
		expect([await shown("?failing=true"), await shown("?failing=false&status=INACTIVE")]).toEqual([[], [failing.id]]);
		expect(await ours.call("GET", "/webhooks?failing=yes")).toMatchObject({ status: 400 });
	});
});

describe("a delivery", () => {
	test("is signed as the library verifies it, flat, and kept with its answer", async () => {
		const { url, received } = receiving();
		const { id, secretKey } = await hook(url, { eventLogTypes: ["customer.created"] });
		await provision("acme");
		await sending.run();
		expect(received).toHaveLength(1);
		const [{ headers, text, body } = received[0] as never] = received;
		expect(new Webhook(secretKey).verify(text, Object.fromEntries(headers))).toEqual(body);
		expect(headers.get("webhook-id")).toBe(body.messageId);
		expect(headers.has("tollgate-webhooks-secret")).toBe(false);
		expect(body).toMatchObject({
			...{ type: "customer.created", id: "acme", name: "acme", environmentId: ours.environmentId },
			accountId: ours.actor.accountId,
			actor: { type: "APP_SERVER" },
		});
		expect(await deliveriesOf(id)).toMatchObject([
			{ status: "DELIVERED", type: "customer.created", attempts: [{ status: 200, body: "ok", error: null }] },
		]);
	});

	test("carries the plain secret where the endpoint asks for it", async () => {
		const { url, received } = receiving();
		const { secretKey } = await hook(url, { sendsSecret: true });
		await provision("acme");
		await sending.run();
		expect(received[0]?.headers.get("tollgate-webhooks-secret")).toBe(secretKey);
	});

	test("is signed by the former secret too for a day after a rotation", async () => {
		const { url, received } = receiving();
		const { id, secretKey } = await hook(url);
		sending.clock.at = ours.clock.at;
		const rotated = (await ours.call("POST", `/webhooks/${id}/rotate-secret`)).body.data.secretKey;
		expect(rotated).not.toBe(secretKey);
		await provision("acme");
		await sending.run();
		const signatures = received[0]?.headers.get("webhook-signature")?.split(" ");
		const by = (secret: string, at: number) =>
			new Webhook(secret).sign(received.at(-1)?.body.messageId, new Date(at), received.at(-1)?.text ?? "");
		expect(signatures).toEqual([by(rotated, ours.clock.at), by(secretKey, ours.clock.at)]);
		sending.clock.at = (ours.clock.at + 24 * 60 * 60 * 1000) as never;
		await provision("other");
		await sending.run();
		expect(received.at(-1)?.headers.get("webhook-signature")).toBe(by(rotated, sending.clock.at));
	});

	test("comes in the order of an entity's events, each once", async () => {
		const { url, received } = receiving(async (nth) => {
			await Bun.sleep(nth % 2 ? 5 : 0);
			return new Response("ok");
		});
		await hook(url);
		for (const id of ["one", "two", "three"]) await provision(id);
		for (let at = 0; at < 5; at += 1)
			for (const id of ["one", "two", "three"])
				await ours.call("PATCH", `/customers/${id}`, { body: { name: `name ${at}` } });
		await sending.run();
		expect(received).toHaveLength(18);
		expect(new Set(received.map(({ body }) => body.messageId)).size).toBe(18);
		for (const id of ["one", "two", "three"]) {
			const own = received.filter(({ body }) => body.id === id).map(({ body }) => body.sequence);
			expect(own).toEqual(own.toSorted((one, other) => one - other));
			expect(own).toHaveLength(6);
		}
	});
});

describe("a failed delivery", () => {
	test("is tried three times at once, then at growing pauses, and is abandoned after days", async () => {
		const { url, received } = receiving(() => new Response("down", { status: 503 }));
		const { id } = await hook(url);
		await provision("acme");
		await sending.run();
		expect(received).toHaveLength(3);
		expect(await deliveriesOf(id)).toMatchObject([{ status: "PENDING", attempts: [{ status: 503 }, {}, {}] }]);
		const begun = sending.clock.at;
		for (let looks = 0; looks < 20; looks += 1) {
			const [{ nextAttemptAt }] = await deliveriesOf(id);
			if (nextAttemptAt === null) break;
			sending.clock.at = Date.parse(nextAttemptAt) as never;
			await sending.run();
		}
		const [{ status, attempts }] = await deliveriesOf(id);
		expect(status).toBe("FAILED");
		expect(attempts).toHaveLength(13);
		const days = (sending.clock.at - begun) / (24 * 60 * 60 * 1000);
		expect(days).toBeGreaterThan(2.5);
		expect(days).toBeLessThan(4);
	});

	test("is sent again after a restart, and delivered events are not", async () => {
		let isDown = true;
		const { url, received } = receiving(() => new Response("", { status: isDown ? 500 : 204 }));
		await hook(url);
		await provision("acme");
		await sending.run();
		isDown = false;
		sending.restart();
		sending.clock.at = (sending.clock.at + 60_000) as never;
		await sending.run();
		expect(received).toHaveLength(4);
		sending.restart();
		await sending.run();
		expect(received).toHaveLength(4);
	});

	test("to an endpoint that hangs delays no other", async () => {
		const slow = receiving(() => new Promise<Response>(() => {}));
		const { url, received } = receiving();
		await hook(slow.url);
		await hook(url);
		for (let at = 0; at < 50; at += 1) await provision(`c-${at}`);
		for (let looks = 0; looks < 500 && received.length < 50; looks += 1) {
			sending.look();
			await Bun.sleep(2);
		}
		expect(received).toHaveLength(50);
		expect(slow.received.length).toBeLessThanOrEqual(8);
	});

	test("for five days disables the endpoint, and says so", async () => {
		const { url } = receiving(() => new Response("", { status: 500 }));
		const { id } = await hook(url);
		await provision("acme");
		await sending.run();
		sending.clock.at = (sending.clock.at + 5 * 24 * 60 * 60 * 1000) as never;
		await provision("other");
		await sending.run();
		expect((await ours.call("GET", `/webhooks/${id}`)).body.data.status).toBe("INACTIVE");
		const events = ours.db.$client
			.query("SELECT type, payload FROM outbox_events ORDER BY position DESC")
			.get() as never;
		expect(events).toMatchObject({ type: "webhook.disabled" });
	});
});

test("the sender may rest while no endpoint is ACTIVE, and not before pending deliveries are stored", async () => {
	const answer = Promise.withResolvers<Response>();
	const { url } = receiving(() => answer.promise);
	sending.look();
	expect(sending.mayRest()).toBe(true);
	const { id } = await hook(url);
	await provision("acme");
	sending.look();
	expect(sending.mayRest()).toBe(false);
	await ours.call("PATCH", `/webhooks/${id}`, { body: { status: "INACTIVE" } });
	sending.look();
	expect(sending.mayRest()).toBe(false);
	answer.resolve(new Response("ok"));
	await sending.run();
	expect(sending.mayRest()).toBe(true);
	expect(await deliveriesOf(id)).toMatchObject([{ status: "DELIVERED" }]);
});

test("sent events are deleted after the configured number of days; the sender starts for it though no endpoint is left", async () => {
	const { url } = receiving();
	const { id } = await hook(url);
	await provision("acme");
	await sending.run();
	const [delivery] = await deliveriesOf(id);
	const forgettable = (keepDays: number) =>
		ours.transactions.read(ours.actor, (work) => hasExpiredDeliveries(work, keepDays));
	const dayMs = 24 * 60 * 60 * 1000;
	const sentAt = sending.clock.at;
	const pass = (ms: number) => {
		ours.clock.at = (sentAt + ms) as never;
		sending.clock.at = ours.clock.at;
		sending.restart();
		sending.look();
	};
	pass(29 * dayMs);
	expect([forgettable(30), forgettable(28)]).toEqual([false, true]);
	expect(await deliveriesOf(id)).toMatchObject([{ id: delivery.id }]);
	await ours.call("DELETE", `/webhooks/${id}`);
	// Ids are made by the machine's clock, some milliseconds after the test's.
	pass(30 * dayMs + 60_000);
	expect(forgettable(30)).toBe(false);
	expect((await ours.call("GET", `/webhook-deliveries/${delivery.id}`)).status).toBe(404);
});

describe("replaying", () => {
	test("sends one once more, and all of some time, with their ids", async () => {
		const { url, received } = receiving();
		const { id } = await hook(url, { eventLogTypes: ["customer.created"] });
		const since = new Date(ours.clock.at).toISOString();
		for (const ref of ["one", "two", "three"]) await provision(ref);
		await ours.call("PATCH", "/customers/one", { body: { name: "One" } });
		await sending.run();
		const sent = received.map(({ body }) => body.messageId);
		expect(sent).toHaveLength(3);
		const [last] = await deliveriesOf(id);
		await ours.call("POST", `/webhooks/deliveries/${last.id}/replay`);
		await sending.run();
		expect(received.slice(3).map(({ body }) => body.messageId)).toEqual([last.messageId]);
		const answer = await ours.call("POST", `/webhooks/${id}/replay`, { body: { since } });
		expect(answer.status).toBe(200);
		await sending.run();
		expect(
			received
				.slice(4)
				.map(({ body }) => body.messageId)
				.toSorted(),
		).toEqual(sent.toSorted());
	});
});

describe("where it goes", () => {
	test("never to a private address, also where a name leads there, and no redirect is followed", async () => {
		const { url, received } = receiving();
		const redirecting = receiving(() => Response.redirect(url, 307));
		sending.close();
		sending = delivererOf(ours, { allowPrivate: false });
		const port = new URL(url).port;
		const direct = await hook(url);
		const named = await hook(`http://localhost:${port}/hook`);
		await provision("acme");
		await sending.run();
		expect(received).toHaveLength(0);
		for (const { id } of [direct, named]) {
			const [{ attempts }] = await deliveriesOf(id);
			expect(attempts[0]).toMatchObject({ status: null, error: expect.stringContaining("private network") });
		}
		sending.close();
		sending = delivererOf(ours);
		const { id } = await hook(redirecting.url, { eventLogTypes: ["customer.created"] });
		await provision("other");
		sending.look();
		await sending.run();
		expect((await deliveriesOf(id))[0].attempts[0]).toMatchObject({ status: 307 });
		expect(received.filter(({ body }) => body.id === "other" && body.type === "customer.created")).toHaveLength(2);
	});

	test("the answer is not decompressed: some kilobytes may be gigabytes", async () => {
		const packed = Bun.gzipSync("x".repeat(1024 * 1024));
		const { url, received } = receiving(() => new Response(packed, { headers: { "content-encoding": "gzip" } }));
		const { id } = await hook(url);
		await provision("acme");
		await sending.run();
		expect(received[0]?.headers.get("accept-encoding")).toBe("identity");
		expect((await deliveriesOf(id))[0].attempts[0]).toMatchObject({ status: 200, body: "", error: null });
	});

	test("an answer that is late is a failure", async () => {
		const slow = receiving(() => new Promise<Response>(() => {}));
		sending.close();
		sending = delivererOf(ours, { timeoutMs: 30 });
		const { id } = await hook(slow.url);
		await provision("acme");
		await sending.run();
		expect((await deliveriesOf(id))[0].attempts[0]).toMatchObject({
			status: null,
			error: expect.stringContaining("in time"),
		});
	});
});
