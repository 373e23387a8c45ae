import { describe, expect, test } from "bun:test";
import { type Scope, systemActor } from "../../../src/areas/access/rules.actors";
import { type Answer, type CallOptions, type World, world } from "../../support/world";

const read = [{ resource: "CUSTOMER", action: "READ" }];
const day = 24 * 60 * 60 * 1000;

const make = async (w: World, given: object = {}, options: CallOptions = {}): Promise<Answer> =>
	w.call("POST", "/api-keys", { body: { displayName: "Reports", scopes: read, ...given }, ...options });

const made = async (w: World, given: object = {}) => (await make(w, given)).body.data;

const listed = async (w: World, query = ""): Promise<Answer["body"]> =>
	(await w.call("GET", `/api-keys${query}`)).body.data;

const defaultKey = async (w: World, keyType: "SERVER" | "CLIENT") => (await listed(w, `?keyType=${keyType}`))[0];

const statusWith = async (w: World, key: string, options: CallOptions = {}): Promise<number> =>
	(await w.call("GET", "/customers", { key, ...options })).status;

describe("a new key", () => {
	test("works at once, within its scopes; its secret is in this answer and nowhere else", async () => {
		const w = world();
		const { status, body } = await make(w, { description: "Nightly" });
		const { token, ...key } = body.data;
		expect([status, key]).toEqual([
			201,
			{
				id: expect.any(String),
				...{ displayName: "Reports", description: "Nightly", environmentId: w.environmentId, keyType: "SCOPED" },
				...{ prefix: token.slice(0, 13), scopes: read, allowedAddresses: [], allowedOrigins: null, status: "ACTIVE" },
				...{ expireAt: null, lastUsedAt: null, createdAt: "2026-01-31T00:00:00.000Z" },
			},
		]);
		expect(await statusWith(w, token)).toBe(200);
		expect((await w.call("GET", "/coupons", { key: token })).status).toBe(403);
		expect((await w.call("GET", `/api-keys/${key.id}`)).body.data).toEqual(key);
		expect(JSON.stringify(w.db.$client.query("SELECT * FROM api_keys").all())).not.toContain(token);
	});

	test("is answered again under its Idempotency-Key, without its secret, which is not kept there either", async () => {
		const w = world();
		const headers = { "idempotency-key": "once" };
		const first = await make(w, {}, { headers });
		const again = await make(w, {}, { headers });
		const { token } = first.body.data;
		expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([201, "true"]);
		expect(again.body.data).toEqual({ ...first.body.data, token: `${token.slice(0, 13)}…` });
		expect(JSON.stringify(w.db.$client.query("SELECT * FROM idempotency_keys").all())).not.toContain(token);
	});

	test("ends when it says", async () => {
		const w = world();
		const { token } = await made(w, { expireAt: "2026-02-01T00:00:00Z" });
		expect(await statusWith(w, token)).toBe(200);
		w.clock.at = (w.clock.at + day) as typeof w.clock.at;
		expect(await statusWith(w, token)).toBe(401);
		expect((await listed(w)).map(({ displayName }: { displayName: string }) => displayName)).not.toContain("Reports");
		expect((await listed(w, "?status=EXPIRED"))[0].displayName).toBe("Reports");
	});

	test.each<[string, object]>([
		["an end that is past", { expireAt: "2026-01-30T00:00:00Z" }],
		["no scope", { scopes: [] }],
		["a scope that there is not", { scopes: [{ resource: "MOON", action: "READ" }] }],
		["an action that there is not", { scopes: [{ resource: "CUSTOMER", action: "DELETE" }] }],
		["an address that is none", { allowedAddresses: ["10.0.0.0/40"] }],
		["another kind", { keyType: "SERVER" }],
	])("%s: 400", async (_, given) => {
		expect(await make(world(), given)).toMatchObject({ status: 400, body: { code: "BadUserInput" } });
	});
});

