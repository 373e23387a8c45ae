import { describe, expect, test } from "bun:test";
import { type Answer, longText, type World, world } from "../../support/world";
import { addProvider, bearerOf, clientSecret } from "./support";

const issuer = "https://id.example.com";
const valid = { name: "Example ID", issuer, clientId: "tollgate", clientSecret };
const path = "/identity-providers";

const as = (w: World, headers: Record<string, string>) => (method: string, path: string, body?: unknown) =>
	w.call(method, path, { key: "", headers, ...(body !== undefined && { body }) });

const refused = (answer: Answer, status: number, code: string | null, says = "") =>
	expect(answer).toMatchObject({ status, body: { code, message: expect.stringContaining(says) } });

describe("identity providers", () => {
	test("are made, listed, changed and removed by an owner; the client secret is shown by nothing, and kept encrypted", async () => {
		const w = world();
		const call = as(w, bearerOf(w, "OWNER"));
		const made = await call("POST", path, { ...valid, domains: ["Example.COM"] });
		expect(made.status).toBe(201);
		const { id } = made.body.data;
		expect(made.body.data).toEqual({
			...{ id, accountId: w.actor.accountId, name: "Example ID", issuer, clientId: "tollgate" },
			...{ domains: ["example.com"], roleMapping: {}, isRequired: false, hasScimToken: false },
			startPath: `/api/v1/auth/oidc/${id}/start`,
			callbackPath: `/api/v1/auth/oidc/${id}/callback`,
			...{ createdAt: "2026-01-31T00:00:00.000Z", updatedAt: "2026-01-31T00:00:00.000Z" },
		});
		const changed = await call("PATCH", `${path}/${id}`, { name: "Other", domains: [], clientSecret: "another" });
		expect(changed.body.data).toEqual({ ...made.body.data, name: "Other", domains: [] });
		expect((await call("GET", path)).body).toEqual({
			data: [changed.body.data],
			pagination: { next: null, prev: null },
		});
		const kept = JSON.stringify(w.db.$client.query("SELECT * FROM identity_providers").all());
		for (const secret of [clientSecret, "another"]) expect(kept).not.toContain(secret);
		expect((await call("DELETE", `${path}/${id}`)).status).toBe(200);
		expect((await call("GET", path)).body.data).toEqual([]);
		refused(await call("DELETE", `${path}/${id}`), 404, null, id);
	});

	test.each(["ADMIN", "DEVELOPER", "READ_ONLY"])(
		"%s reads them and changes none: who could, could come in as an owner",
		async (role) => {
			const w = world();
			const id = await addProvider(w, issuer);
			const call = as(w, bearerOf(w, role));
			expect((await call("GET", path)).body.data).toHaveLength(1);
			refused(await call("POST", path, { ...valid, name: "Mine" }), 403, "AccessDeniedError");
			refused(await call("PATCH", `${path}/${id}`, { issuer: "https://mine.test" }), 403, "AccessDeniedError");
			refused(await call("DELETE", `${path}/${id}`), 403, "AccessDeniedError");
			refused(await call("POST", `${path}/${id}/scim-token`), 403, "AccessDeniedError");
			refused(await call("DELETE", `${path}/${id}/scim-token`), 403, "AccessDeniedError");
		},
	);

	test("are of one account: another one's owner sees and changes none", async () => {
		const w = world();
		const id = await addProvider(w, issuer);
		const call = as(w, bearerOf(w, "OWNER", "root@theirs.test", w.foreignActor));
		expect((await call("GET", path)).body.data).toEqual([]);
		refused(await call("PATCH", `${path}/${id}`, { name: "Mine" }), 404, null, id);
		refused(await call("DELETE", `${path}/${id}`), 404, null, id);
		refused(await call("POST", `${path}/${id}/scim-token`), 404, null, id);
		expect((await call("POST", path, valid)).status).toBe(201);
	});

	test.each<[string, Record<string, unknown>, string]>([
		["no name", { name: undefined }, "name"],
		["a name that is too long", { name: longText(256) }, "name"],
		["a number for an issuer", { issuer: 5 }, "issuer"],
		["an issuer that is no address", { issuer: "example" }, "issuer"],
		["an issuer with a user", { issuer: "https://me:you@id.example.com" }, "issuer"],
		["an issuer of another protocol", { issuer: "ftp://id.example.com" }, "issuer"],
		["an issuer with a query", { issuer: "https://id.example.com?a=1" }, "issuer"],
		["no client secret", { clientSecret: undefined }, "clientSecret"],
		["what is no domain", { domains: ["example"] }, "domains"],
		["a domain twice", { domains: ["a.test", "a.test"] }, "domains"],
		["an unknown role", { roleMapping: { default: "BOSS" } }, "BOSS"],
		["an unknown role of a group", { roleMapping: { groups: [{ value: "a", role: "BOSS" }] } }, "BOSS"],
		["an unknown key of the mapping", { roleMapping: { surprise: 1 } }, "surprise"],
		["an unknown key", { surprise: 1 }, "surprise"],
	])("%s: 400", async (_, wrong, says) => {
		const w = world();
		const call = as(w, bearerOf(w, "OWNER"));
		refused(await call("POST", path, { ...valid, ...wrong }), 400, "BadUserInput", says);
		expect((await call("GET", path)).body.data).toEqual([]);
	});

	test("a name that is taken: 409; a twenty-first provider: 400", async () => {
		const w = world();
		const call = as(w, bearerOf(w, "OWNER"));
		for (let at = 0; at < 20; at += 1) await call("POST", path, { ...valid, name: `No. ${at}` });
		refused(await call("POST", path, { ...valid, name: "No. 20" }), 400, "BadUserInput", "20");
		const [{ id }] = (await call("GET", path)).body.data;
		refused(await call("PATCH", `${path}/${id}`, { name: "No. 3" }), 409, "DuplicatedEntityNotAllowed", "No. 3");
	});

	test.each(["https://localhost", "https://127.0.0.1", "https://[::1]", "https://10.0.0.1", "http://id.example.com"])(
		"%s is refused unless the operator allows private addresses",
		async (issuer) => {
			const w = world();
			const guarded = { ...w.services, outgoing: { ...w.services.outgoing, allowPrivateWebhooks: false } };
			Object.assign(w.services, guarded);
			refused(await as(w, bearerOf(w, "OWNER"))("POST", path, { ...valid, issuer }), 400, "BadUserInput", "/issuer");
		},
	);
});

