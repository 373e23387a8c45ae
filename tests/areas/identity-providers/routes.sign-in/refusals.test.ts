import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import type { Instant } from "../../../../src/kernel/clock";
import { type World, world } from "../../../support/world";
import { forger } from "../forger";
import {
	addProvider,
	approve,
	Browser,
	bearerOf,
	begin,
	finish,
	forge,
	refused,
	signIn,
	startProvider,
} from "../support";

const real = await startProvider();
const forged = await forger();
const passwordHash = await Bun.password.hash("a long pass phrase", {
	algorithm: "argon2id",
	memoryCost: 1024,
	timeCost: 1,
});
afterAll(async () => {
	forged.stop();
	await real.stop();
});
beforeEach(() => {
	for (const key of Object.keys(forged.will)) delete forged.will[key as keyof typeof forged.will];
});

const sessionsIn = (w: World) => w.db.$client.query("SELECT count(*) AS n FROM sessions").get() as { n: number };

describe("state", () => {
	test("is asked for", async () => {
		const w = world();
		const id = await addProvider(w, real.issuer);
		refused(await finish(w, `/auth/oidc/${id}/callback?code=c`, new Browser()), 400, "BadUserInput", "state");
	});

	test("from nobody, from another browser, or for another provider: 401, and nobody is signed in", async () => {
		const w = world();
		const id = await addProvider(w, real.issuer);
		const other = await addProvider(w, real.issuer, { name: "Another" });
		const before = sessionsIn(w);
		const mine = new Browser();
		const callback = await approve(await begin(w, id, mine), "ada");
		const theirs = new Browser();
		await begin(w, id, theirs);
		refused(await finish(w, callback, theirs), 401, "Unauthenticated", "browser");
		refused(await finish(w, callback.replace(/state=[^&]+/, "state=unknown"), mine), 401, "Unauthenticated", "browser");
		refused(await finish(w, callback.replace(id, other), mine), 401, "Unauthenticated", "browser");
		expect(sessionsIn(w)).toEqual(before);
		// And the browser that began it is let in.
		expect((await finish(w, callback, mine)).status).toBe(200);
	});

	test("cannot be changed in the browser", async () => {
		const w = world();
		const id = await addProvider(w, real.issuer);
		const browser = new Browser();
		const callback = await approve(await begin(w, id, browser), "ada");
		const cookie = browser.cookies;
		const changed = cookie.slice(0, -2) + (cookie.endsWith("AA") ? "BB" : "AA");
		const answer = await w.call("GET", callback, { key: "", headers: { cookie: changed } });
		refused(answer, 401, "Unauthenticated", "browser");
	});

	test("is good for ten minutes", async () => {
		const w = world();
		const id = await addProvider(w, real.issuer);
		const browser = new Browser();
		const callback = await approve(await begin(w, id, browser), "ada");
		w.clock.at = (w.clock.at + 10 * 60_000) as Instant;
		refused(await finish(w, callback, browser), 401, "Unauthenticated", "ten minutes");
	});

	test("is good once, also after a restart: what is used is in the file", async () => {
		const w = world();
		const id = await addProvider(w, real.issuer);
		const browser = new Browser();
		const callback = await approve(await begin(w, id, browser), "ada");
		const kept = browser.cookies;
		expect((await finish(w, callback, browser)).status).toBe(200);
		const again = await w.call("GET", callback, { key: "", headers: { cookie: kept } });
		refused(again, 401, "Unauthenticated", "used already");
		const [used] = w.db.$client.query("SELECT * FROM used_states").all() as Array<{ hash: string }>;
		expect(used?.hash).toMatch(/^[0-9a-f]{64}$/);
		expect(callback).not.toContain(used?.hash ?? "");
	});
});