describe("nobody grants what it lacks", () => {
	const manager = (w: World, ...more: Scope[]): string => w.scopedKey("API_KEY:WRITE", ...more);
	const denied = { status: 403, body: { code: "AccessDeniedError" } };

	test("a scoped key makes keys within its own scopes; WRITE gives READ too", async () => {
		const w = world();
		const key = manager(w, "CUSTOMER:WRITE");
		expect((await make(w, {}, { key })).status).toBe(201);
		const scopes = [{ resource: "COUPON", action: "READ" }];
		expect(await make(w, { scopes }, { key })).toMatchObject(denied);
		expect(
			await make(w, { scopes: [{ resource: "CUSTOMER", action: "WRITE" }] }, { key: manager(w, "CUSTOMER:READ") }),
		).toMatchObject(denied);
	});

	test("it neither rotates nor changes a key that may more, but ends it", async () => {
		const w = world();
		const key = manager(w);
		const { id } = await made(w);
		const full = await defaultKey(w, "SERVER");
		for (const target of [id, full.id]) {
			expect(await w.call("POST", `/api-keys/${target}/rotate`, { key, body: {} })).toMatchObject(denied);
			expect(await w.call("PATCH", `/api-keys/${target}`, { key, body: { allowedAddresses: [] } })).toMatchObject(
				denied,
			);
		}
		const own = [{ resource: "API_KEY", action: "READ" }];
		const { id: lesser } = await made(w, { scopes: own });
		expect(await w.call("PATCH", `/api-keys/${lesser}`, { key, body: { scopes: read } })).toMatchObject(denied);
		expect((await w.call("DELETE", `/api-keys/${id}`, { key })).body.data.status).toBe("EXPIRED");
	});
});

describe("a key grants within its own end and addresses", () => {
	const denied = { status: 403, body: { code: "AccessDeniedError" } };
	const manages = [
		{ resource: "API_KEY", action: "WRITE" },
		{ resource: "CUSTOMER", action: "READ" },
	];
	const soon = "2026-01-31T01:00:00.000Z";
	const later = "2026-03-01T00:00:00.000Z";

	test("a key that ends creates only keys that end by then, and cannot postpone its own end", async () => {
		const w = world();
		const own = await made(w, { scopes: manages, expireAt: soon });
		const key = own.token;
		for (const expireAt of [undefined, null, later]) expect(await make(w, { expireAt }, { key })).toMatchObject(denied);
		expect((await make(w, { expireAt: soon }, { key })).body.data).toMatchObject({ expireAt: soon });
		for (const expireAt of [null, later])
			expect(await w.call("PATCH", `/api-keys/${own.id}`, { key, body: { expireAt } })).toMatchObject(denied);
		const sooner = "2026-01-31T00:30:00.000Z";
		expect((await w.call("PATCH", `/api-keys/${own.id}`, { key, body: { expireAt: sooner } })).status).toBe(200);
	});

	test("a key that ends neither changes nor rotates one that ends later; a full-access key in its grace included", async () => {
		const w = world();
		const { token: scoped } = await made(w, { scopes: manages, expireAt: soon });
		const { id: lasting } = await made(w);
		const full = await defaultKey(w, "SERVER");
		const { newApiKey } = (
			await w.call("POST", `/api-keys/${full.id}/rotate`, { body: { keepUntil: "2026-02-01T00:00:00Z" } })
		).body.data;
		for (const [key, id] of [
			[scoped, lasting],
			[w.key, lasting],
			[w.key, newApiKey.id],
		]) {
			expect(await w.call("POST", `/api-keys/${id}/rotate`, { key, body: {} })).toMatchObject(denied);
			expect(await w.call("PATCH", `/api-keys/${id}`, { key, body: { displayName: "Mine" } })).toMatchObject(denied);
		}
		expect(await make(w)).toMatchObject(denied);
		const rotated = await w.call("POST", `/api-keys/${lasting}/rotate`, { key: newApiKey.token, body: {} });
		expect(rotated.status).toBe(200);
	});

	test.each<[string, string[] | undefined, number]>([
		["no addresses", undefined, 403],
		["an empty list", [], 403],
		["the whole internet", ["0.0.0.0/0"], 403],
		["a wider network", ["10.0.0.0/7"], 403],
		["another network", ["11.0.0.0/8"], 403],
		["one inside, one outside", ["10.1.0.0/16", "192.0.2.1"], 403],
		["the same range as IPv6", ["::ffff:10.0.0.0/104"], 403],
		["the same network", ["10.0.0.0/8"], 201],
		["a narrower one, and an address", ["10.1.0.0/16", "10.2.3.4", "2001:db8::7"], 201],
	])("a key bound to addresses grants only keys within them: %s", async (_, allowedAddresses, status) => {
		const w = world();
		const own = await made(w, { scopes: manages, allowedAddresses: ["10.0.0.0/8", "2001:db8::/64"] });
		const from = { key: own.token, address: "10.2.3.4" };
		const body = allowedAddresses && { allowedAddresses };
		expect((await make(w, body, from)).status).toBe(status);
		if (body)
			expect((await w.call("PATCH", `/api-keys/${own.id}`, { ...from, body })).status).toBe(
				status === 201 ? 200 : status,
			);
		const { id: unbound } = await made(w);
		expect(await w.call("POST", `/api-keys/${unbound}/rotate`, { ...from, body: {} })).toMatchObject(denied);
		const rotated = await w.call("POST", `/api-keys/${own.id}/rotate`, { ...from, body: {} });
		expect(rotated.status).toBe(200);
	});

	test("the allowed origins are the environment's: they need ENVIRONMENT:WRITE too", async () => {
		const w = world();
		const { id } = await defaultKey(w, "CLIENT");
		const body = { allowedOrigins: ["https://app.example.com"] };
		const change = (key: string) => w.call("PATCH", `/api-keys/${id}`, { key, body });
		expect(await change(w.scopedKey("API_KEY:WRITE", "ENVIRONMENT:READ"))).toMatchObject(denied);
		expect((await w.call("GET", "/environments/current")).body.data.allowedOrigins).toEqual([]);
		expect((await change(w.scopedKey("API_KEY:WRITE", "ENVIRONMENT:WRITE"))).status).toBe(200);
	});
});