describe("GET /auth/oidc", () => {
	test("tells who lets a domain in, and nothing of whether an address is known", async () => {
		const w = world();
		const id = await addProvider(w, issuer);
		const find = (email: string) => w.call("GET", `/auth/oidc?email=${encodeURIComponent(email)}`, { key: "" });
		const known = { data: [{ id, name: "Example ID", startPath: `/api/v1/auth/oidc/${id}/start`, isRequired: false }] };
		expect((await find("anybody@EXAMPLE.test")).body).toEqual(known);
		expect((await find("anybody@sub.example.test")).body).toEqual({ data: [] });
		refused(await find("nobody"), 400, "BadUserInput", "email");
		refused(await w.call("GET", "/auth/oidc", { key: "" }), 400, "BadUserInput", "email");
	});
});

describe("where the browser goes after it has signed in", () => {
	test.each([
		"https://evil.test/console",
		"//evil.test/console",
		"/\\evil.test/console",
		"/%2f/evil.test",
		"console",
		"/api/v1/me",
		"/console-of-evil",
		"/console/../api/v1/me",
		"/\t/evil.test/console",
		"javascript:alert(1)",
	])("%s: 400", async (returnTo) => {
		const w = world();
		const id = await addProvider(w, issuer);
		const answer = await w.call("GET", `/auth/oidc/${id}/start?returnTo=${encodeURIComponent(returnTo)}`, { key: "" });
		refused(answer, 400, "BadUserInput", "returnTo");
	});
});