describe("answers of the provider", () => {
	test("valid claims sign the person in: the forger is believed where it does not lie", async () => {
		const w = world();
		expect((await forge(forged, w, await addProvider(w, forged.issuer))).status).toBe(200);
	});

	test.each<[string, () => void, string]>([
		["another nonce", () => (forged.will.nonce = "another"), "'nonce'"],
		["no nonce", () => (forged.will.claims = { nonce: undefined }), "nonce"],
		["another audience", () => (forged.will.claims = { aud: "another" }), "'aud'"],
		["another issuer", () => (forged.will.claims = { iss: "https://another.test" }), "'iss'"],
		[
			"a token that has expired",
			() => (forged.will.claims = { iat: forged.seconds() - 900, exp: forged.seconds() - 600 }),
			"expired",
		],
		["a token signed by another key", () => (forged.will.isForged = true), "signature"],
		["a code that was used", () => (forged.will.error = "invalid_grant"), "used, or is too old"],
	])("%s: 401, and nobody is let in", async (_, spoil, says) => {
		const w = world();
		const id = await addProvider(w, forged.issuer);
		const before = sessionsIn(w);
		spoil();
		refused(await forge(forged, w, id), 401, "Unauthenticated", says);
		expect(sessionsIn(w)).toEqual(before);
	});

	test("a client secret that it does not take: 400, for the operator", async () => {
		const w = world();
		forged.will.error = "invalid_client";
		refused(
			await forge(forged, w, await addProvider(w, forged.issuer)),
			400,
			"IntegrationValidationError",
			"client secret",
		);
	});

	test("a code that was spent at the real provider: 401", async () => {
		const w = world();
		const id = await addProvider(w, real.issuer);
		const [first, second] = [new Browser(), new Browser()];
		const spent = await approve(await begin(w, id, first), "ada");
		expect((await finish(w, spent, first)).status).toBe(200);
		const code = /code=([^&]+)/.exec(spent)?.[1];
		const fresh = await approve(await begin(w, id, second), "ada");
		const mixed = fresh.replace(/code=[^&]+/, `code=${code}`);
		refused(await finish(w, mixed, second), 401, "Unauthenticated", "used, or is too old");
	});

	test("a denial for the person: 401 with its reason", async () => {
		const w = world();
		const id = await addProvider(w, forged.issuer);
		const browser = new Browser();
		const state = (await begin(w, id, browser)).searchParams.get("state");
		const answer = await finish(w, `/auth/oidc/${id}/callback?error=access_denied&state=${state}`, browser);
		refused(answer, 401, "Unauthenticated", "access_denied");
	});

	test("an answer that names another issuer: 401", async () => {
		const w = world();
		const id = await addProvider(w, forged.issuer);
		const answer = await forge(forged, w, id, () => "&iss=https%3A%2F%2Fanother.test");
		refused(answer, 401, "Unauthenticated", "iss");
	});
});

describe("a provider that cannot be asked", () => {
	const start = (w: World, id: string) => w.call("GET", `/auth/oidc/${id}/start`, { key: "" });

	test("is down: 503, to be tried again, and then goes on", async () => {
		const w = world();
		const nobody = await addProvider(w, "http://127.0.0.1:9");
		const answer = await start(w, nobody);
		refused(answer, 503, null, "does not answer");
		expect(answer.headers.get("retry-after")).toBe("10");
		const id = await addProvider(w, forged.issuer, { name: "Forged" });
		forged.will.status = 502;
		refused(await start(w, id), 503, null, "502");
		delete forged.will.status;
		expect((await start(w, id)).status).toBe(302);
	});

	test("packs what it answers: 503, and nothing is unpacked", async () => {
		const w = world();
		const id = await addProvider(w, forged.issuer);
		forged.will.isPacked = true;
		refused(await start(w, id), 503, null, "packs what it answers");
	});

	test("is another one: 400 for the operator", async () => {
		const w = world();
		const id = await addProvider(w, forged.issuer);
		forged.will.metadata = { issuer: "https://another.test" };
		refused(await start(w, id), 400, "IntegrationValidationError", "another issuer");
	});

	test("is none: 400 for the operator", async () => {
		const w = world();
		const id = await addProvider(w, forged.issuer);
		forged.will.status = 404;
		refused(await start(w, id), 400, "IntegrationValidationError", "no OpenID Connect provider");
	});

	test("was kept by another folder's secret: 400 for the operator", async () => {
		const w = world();
		const id = await addProvider(w, forged.issuer);
		w.db.$client.run("UPDATE identity_providers SET sealed_secret = 'AAAA', updated_at = updated_at + 1");
		refused(await start(w, id), 400, "IntegrationValidationError", "clientSecret");
	});

	test("is unknown: 404", async () => {
		refused(await start(world(), "no-such-provider"), 404, null, "no-such-provider");
	});
});

