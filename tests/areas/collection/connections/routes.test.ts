import { describe, expect, test } from "bun:test";
import { type Credentials, ProviderError } from "../../../../src/areas/collection/providers/provider";
import { type Answer, type CallOptions, type World, world } from "../../../support/world";
import { accepting, collecting, collectorOf, scripted } from "../scripted";

const body = { kind: "STRIPE", name: "Cards", mode: "TEST", secretKey: "sk_test_4242" };
const path = "/provider-connections";

/** Calls a route while the collector works. */
const call = (
	w: World,
	method: string,
	target: string,
	options: CallOptions = {},
	open: ReturnType<typeof scripted> = accepting(),
): Promise<Answer> => collecting(collectorOf(w, open), w.call(method, target, options));

const connected = async (w: World): Promise<string> => (await call(w, "POST", path, { body })).body.data.id;

/** Everything that main.db stores, as text. */
const stored = (w: World): string =>
	w.db.$client
		.query<{ name: string }, []>("SELECT name FROM main.sqlite_schema WHERE type = 'table'")
		.all()
		.map(({ name }) => JSON.stringify(w.db.$client.query(`SELECT * FROM main."${name}"`).all()))
		.join("\n");

describe("a connection", () => {
	test("is stored after the provider has accepted the credentials, and shows no secret", async () => {
		const w = world();
		const seen: Credentials[] = [];
		const answer = await call(w, "POST", path, { body }, accepting(seen));
		expect(answer.status).toBe(201);
		const { id, createdAt, updatedAt, ...rest } = answer.body.data;
		expect(rest).toEqual({
			...{ kind: "STRIPE", name: "Cards", mode: "TEST", account: "Acme Payments", legalEntityId: null },
			...{
				status: "ACTIVE",
				eventsPath: `/api/v1${path}/${id}/events`,
				hasWebhookSecret: false,
				formerWebhookSecretUntil: null,
			},
		});
		expect(createdAt).toBe(updatedAt);
		expect(seen).toEqual([{ secretKey: "sk_test_4242", baseUrl: null }]);
		expect((await w.call("GET", path)).body.data).toEqual([answer.body.data]);
		expect((await w.call("GET", `${path}/${id}`)).body.data).toEqual(answer.body.data);
	});

	test("is nowhere stored in plain text, also not in the audit log", async () => {
		const w = world();
		await connected(w);
		const text = stored(w);
		expect(text).toContain("Acme Payments");
		expect(text).not.toContain("sk_test_4242");
		const sealed = w.db.$client
			.query<{ secret: string }, []>("SELECT sealed_secret AS secret FROM provider_connections")
			.get();
		const log = JSON.stringify((await w.call("GET", "/audit-log?entityType=ProviderConnection")).body.data);
		expect(log).toContain("Acme Payments");
		expect(log).not.toContain(sealed?.secret ?? "?");
	});

	test("names the caller, not the collector, in the audit log", async () => {
		const w = world();
		await connected(w);
		const [entry] = (await w.call("GET", "/audit-log?entityType=ProviderConnection")).body.data;
		expect(entry.actor.type).toBe("APP_SERVER");
	});

	test("is not stored if the provider rejects the credentials", async () => {
		const w = world();
		const refuses = scripted({
			verify: async () => {
				throw new ProviderError("CREDENTIALS", "Invalid API Key provided");
			},
		});
		const answer = await call(w, "POST", path, { body }, refuses);
		expect(answer.status).toBe(400);
		expect(answer.body.code).toBe("PaymentProviderError");
		expect(answer.body.message).toBe(
			"The provider rejects 'secretKey': Invalid API Key provided. Nothing was stored; send a valid key.",
		);
		expect((await w.call("GET", path)).body.data).toEqual([]);
		expect(w.db.$client.query("SELECT request, due_at FROM provider_calls").all()).toEqual([
			{ request: null, due_at: null },
		]);
	});

	test("is not stored if the provider does not answer, or if the key has the other mode", async () => {
		const w = world();
		const silent = await call(w, "POST", path, { body }, scripted({}));
		expect([silent.status, silent.body.code]).toEqual([400, "PaymentProviderError"]);
		const live = scripted({ verify: async () => ({ account: "Acme", live: true }) });
		const answer = await call(w, "POST", path, { body }, live);
		expect(answer.body.message).toBe("'secretKey' is a LIVE key of 'Acme'; state that 'mode', or send the other key.");
		expect((await w.call("GET", path)).body.data).toEqual([]);
	});

	test.each([
		[{ ...body, mode: "LIVE" }, 400, "InvalidArgumentError"],
		[{ ...body, kind: "BANK" }, 400, "BadUserInput"],
		[{ ...body, kind: 1 }, 400, "BadUserInput"],
		[{ ...body, secretKey: undefined }, 400, "BadUserInput"],
		[{ ...body, secretKey: "two words" }, 400, "BadUserInput"],
		[{ ...body, secretKey: "x".repeat(1025) }, 400, "BadUserInput"],
		[{ ...body, name: "" }, 400, "BadUserInput"],
		[{ ...body, unknown: true }, 400, "BadUserInput"],
		[{ ...body, legalEntityId: "nobody" }, 400, "InvalidArgumentError"],
		[{ ...body, baseUrl: "ftp://127.0.0.1" }, 400, "InvalidArgumentError"],
		[{ ...body, mode: "LIVE", baseUrl: "http://127.0.0.1:1" }, 400, "InvalidArgumentError"],
	])("rejects %o before it calls the provider", async (sent, status, code) => {
		const w = world();
		const seen: Credentials[] = [];
		const answer = await call(w, "POST", path, { body: sent }, accepting(seen));
		expect([answer.status, answer.body.code]).toEqual([status, code]);
		expect(seen).toEqual([]);
		expect(w.db.$client.query("SELECT * FROM provider_calls").all()).toEqual([]);
	});

	test("does not exist for another environment, and needs its scope", async () => {
		const w = world();
		const id = await connected(w);
		for (const [method, target, sent] of [
			["GET", `${path}/${id}`, undefined],
			["PATCH", `${path}/${id}`, { name: "Mine" }],
			["POST", `${path}/${id}/archive`, undefined],
		] as const) {
			const answer = await w.call(method, target, { key: w.foreignKey, ...(sent && { body: sent }) });
			expect([answer.status, answer.body.code]).toEqual([404, "IntegrationNotFound"]);
		}
		const reader = w.scopedKey("ENVIRONMENT:READ");
		expect((await w.call("GET", `${path}/${id}`, { key: reader })).status).toBe(200);
		expect((await w.call("POST", path, { key: reader, body })).status).toBe(403);
		expect((await w.call("GET", path, { key: w.scopedKey("INVOICE:READ") })).status).toBe(403);
	});

	test("changes its name without a call, and its key with one", async () => {
		const w = world();
		const id = await connected(w);
		const seen: Credentials[] = [];
		const renamed = await call(w, "PATCH", `${path}/${id}`, { body: { name: "Wallets" } }, accepting(seen));
		expect([renamed.status, renamed.body.data.name, seen.length]).toEqual([200, "Wallets", 0]);
		const keyed = await call(w, "PATCH", `${path}/${id}`, { body: { secretKey: "sk_test_9" } }, accepting(seen));
		expect([keyed.status, seen]).toEqual([200, [{ secretKey: "sk_test_9", baseUrl: null }]]);
	});

	test("keeps the former key if the provider rejects the new one", async () => {
		const w = world();
		const id = await connected(w);
		const before = w.db.$client.query("SELECT * FROM provider_connections").all();
		const answer = await call(w, "PATCH", `${path}/${id}`, { body: { secretKey: "sk_test_9" } }, scripted({}));
		expect(answer.status).toBe(400);
		expect(w.db.$client.query("SELECT * FROM provider_connections").all()).toEqual(before);
	});

	test("seals the secret of events, and shows it nowhere", async () => {
		const w = world();
		const webhookSecret = "whsec_two";
		const made = await call(w, "POST", path, { body: { ...body, webhookSecret } });
		expect(made.body.data).toMatchObject({ hasWebhookSecret: true, formerWebhookSecretUntil: null });
		const changed = await call(w, "PATCH", `${path}/${made.body.data.id}`, { body: { webhookSecret: "whsec_three" } });
		expect(changed.body.data.formerWebhookSecretUntil).toBe("2026-02-01T00:00:00.000Z");
		expect(stored(w)).not.toMatch(/whsec_/);
	});

	test("is archived once, and then changes no more", async () => {
		const w = world();
		const id = await connected(w);
		const archived = await w.call("POST", `${path}/${id}/archive`);
		expect(archived.body.data.status).toBe("ARCHIVED");
		expect((await w.call("POST", `${path}/${id}/archive`)).body.data).toEqual(archived.body.data);
		const answer = await w.call("PATCH", `${path}/${id}`, { body: { name: "Again" } });
		expect([answer.status, answer.body.code]).toEqual([400, "EntityIsArchivedError"]);
		expect((await w.call("GET", `${path}?status=ACTIVE`)).body.data).toEqual([]);
	});

	test("is made once for a repeated Idempotency-Key", async () => {
		const w = world();
		const options = { body, headers: { "idempotency-key": "one" } };
		const first = await call(w, "POST", path, options);
		const again = await call(w, "POST", path, options);
		expect([first.status, again.status, again.body]).toEqual([201, 201, first.body]);
		expect((await w.call("GET", path)).body.data).toHaveLength(1);
	});

	test("is limited to twenty", async () => {
		const w = world();
		for (let n = 0; n < 20; n += 1) await connected(w);
		const answer = await call(w, "POST", path, { body });
		expect([answer.status, answer.body.code]).toEqual([400, "BadUserInput"]);
	});
});
