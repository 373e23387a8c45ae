import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { ask, codes, data, nodes } from "../../graphql/ask";
import { mutate } from "../../graphql/mutate";
import { type World, world } from "../../support/world";
import { delivererOf, receiver } from "./support";

let here: World;
let sending: ReturnType<typeof delivererOf>;
let receiving: ReturnType<typeof receiver>;

beforeEach(() => {
	here = world();
	sending = delivererOf(here);
	receiving = receiver();
});

afterEach(() => {
	receiving.stop();
	sending.close();
});

const fields =
	"id endpoint description eventLogTypes configuration formerSecretUntil sendsSecret status failingSince createdAt updatedAt";
const selection = `{ ${fields} secretKey }`;
const shown = async (id: string) => {
	const { secretKey: _, ...rest } = (await here.call("GET", `/webhooks/${id}`)).body.data;
	return rest;
};

async function step(name: string, input: object) {
	const { [name]: done } = (await mutate(here, name, input, { selection })).data;
	return done;
}

describe("webhooks", () => {
	test("are made, read, listed, changed, rotated and deleted, as REST shows them", async () => {
		const configuration = { "entitlement.usage_exceeded": { thresholds: [80] } };
		const input = { endpoint: receiving.url, eventLogTypes: ["customer.created"], configuration, sendsSecret: true };
		const { secretKey, ...made } = await step("createWebhook", input);
		const { id } = made;
		expect(secretKey).toStartWith("whsec_");
		expect(made).toEqual(await shown(id));
		expect(made).toMatchObject({ configuration, sendsSecret: true, status: "ACTIVE" });
		expect((await data(here, `{ webhook(id: "${id}") ${selection} }`)).webhook).toEqual({ ...made, secretKey: null });
		await step("createWebhook", { endpoint: receiving.url, status: "INACTIVE" });
		const active = await data(here, "{ webhooks(filter: { status: { eq: ACTIVE } }) { edges { node { id } } } }");
		expect(nodes<{ id: string }>(active.webhooks)).toEqual([{ id }]);
		const { secretKey: hidden, ...changed } = await step("updateWebhook", { id, description: "Orders" });
		expect([hidden, changed]).toEqual([null, await shown(id)]);
		const rotated = await step("rotateWebhookSecret", { id });
		expect(rotated.secretKey).toStartWith("whsec_");
		expect([rotated.secretKey === secretKey, rotated.formerSecretUntil === null]).toEqual([false, false]);
		await step("deleteWebhook", { id });
		expect((await here.call("GET", `/webhooks/${id}`)).status).toBe(404);
	});

	test("sent events are listed, read and sent once more", async () => {
		const { id } = await step("createWebhook", { endpoint: receiving.url, eventLogTypes: ["customer.created"] });
		const since = new Date(here.clock.at).toISOString();
		for (const customer of ["one", "two", "three"]) await here.call("POST", "/customers", { body: { id: customer } });
		await sending.run();
		const fields =
			"id webhookId messageId type sequence status nextAttemptAt createdAt attempts { at durationMs status body error }";
		const read = (paging: string) =>
			data(
				here,
				`{ webhookDeliveries(filter: { webhookId: { eq: "${id}" } }, paging: ${paging}) {
					edges { node { ${fields} } } pageInfo { hasNextPage endCursor } } }`,
			);
		const page = (await read("{ first: 2 }")).webhookDeliveries;
		const rest = (await read(`{ first: 2, after: "${page.pageInfo.endCursor}" }`)).webhookDeliveries;
		expect([page.pageInfo.hasNextPage, rest.pageInfo.hasNextPage]).toEqual([true, false]);
		const deliveries = [...nodes(page), ...nodes(rest)];
		expect(deliveries).toEqual((await here.call("GET", `/webhooks/${id}/deliveries`)).body.data);
		const [newest] = deliveries as [{ id: string; messageId: string }];
		expect((await data(here, `{ webhookDelivery(id: "${newest.id}") { ${fields} } }`)).webhookDelivery).toEqual(newest);
		await mutate(here, "replayWebhookDelivery", { id: newest.id });
		await sending.run();
		expect(receiving.received.filter(({ body }) => body.messageId === newest.messageId)).toHaveLength(2);
		const { replayWebhook } = (
			await mutate(here, "replayWebhook", { id, since }, { selection: "{ firstSequence lastSequence }" })
		).data;
		expect(replayWebhook).toEqual({ firstSequence: expect.any(Number), lastSequence: expect.any(Number) });
		await sending.run();
		expect(receiving.received).toHaveLength(7);
	});

	test("a test is sent at once, and answers what was said", async () => {
		const { id } = await step("createWebhook", { endpoint: receiving.url });
		const answer = await mutate(here, "testWebhook", { id }, { selection: "{ status body error }" });
		expect(answer.data.testWebhook).toEqual({ status: 200, body: "ok", error: null });
		expect(receiving.received.map(({ body }) => body.type)).toEqual(["webhook.test"]);
		expect(codes(await mutate(here, "testWebhook", { id: "none" }, { selection: "{ status }" }))).toHaveLength(1);
	});

	test("the types of events are REST's", async () => {
		const { webhookEventTypes } = await data(here, "{ webhookEventTypes { type description schema example } }");
		expect(webhookEventTypes).toEqual((await here.call("GET", "/webhooks/event-types")).body.data);
	});

	test("a secret is not kept under an Idempotency-Key", async () => {
		const query = `mutation { createWebhook(input: { endpoint: "${receiving.url}" }) { secretKey } }`;
		const send = () => here.call("POST", "/graphql", { body: { query }, headers: { "idempotency-key": "once" } });
		const { secretKey } = (await send()).body.data.createWebhook;
		expect((await send()).body.data.createWebhook.secretKey).not.toBe(secretKey);
		expect(JSON.stringify(here.db.$client.query("SELECT * FROM idempotency_keys").all())).not.toContain(secretKey);
	});
});

