import { afterAll, describe, expect, test } from "bun:test";
import { world } from "../../support/world";
import { addProvider, approve, Browser, bearerOf, begin, clientSecret, finish, signIn, startProvider } from "./support";

const provider = await startProvider();
afterAll(() => provider.stop());

const bearer = (token: string, environmentId?: string) => ({
	authorization: `Bearer ${token}`,
	...(environmentId && { "x-environment-id": environmentId }),
});

describe("a sign-in by a real provider", () => {
	test("makes who is new a member with the role of its groups, and gives a token that is good", async () => {
		const w = world();
		const id = await addProvider(w, provider.issuer);
		const answer = await signIn(w, id, "admin-ada");
		expect(answer).toMatchObject({ status: 200, body: { data: { expiresAt: "2026-01-31T12:00:00.000Z" } } });
		const me = await w.call("GET", "/me", { key: "", headers: bearer(answer.body.data.token) });
		expect(me.body.data).toMatchObject({
			email: "admin-ada@example.test",
			name: "ADMIN-ADA",
			hasPassword: false,
			memberships: [{ accountId: w.actor.accountId, role: "ADMIN" }],
		});
		const headers = bearer(answer.body.data.token, w.environmentId);
		expect((await w.call("GET", "/products", { key: "", headers })).status).toBe(200);
		expect((await w.call("GET", "/products", { key: "", headers })).status).toBe(200);
	});

	test("knows who comes back, and gives the default role where no group fits", async () => {
		const w = world();
		const id = await addProvider(w, provider.issuer);
		const first = await signIn(w, id, "bob");
		const second = await signIn(w, id, "bob");
		const me = async (token: string) => (await w.call("GET", "/me", { key: "", headers: bearer(token) })).body.data;
		expect((await me(first.body.data.token)).id).toBe((await me(second.body.data.token)).id);
		expect((await me(second.body.data.token)).memberships[0].role).toBe("SUPPORT");
	});

	test("ends on the page of the console where it began, with the session in a cookie that scripts cannot read", async () => {
		const w = world();
		const id = await addProvider(w, provider.issuer);
		const browser = new Browser();
		const at = await begin(w, id, browser, "?returnTo=%2Fconsole%2Ftasks%3Fstatus%3DFAILED");
		expect(at.searchParams.get("redirect_uri")).toBe(`http://localhost/api/v1/auth/oidc/${id}/callback`);
		expect(at.searchParams.get("code_challenge_method")).toBe("S256");
		const answer = await finish(w, await approve(at, "ada"), browser);
		expect([answer.status, answer.headers.get("location")]).toEqual([302, "/console/tasks?status=FAILED"]);
		expect(answer.body).toBeUndefined();
		const [ended, session] = answer.headers.getSetCookie();
		expect(ended).toContain("Max-Age=0");
		expect(session).toMatch(/^tollgate=session-\S+; Path=\/; HttpOnly; SameSite=Strict; Expires=/);
		const token = /tollgate=([^;]+)/.exec(session ?? "")?.[1] ?? "";
		expect((await w.call("GET", "/me", { key: "", headers: bearer(token) })).status).toBe(200);
	});

	test("keeps what it needs in a cookie of this browser for ten minutes, and sends the provider no secret", async () => {
		const w = world();
		const id = await addProvider(w, provider.issuer);
		const answer = await w.call("GET", `/auth/oidc/${id}/start`, { key: "" });
		const [cookie = ""] = answer.headers.getSetCookie();
		expect(cookie).toMatch(
			/^tollgate-sign-in-[0-9a-f]{16}=\S+; Max-Age=600; Path=\/api\/v1\/auth\/oidc; HttpOnly; SameSite=Lax$/,
		);
		const at = new URL(answer.headers.get("location") ?? "");
		for (const kept of ["state", "nonce"]) expect(cookie).not.toContain(at.searchParams.get(kept) ?? "");
		expect(at.href).not.toContain(clientSecret);
		expect(at.searchParams.get("scope")).toBe("openid email profile groups");
	});

	test("follows the groups of a member at each sign-in, and lets owners be owners", async () => {
		const w = world();
		const id = await addProvider(w, provider.issuer);
		bearerOf(w, "OWNER", "admin-root@example.test");
		bearerOf(w, "READ_ONLY", "admin-eve@example.test");
		const roleAfter = async (login: string) => {
			const { token } = (await signIn(w, id, login)).body.data;
			const me = await w.call("GET", "/me", { key: "", headers: bearer(token) });
			return me.body.data.memberships[0].role;
		};
		expect(await roleAfter("admin-root")).toBe("OWNER");
		expect(await roleAfter("admin-eve")).toBe("ADMIN");
	});
});
