import { describe, expect, spyOn, test } from "bun:test";
import type { BuiltInRole as Role } from "../../../src/areas/access/members/rules";
import { addEnvironment, changeEnvironment, createUser } from "../../../src/areas/access/operations";
import { systemActor } from "../../../src/areas/access/rules.actors";
import { signCustomer, signingSecret } from "../../../src/areas/access/rules.secrets";
import { folderSecret, type World, world } from "../../support/world";

const password = "a long pass phrase";
// Hashed once: argon2id takes its time on purpose.
const passwordHash = await Bun.password.hash(password, { algorithm: "argon2id", memoryCost: 1024, timeCost: 1 });

function addUser({ transactions, actor }: World, role: Role = "MEMBER"): void {
	transactions.write(systemActor(""), (work) =>
		createUser(work, { email: "Ada@example.com", name: "Ada", passwordHash, accountId: actor.accountId, role }),
	);
}

const login = (w: World, body: unknown) => w.call("POST", "/auth/login", { key: "", body });

async function bearer(w: World): Promise<Record<string, string>> {
	const { body } = await login(w, { email: "ada@example.com", password });
	return { authorization: `Bearer ${body.data.token}` };
}

describe("POST /auth/login", () => {
	test("gives a token for twelve hours, which is kept only as a hash", async () => {
		const w = world();
		addUser(w);
		const { status, body } = await login(w, { email: "ADA@example.com", password });
		expect(status).toBe(200);
		expect(body.data.expiresAt).toBe("2026-01-31T12:00:00.000Z");
		const kept = JSON.stringify(w.db.$client.query("SELECT * FROM sessions").all());
		expect(kept).not.toContain(body.data.token);
	});

	test.each([
		["a wrong password", { email: "ada@example.com", password: "wrong" }, 401],
		["an unknown user", { email: "eve@example.com", password }, 401],
		["no password", { email: "ada@example.com" }, 400],
		["no email address", { email: "ada", password }, 400],
		["an unknown key", { email: "ada@example.com", password, remember: true }, 400],
		["malformed JSON", "{", 400],
	])("%s", async (_, sent, status) => {
		const w = world();
		addUser(w);
		const answer = await login(w, sent);
		expect(answer.status).toBe(status);
		expect(answer.body).toEqual({
			message: expect.any(String),
			code: status === 401 ? "Unauthenticated" : "BadUserInput",
		});
	});

	test("ten wrong passwords from one address pause the account there, and not for its owner elsewhere", async () => {
		const w = world();
		addUser(w);
		const from = (address: string, secret: string) =>
			w.call("POST", "/auth/login", { key: "", body: { email: "Ada@Example.com", password: secret }, address });
		for (let at = 0; at < 10; at += 1) expect((await from("198.51.100.1", "wrong")).status).toBe(401);
		expect((await from("198.51.100.1", password)).status).toBe(429);
		expect((await from("198.51.100.2", password)).status).toBe(200);
	});

	test("ten wrong passwords in ten minutes pause who sent them, even for the right one", async () => {
		const w = world();
		addUser(w);
		for (let at = 0; at < 10; at += 1)
			expect((await login(w, { email: "ada@example.com", password: "wrong" })).status).toBe(401);
		expect(await login(w, { email: "ada@example.com", password })).toMatchObject({
			status: 429,
			body: { code: "RateLimitExceeded" },
		});
		w.limitClock.ms += 10 * 60 * 1000;
		expect((await login(w, { email: "ada@example.com", password })).status).toBe(200);
	});
});

describe("many passwords at once", () => {
	const many = (w: World, count: number, sent: unknown) =>
		Promise.all(Array.from({ length: count }, () => login(w, sent)));
	const statuses = (answers: ReadonlyArray<{ readonly status: number }>): Record<string, number> => {
		const counts: Record<string, number> = {};
		for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
		return counts;
	};

	test("checks no more than ten of many wrong passwords at once; beyond a hundred none even waits", async () => {
		const w = world();
		addUser(w);
		const verify = spyOn(Bun.password, "verify");
		const counts = statuses(await many(w, 600, { email: "ada@example.com", password: "wrong" }));
		expect(verify).toHaveBeenCalledTimes(10);
		verify.mockRestore();
		expect(counts["401"]).toBe(10);
		expect((counts["429"] ?? 0) + (counts["503"] ?? 0)).toBe(590);
		expect((await login(w, { email: "ada@example.com", password })).status).toBe(429);
	}, 30_000);

	test("accepts all right passwords, however many come from one address", async () => {
		const w = world();
		addUser(w);
		expect(statuses(await many(w, 40, { email: "ada@example.com", password }))).toEqual({ "200": 40 });
	});

	test("two are verified at once, since each takes 64 MiB", async () => {
		const w = world();
		addUser(w);
		let running = 0;
		let most = 0;
		const real = Bun.password.verify;
		const verify = spyOn(Bun.password, "verify").mockImplementation(async (...args) => {
			running += 1;
			most = Math.max(most, running);
			const right = await real(...args);
			running -= 1;
			return right;
		});
		await many(w, 20, { email: "ada@example.com", password });
		verify.mockRestore();
		expect(most).toBe(2);
	});
});