describe("a rotation", () => {
	test("replaces a key in use without an outage: both secrets work, then only the new one", async () => {
		const w = world();
		const { id, token } = await made(w, { allowedAddresses: ["0.0.0.0/0"] });
		const { body } = await w.call("POST", `/api-keys/${id}/rotate`, { body: { keepUntil: "2026-02-01T00:00:00Z" } });
		const { newApiKey, oldApiKey } = body.data;
		expect(oldApiKey).toMatchObject({ id, status: "EXPIRING", expireAt: "2026-02-01T00:00:00.000Z" });
		expect(newApiKey).toMatchObject({ scopes: read, status: "ACTIVE", allowedAddresses: ["0.0.0.0/0"] });
		const address = "192.0.2.1";
		expect(await statusWith(w, token, { address })).toBe(200);
		expect(await statusWith(w, newApiKey.token, { address })).toBe(200);
		w.clock.at = (w.clock.at + day) as typeof w.clock.at;
		expect(await statusWith(w, token, { address })).toBe(401);
		expect(await statusWith(w, newApiKey.token, { address })).toBe(200);
	});

	test("ends the old secret at once where no time is named, and a default key has its heir", async () => {
		const w = world();
		const full = await defaultKey(w, "SERVER");
		const { body } = await w.call("POST", `/api-keys/${full.id}/rotate`, { body: {} });
		expect(await statusWith(w, w.key)).toBe(401);
		const key = body.data.newApiKey.token;
		expect((await w.call("GET", "/api-keys?keyType=SERVER", { key })).body.data).toHaveLength(1);
	});

	test("keeps the end that a key has, and the grace never outlives it", async () => {
		const w = world();
		const { id } = await made(w, { expireAt: "2026-03-01T00:00:00Z" });
		const { body } = await w.call("POST", `/api-keys/${id}/rotate`, { body: { keepUntil: "2026-06-01T00:00:00Z" } });
		expect([body.data.newApiKey.expireAt, body.data.oldApiKey.expireAt]).toEqual([
			"2026-03-01T00:00:00.000Z",
			"2026-03-01T00:00:00.000Z",
		]);
	});

	test("is refused twice, after the end, into the past and beyond a year", async () => {
		const w = world();
		const { id } = await made(w);
		const rotate = (keepUntil?: string) =>
			w.call("POST", `/api-keys/${id}/rotate`, { body: keepUntil === undefined ? {} : { keepUntil } });
		expect(await rotate("2026-01-30T00:00:00Z")).toMatchObject({ status: 400, body: { code: "BadUserInput" } });
		expect(await rotate("2027-02-05T00:00:00Z")).toMatchObject({ status: 400, body: { code: "BadUserInput" } });
		await rotate("2026-02-01T00:00:00Z");
		expect(await rotate()).toMatchObject({ status: 400, body: { code: "ApiKeyHasExpiry" } });
		await w.call("DELETE", `/api-keys/${id}`);
		expect(await rotate()).toMatchObject({ status: 400, body: { code: "ApiKeyExpired" } });
	});
});