describe("refused people", () => {
	test.each<[string, Record<string, unknown>, Record<string, unknown>, string]>([
		["an address that is not verified", { email_verified: false }, {}, "email_verified"],
		["an address of which nothing is said", { email_verified: undefined }, {}, "email_verified"],
		["no address", { email: undefined }, {}, "tells no e-mail address"],
		[
			"an address that becomes another one when it is made small",
			{ email: "\u212Aate@example.test" },
			{},
			"tells no e-mail address",
		],
		[
			"an address of a domain that becomes another one so",
			{ email: "eve@\u212Aeys.test" },
			{},
			"tells no e-mail address",
		],
		["two addresses in one", { email: "eve,ada@example.test" }, {}, "tells no e-mail address"],
		["an address of another domain", { email: "ada@other.test" }, {}, "other.test"],
		["an address of a domain below", { email: "ada@example.test.evil.test" }, {}, "evil.test"],
		["whom nothing gives a role", {}, { roleMapping: { default: null } }, "no role"],
	])("%s: 403, and no user is made", async (_, claims, more, says) => {
		const w = world();
		const id = await addProvider(w, forged.issuer, more);
		forged.will.claims = claims;
		const answer = await forge(forged, w, id);
		refused(answer, 403, "IdentityForbidden", says);
		expect(w.db.$client.query("SELECT email FROM users WHERE email LIKE 'ada@%'").all()).toEqual([]);
	});

	test("a person whose address another subject has here", async () => {
		const w = world();
		const id = await addProvider(w, forged.issuer);
		expect((await forge(forged, w, id)).status).toBe(200);
		delete forged.will.nonce;
		forged.will.claims = { sub: "another ada" };
		refused(await forge(forged, w, id), 403, "IdentityForbidden", "another person");
	});

	test("a person who is deactivated in the account", async () => {
		const w = world();
		const id = await addProvider(w, forged.issuer);
		await forge(forged, w, id);
		w.db.$client.run("UPDATE memberships SET deactivated_at = 1 WHERE role = 'SUPPORT'");
		delete forged.will.nonce;
		refused(await forge(forged, w, id), 403, "IdentityForbidden", "deactivated");
	});

	test("an invited member with an address of another domain is accepted", async () => {
		const w = world();
		const id = await addProvider(w, forged.issuer);
		bearerOf(w, "FINANCE", "eve@other.test");
		forged.will.claims = { email: "Eve@other.test", sub: "eve" };
		expect((await forge(forged, w, id)).status).toBe(200);
	});
});

describe("a session of an identity provider", () => {
	test("is good in its own account only, and no longer than the provider is there", async () => {
		const w = world();
		const id = await addProvider(w, real.issuer);
		const owner = bearerOf(w, "OWNER", "root@own.test");
		const { token } = (await signIn(w, id, "ada")).body.data;
		const headers = { authorization: `Bearer ${token}`, "x-environment-id": w.environmentId };
		const products = () => w.call("GET", "/products", { key: "", headers });
		expect((await products()).status).toBe(200);
		// The same person in another account: its provider has no say there.
		const { userId } = w.db.$client.query("SELECT user_id AS userId FROM identities").get() as { userId: string };
		w.db.$client.run(
			"INSERT INTO memberships (id, user_id, account_id, role, created_at) VALUES ('m', ?, ?, 'OWNER', 0)",
			[userId, w.foreignActor.accountId],
		);
		const there = {
			...headers,
			"x-account-id": w.foreignActor.accountId,
			"x-environment-id": w.foreignEnvironmentId,
		};
		refused(
			await w.call("GET", "/products", { key: "", headers: there }),
			403,
			"IdentityForbidden",
			"own account only",
		);
		expect((await w.call("DELETE", `/identity-providers/${id}`, { key: "", headers: owner })).status).toBe(200);
		refused(await products(), 401, "Unauthenticated", "gone");
	});
});

describe("an account that is entered by its provider only", () => {
	const login = (w: World, email: string) =>
		w.call("POST", "/auth/login", { key: "", body: { email, password: "a long pass phrase" } });

	test("refuses passwords and the sessions they have made, and names the provider", async () => {
		const w = world();
		const headers = bearerOf(w, "OWNER", "root@example.test");
		w.db.$client.run("UPDATE users SET password_hash = ?", [passwordHash]);
		const id = await addProvider(w, real.issuer, {}, headers);
		expect((await login(w, "root@example.test")).status).toBe(200);
		const body = { isRequired: true };
		expect((await w.call("PATCH", `/identity-providers/${id}`, { key: "", headers, body })).status).toBe(200);
		refused(
			await login(w, "root@example.test"),
			400,
			"RequiredSsoAuthenticationError",
			`/api/v1/auth/oidc/${id}/start`,
		);
		const products = await w.call("GET", "/products", { key: "", headers });
		refused(products, 400, "RequiredSsoAuthenticationError", "Example ID");
		expect((await w.call("GET", "/products")).status).toBe(200);
		expect((await signIn(w, id, "ada")).status).toBe(200);
	});

	test("leaves the other accounts of its members alone", async () => {
		const w = world();
		const headers = bearerOf(w, "OWNER", "root@example.test");
		w.db.$client.run("UPDATE users SET password_hash = ?", [passwordHash]);
		w.db.$client.run(
			"INSERT INTO memberships (id, user_id, account_id, role, created_at) SELECT 'm', id, ?, 'OWNER', 0 FROM users",
			[w.foreignActor.accountId],
		);
		await addProvider(w, real.issuer, { isRequired: true }, headers);
		const { token } = (await login(w, "root@example.test")).body.data;
		const there = {
			authorization: `Bearer ${token}`,
			"x-account-id": w.foreignActor.accountId,
			"x-environment-id": w.foreignEnvironmentId,
		};
		expect((await w.call("GET", "/products", { key: "", headers: there })).status).toBe(200);
		const here = { authorization: `Bearer ${token}`, "x-environment-id": w.environmentId };
		refused(
			await w.call("GET", "/products", { key: "", headers: here }),
			400,
			"RequiredSsoAuthenticationError",
			"only",
		);
	});
});
