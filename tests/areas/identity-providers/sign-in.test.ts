import { afterAll, describe, expect, test } from "bun:test";
import { world } from "../../support/world";
import { addProvider, signIn, startProvider } from "./support";

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
});