describe("ending a key", () => {
	test("takes effect at once, once; a default key is refused", async () => {
		const w = world();
		const { id, token } = await made(w);
		expect((await w.call("DELETE", `/api-keys/${id}`)).body.data.status).toBe("EXPIRED");
		expect(await statusWith(w, token)).toBe(401);
		expect(await w.call("DELETE", `/api-keys/${id}`)).toMatchObject({ body: { code: "ApiKeyExpired" } });
		const full = await defaultKey(w, "SERVER");
		expect(await w.call("DELETE", `/api-keys/${full.id}`)).toMatchObject({ body: { code: "BadUserInput" } });
	});
});

describe("changes", () => {
	test("to scopes, expiry and name apply from the next call on", async () => {
		const w = world();
		const { id, token } = await made(w);
		const scopes = [{ resource: "COUPON", action: "WRITE" }];
		const body = { displayName: "Coupons", description: null, scopes, expireAt: "2026-03-01T00:00:00Z" };
		expect((await w.call("PATCH", `/api-keys/${id}`, { body })).body.data).toMatchObject({
			...{ displayName: "Coupons", scopes, status: "EXPIRING", expireAt: "2026-03-01T00:00:00.000Z" },
		});
		expect(await statusWith(w, token)).toBe(403);
		expect((await w.call("GET", "/coupons", { key: token })).status).toBe(200);
		expect((await w.call("PATCH", `/api-keys/${id}`, { body: { expireAt: null } })).body.data.expireAt).toBeNull();
	});

	test.each<[string, "SERVER" | "CLIENT", object]>([
		["scopes of the full-access key", "SERVER", { scopes: read }],
		["an end of the full-access key", "SERVER", { expireAt: "2026-03-01T00:00:00Z" }],
		["origins of the full-access key", "SERVER", { allowedOrigins: [] }],
		["scopes of the publishable key", "CLIENT", { scopes: read }],
		["addresses of the publishable key", "CLIENT", { allowedAddresses: ["192.0.2.1"] }],
		["an origin that is none", "CLIENT", { allowedOrigins: ["https://a.example/path"] }],
	])("%s: 400", async (_, keyType, body) => {
		const w = world();
		const { id } = await defaultKey(w, keyType);
		expect(await w.call("PATCH", `/api-keys/${id}`, { body })).toMatchObject({
			status: 400,
			body: { code: "BadUserInput" },
		});
	});

	test("the publishable key's origins may read its answers", async () => {
		const w = world();
		const { id } = await defaultKey(w, "CLIENT");
		const origin = "https://app.example.com";
		const body = { allowedOrigins: [origin] };
		expect((await w.call("PATCH", `/api-keys/${id}`, { body })).body.data.allowedOrigins).toEqual([origin]);
		const answer = await w.call("GET", "/plans", { key: w.publishableKey, headers: { origin } });
		expect(answer.headers.get("access-control-allow-origin")).toBe(origin);
		const preflight = await w.call("OPTIONS", "/plans", {
			...{ key: "", headers: { origin, "access-control-request-method": "GET" } },
		});
		expect([preflight.status, preflight.headers.get("access-control-allow-methods")]).toEqual([204, "GET"]);
		const write = { origin, "access-control-request-method": "POST" };
		const refused = await w.call("OPTIONS", "/api-keys", { key: "", headers: write });
		expect(refused.headers.get("access-control-allow-origin")).toBeNull();
	});
});