describe("the role of a user", () => {
	test.each<[Role, number, number]>([
		["OWNER", 201, 201],
		["MEMBER", 201, 403],
		["READ_ONLY", 403, 403],
	])("%s", async (role, coupon, key) => {
		const w = world();
		addUser(w, role);
		const headers = { ...(await bearer(w)), "x-environment-id": w.environmentId };
		const none = { description: null, amountsOff: null, durationInMonths: null, metadata: null };
		const made = await w.call("POST", "/coupons", {
			...{ key: "", headers, body: { id: "TEN", name: "Ten", percentOff: 10, ...none } },
		});
		expect(made.status).toBe(coupon);
		const scopes = [{ resource: "COUPON", action: "READ" }];
		const body = { displayName: "Mine", scopes };
		expect((await w.call("POST", "/api-keys", { key: "", headers, body })).status).toBe(key);
		expect((await w.call("GET", "/api-keys", { key: "", headers })).status).toBe(200);
	});
});

describe("a user's token", () => {
	test("shows who one is, and where", async () => {
		const w = world();
		addUser(w, "OWNER");
		const { body } = await w.call("GET", "/me", { key: "", headers: await bearer(w) });
		expect(body.data).toMatchObject({
			email: "ada@example.com",
			name: "Ada",
			hasPassword: true,
			hasSecondFactor: false,
			memberships: [{ accountName: "Ours", role: "OWNER", environments: [{ id: w.environmentId, type: "SANDBOX" }] }],
		});
	});

	const headers: Array<[string, (w: World) => Record<string, string>, number, string | null]> = [
		["no environment", () => ({}), 400, "MissingEntityIdError"],
		["an unknown environment", () => ({ "x-environment-id": "nowhere" }), 404, "EnvironmentMissing"],
		["a foreign environment", (w) => ({ "x-environment-id": w.foreignEnvironmentId }), 403, "IdentityForbidden"],
		[
			"a foreign account",
			(w) => ({ "x-environment-id": w.foreignEnvironmentId, "x-account-id": w.foreignActor.accountId }),
			403,
			"IdentityForbidden",
		],
		["one's own environment", (w) => ({ "x-environment-id": w.environmentId }), 200, null],
		[
			"one's own environment and account",
			(w) => ({ "x-environment-id": w.environmentId, "x-account-id": w.actor.accountId }),
			200,
			null,
		],
	];
	test.each(headers)("with %s", async (_, extra, status, code) => {
		const w = world();
		addUser(w);
		const answer = await w.call("GET", "/products", { key: "", headers: { ...(await bearer(w)), ...extra(w) } });
		expect(answer.status).toBe(status);
		if (code !== null) expect(answer.body).toEqual({ message: expect.any(String), code });
	});

	test("reaches a second environment of the account, and sees only that one's data", async () => {
		const w = world();
		addUser(w);
		const { environment } = w.transactions.write(systemActor(""), (work) =>
			addEnvironment(work, w.actor.accountId, "staging", "SANDBOX"),
		);
		await w.call("POST", "/products", { body: { id: "a", displayName: "A" } });
		const authorization = await bearer(w);
		const seen = async (id: string) =>
			(await w.call("GET", "/products", { key: "", headers: { ...authorization, "x-environment-id": id } })).body.data
				.length;
		expect(await seen(w.environmentId)).toBe(1);
		expect(await seen(environment.id)).toBe(0);
	});

	test("reads but does not write when its user is a viewer", async () => {
		const w = world();
		addUser(w, "READ_ONLY");
		const headers = { ...(await bearer(w)), "x-environment-id": w.environmentId };
		expect((await w.call("GET", "/products", { key: "", headers })).status).toBe(200);
		expect(await w.call("POST", "/products", { key: "", headers, body: { id: "a", displayName: "A" } })).toMatchObject({
			status: 403,
			body: { code: "AccessDeniedError" },
		});
	});

	test("ends after twelve hours, and by signing out", async () => {
		const w = world();
		addUser(w);
		const first = await bearer(w);
		expect((await w.call("POST", "/auth/logout", { key: "", headers: first })).status).toBe(200);
		expect((await w.call("GET", "/me", { key: "", headers: first })).status).toBe(401);
		const second = await bearer(w);
		w.clock.at = (w.clock.at + 12 * 60 * 60 * 1000) as typeof w.clock.at;
		expect((await w.call("GET", "/me", { key: "", headers: second })).status).toBe(401);
	});
});

describe("client hardening", () => {
	const secretOf = (w: World) => signingSecret(folderSecret, w.environmentId);
	const check = (w: World, headers: Record<string, string> = {}) =>
		w.call("GET", "/customers/customer-one/entitlements", { key: w.publishableKey, headers });
	const hardened = () => {
		const w = world();
		w.transactions.write(systemActor(""), (work) =>
			changeEnvironment(work, w.environmentId, { clientHardening: true }),
		);
		return w;
	};

	test("is off at first: a publishable key reads any customer's entitlements", async () => {
		expect((await check(world())).status).toBe(200);
	});

	test("a publishable key must send the customer's id, signed", async () => {
		const w = hardened();
		expect(await check(w)).toMatchObject({ status: 400, body: { code: "AuthCustomerMismatch" } });
		const other = { "x-customer-token": signCustomer(secretOf(w), "customer-two") };
		expect(await check(w, other)).toMatchObject({ status: 400, body: { code: "AuthCustomerMismatch" } });
		const right = { "x-customer-token": signCustomer(secretOf(w), "customer-one") };
		expect((await check(w, right)).status).toBe(200);
	});

	test("a write by a publishable key is AuthCustomerReadonly; server keys are not concerned", async () => {
		const w = hardened();
		const body = { id: "a", displayName: "A" };
		expect(await w.call("POST", "/products", { key: w.publishableKey, body })).toMatchObject({
			status: 400,
			body: { code: "AuthCustomerReadonly" },
		});
		expect((await w.call("POST", "/products", { body })).status).toBe(201);
	});
});