describe("refusals", () => {
	const everyMutation: Readonly<Record<string, (id: string) => object>> = {
		updateWebhook: (id) => ({ id, description: "x" }),
		deleteWebhook: (id) => ({ id }),
		rotateWebhookSecret: (id) => ({ id }),
		testWebhook: (id) => ({ id }),
		replayWebhook: (id) => ({ id, since: "2026-01-01T00:00:00Z" }),
	};

	test("bad input reads as in REST", async () => {
		const create = async (input: object, key = here.key) => codes(await mutate(here, "createWebhook", input, { key }));
		expect(await create({ endpoint: "ftp://example.com" })).toEqual(["BadUserInput"]);
		expect(await create({ endpoint: "" })).toEqual(["BadUserInput"]);
		expect(await create({ endpoint: `https://example.com/${"x".repeat(3000)}` })).toEqual(["BadUserInput"]);
		expect(await create({ endpoint: receiving.url, eventLogTypes: ["customerXcreated"] })).toEqual(["BadUserInput"]);
		expect(await create({ endpoint: receiving.url, configuration: { nothing: 1 } })).toEqual(["BadUserInput"]);
		expect(await create({ endpoint: 1 })).toEqual(["BadUserInput"]);
		expect(await create({})).toEqual(["BadUserInput"]);
		expect(await create({ endpoint: receiving.url }, here.scopedKey("WEBHOOK:READ"))).toEqual(["AccessDeniedError"]);
	});

	for (const [name, input] of Object.entries(everyMutation))
		test(`${name}: another environment's key, no scope, an unknown one`, async () => {
			const { id } = await step("createWebhook", { endpoint: receiving.url });
			const refused = async (of: string, key: string) => codes(await mutate(here, name, input(of), { key }));
			expect(await refused(id, here.foreignKey)).toHaveLength(1);
			expect(await refused("none", here.key)).toHaveLength(1);
			expect(await refused(id, here.scopedKey("WEBHOOK:READ"))).toEqual(["AccessDeniedError"]);
			expect(await shown(id)).toMatchObject({ description: null, formerSecretUntil: null });
		});

	test("reads need their scope and show one environment", async () => {
		const { id } = await step("createWebhook", { endpoint: receiving.url });
		const query = `{ webhook(id: "${id}") { endpoint } }`;
		expect(codes(await ask(here, query, undefined, { key: here.scopedKey("CUSTOMER:READ") }))).toEqual([
			"AccessDeniedError",
		]);
		expect(codes(await ask(here, query, undefined, { key: here.foreignKey }))).toHaveLength(1);
		const list = "{ webhooks { edges { node { id } } } webhookDeliveries { edges { node { id } } } }";
		expect(await data(here, list, undefined, { key: here.foreignKey })).toEqual({
			webhooks: { edges: [] },
			webhookDeliveries: { edges: [] },
		});
	});
});