describe("allowed addresses", () => {
	test.each<[string, string | undefined, number]>([
		["within a network", "10.1.2.3", 200],
		["the same as IPv6", "::ffff:10.1.2.3", 200],
		["an address", "2001:db8::1", 200],
		["its neighbour", "2001:db8::2", 403],
		["elsewhere", "192.0.2.7", 403],
		["from nowhere that is known", undefined, 403],
	])("%s", async (_, address, status) => {
		const w = world();
		const { token } = await made(w, { allowedAddresses: ["10.0.0.0/8", "2001:db8::1"] });
		const options = address === undefined ? {} : { address };
		// Twice: what was answered once is not answered ahead of the check.
		for (let time = 0; time < 2; time += 1) expect(await statusWith(w, token, options)).toBe(status);
		const asked = { key: token, body: { query: "{ __typename }" }, ...options };
		expect((await w.call("POST", "/graphql", asked)).status).toBe(status);
		if (status === 403)
			expect((await w.call("GET", "/customers", { key: token, ...options })).body.code).toBe("IdentityForbidden");
	});
});

describe("lists", () => {
	test("find by name, kind and status, and page", async () => {
		const w = world();
		for (const displayName of ["Alpha", "Beta", "Alphabet"]) await made(w, { displayName });
		const names = async (query: string): Promise<string[]> =>
			(await listed(w, query)).map(({ displayName }: { displayName: string }) => displayName);
		expect(await names("")).toEqual(["Alphabet", "Beta", "Alpha", "Publishable", "Full access"]);
		expect(await names("?displayName=aLPHA")).toEqual(["Alphabet", "Alpha"]);
		expect(await names("?displayName=%25")).toEqual([]);
		expect(await names("?keyType=CLIENT,SERVER")).toEqual(["Publishable", "Full access"]);
		expect(await names("?status=EXPIRED")).toEqual([]);
		const first = await w.call("GET", "/api-keys?limit=2");
		expect(await names(`?limit=2&after=${first.body.pagination.next}`)).toEqual(["Alpha", "Publishable"]);
	});

	test("show nothing of another environment, whose keys are not found", async () => {
		const w = world();
		const { id } = await made(w);
		const { body } = await w.call("GET", "/api-keys", { key: w.foreignKey });
		expect(body.data.map(({ environmentId }: { environmentId: string }) => environmentId)).toEqual([
			w.foreignEnvironmentId,
			w.foreignEnvironmentId,
		]);
		for (const [method, path, sent] of [
			["GET", "", undefined],
			["PATCH", "", {}],
			["DELETE", "", undefined],
			["POST", "/rotate", {}],
		] as const)
			expect(await w.call(method, `/api-keys/${id}${path}`, { key: w.foreignKey, body: sent })).toMatchObject({
				...{ status: 404, body: { code: "ApiKeyNotFound" } },
			});
		expect((await w.call("GET", `/api-keys?after=${id}`, { key: w.foreignKey })).status).toBe(400);
	});
});

test("the last use is recorded apart from the calls, and evicts no cached answers", async () => {
	const w = world();
	const { id, token } = await made(w);
	await statusWith(w, token);
	await statusWith(w, token);
	const used = w.services.authenticator.takeUsed();
	expect(used).toContain(id);
	const epoch = w.transactions.epoch();
	await w.services.write(systemActor(""), "noteKeyUses", [...used, "a key that is gone"]);
	expect(w.transactions.epoch()).toBe(epoch);
	expect((await w.call("GET", `/api-keys/${id}`)).body.data.lastUsedAt).toBe("2026-01-31T00:00:00.000Z");
	expect(w.services.authenticator.takeUsed()).not.toContain(id);
});
