import { afterAll, beforeEach, describe, expect, spyOn, test } from "bun:test";
import { findUser } from "../../../../src/areas/access/operations";
import { systemActor } from "../../../../src/areas/access/rules.actors";
import { hashSecret } from "../../../../src/areas/access/rules.secrets";
import { vouchForPassword } from "../../../../src/areas/access/sign-in/operations.passwords";
import { type Answer, type World, world } from "../../../support/world";
import { forger } from "../forger";
import { addProvider, bearerOf, forge, refused } from "../support";

const password = "a long pass phrase";
const passwordHash = await Bun.password.hash(password, { algorithm: "argon2id", memoryCost: 1024, timeCost: 1 });
const forged = await forger();
afterAll(() => forged.stop());
beforeEach(() => {
	for (const key of Object.keys(forged.will)) delete forged.will[key as keyof typeof forged.will];
});

describe("a person whom a provider has let in", () => {
	/** Ada is the forger's, and has a password and an account of her own elsewhere. */
	async function visiting() {
		const w = world();
		const id = await addProvider(w, forged.issuer);
		const own = bearerOf(w, "OWNER", "ada@example.test", w.foreignActor);
		w.db.$client.run("UPDATE users SET password_hash = ? WHERE email = 'ada@example.test'", [passwordHash]);
		const { token } = (await forge(forged, w, id)).body.data;
		const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
			w.call(method, path, {
				...{ key: "", headers: { authorization: `Bearer ${token}`, ...headers } },
				...(body !== undefined && { body }),
			});
		return { w, own, call };
	}

	test("has no say in what proves it elsewhere, with the right password neither", async () => {
		const { w, own, call } = await visiting();
		for (const [method, path, body] of [
			["POST", "/auth/password", { currentPassword: password, password: "another pass phrase" }],
			["POST", "/auth/totp/enrol", { password }],
			["POST", "/auth/totp/confirm", { totpCode: "123456" }],
			["DELETE", "/auth/totp", { password, totpCode: "123456" }],
		] as const)
			refused(await call(method, path, body), 403, "IdentityForbidden", "Sign in with a password");
		expect((await w.call("POST", "/auth/totp/enrol", { key: "", headers: own, body: { password } })).status).toBe(200);
	});

	test("sees that provider's account and sessions only, and ends no others", async () => {
		const { w, own, call } = await visiting();
		const me = (await call("GET", "/me")).body.data;
		expect(me.memberships.map((one: { accountId: string }) => one.accountId)).toEqual([w.actor.accountId]);
		expect(me).toMatchObject({ hasPassword: false, hasSecondFactor: false });
		expect((await call("GET", "/sessions")).body.data).toMatchObject([{ isCurrent: true }]);
		const all = (await w.call("GET", "/sessions", { key: "", headers: own })).body.data;
		expect(all).toHaveLength(2);
		const { id } = all.find((one: { isCurrent: boolean }) => one.isCurrent);
		expect((await call("DELETE", `/sessions/${id}`)).status).toBe(404);
		expect((await call("GET", `/sessions?after=${id}`)).status).toBe(400);
		expect((await call("DELETE", "/sessions")).status).toBe(200);
		expect((await call("GET", "/me")).status).toBe(401);
		expect((await w.call("GET", "/me", { key: "", headers: own })).status).toBe(200);
	});

	test("does not sign in by a password that it does not have, whatever is verified in its place", async () => {
		const w = world();
		await forge(forged, w, await addProvider(w, forged.issuer));
		const { password_hash: hash } = w.db.$client
			.query("SELECT password_hash FROM users WHERE email = 'ada@example.test'")
			.get() as { password_hash: unknown };
		expect(hash).toBeNull();
		const verify = spyOn(Bun.password, "verify").mockResolvedValue(true);
		try {
			const body = { email: "ada@example.test", password: "whatever" };
			refused(await w.call("POST", "/auth/login", { key: "", body }), 401, "Unauthenticated", "wrong");
			expect(verify).toHaveBeenCalledTimes(1);
		} finally {
			verify.mockRestore();
		}
	});
});

describe("a member whom a provider has made", () => {
	const email = "ada@example.test";
	const login = (w: World) => w.call("POST", "/auth/login", { key: "", body: { email, password } });
	const as = (token: string, headers = {}) => ({ authorization: `Bearer ${token}`, ...headers });
	const products = (w: World, headers: Record<string, string>): Promise<Answer> =>
		w.call("GET", "/products", { key: "", headers });

	/** Somebody has taken the address here, with a password, before the provider's Ada came. */
	async function taken(accountOfTaker = true) {
		const w = world();
		const owner = bearerOf(w, "OWNER", "root@own.test");
		const id = await addProvider(w, forged.issuer, {}, owner);
		bearerOf(w, "OWNER", email, w.foreignActor);
		w.db.$client.run("UPDATE users SET password_hash = ? WHERE email = ?", [passwordHash, email]);
		if (!accountOfTaker) w.db.$client.run("DELETE FROM memberships WHERE account_id = ?", [w.foreignActor.accountId]);
		expect((await forge(forged, w, id)).status).toBe(200);
		return { w, id, owner };
	}

	test("is not entered by a password that somebody has chosen for the address before", async () => {
		const { w } = await taken();
		const { token } = (await login(w)).body.data;
		const here = { "x-account-id": w.actor.accountId, "x-environment-id": w.environmentId };
		refused(await products(w, as(token, here)), 400, "RequiredSsoAuthenticationError", "sign in by it");
		const members = await w.call("GET", "/members", {
			key: "",
			headers: as(token, { "x-account-id": w.actor.accountId }),
		});
		refused(members, 400, "RequiredSsoAuthenticationError", "sign in by it");
		// Where the password was proved it goes on, without naming the account.
		expect((await products(w, as(token, { "x-environment-id": w.foreignEnvironmentId }))).status).toBe(200);
		const me = (await w.call("GET", "/me", { key: "", headers: as(token) })).body.data;
		expect(me.memberships.map((one: { accountId: string }) => one.accountId)).toEqual([w.foreignActor.accountId]);
	});

	test("without another membership cannot sign in with a password, until the folder's owner vouches for one", async () => {
		const { w } = await taken(false);
		refused(await login(w), 400, "RequiredSsoAuthenticationError", "sign in by it");
		w.transactions.write(systemActor(""), (work) => {
			const user = findUser(work, email);
			if (user) vouchForPassword(work, user, passwordHash);
		});
		const { token } = (await login(w)).body.data;
		expect((await products(w, as(token, { "x-environment-id": w.environmentId }))).status).toBe(200);
	});

	test("may choose a password, by mail, for the accounts that invite: it enters those, and not the provider's", async () => {
		const w = world({ mail: { url: "smtp://localhost", from: "a@b.test" }, publicUrl: "https://billing.test" });
		const id = await addProvider(w, forged.issuer);
		await forge(forged, w, id);
		const theirs = bearerOf(w, "OWNER", "root@other.test", w.foreignActor);
		const invited = await w.call("POST", "/members/invitations", {
			key: "",
			headers: theirs,
			body: { email, role: "MEMBER" },
		});
		const accept = () =>
			w.call("POST", "/auth/invitations/accept", { key: "", body: { token: invited.body.data.token, password } });
		refused(await accept(), 400, "MemberInvitationError", "no password");
		await w.call("POST", "/auth/password/reset-request", { key: "", body: { email } });
		expect(w.db.$client.query("SELECT count(*) AS n FROM password_resets").get()).toEqual({ n: 1 });
		w.db.$client.run("UPDATE password_resets SET token_hash = ?", [hashSecret("reset-known")]);
		const body = { token: "reset-known", password };
		expect((await w.call("POST", "/auth/password/reset", { key: "", body })).status).toBe(200);
		refused(await login(w), 400, "RequiredSsoAuthenticationError", "sign in by it");
		expect((await accept()).status).toBe(200);
		const { token } = (await login(w)).body.data;
		const at = (environmentId: string, accountId: string) =>
			as(token, { "x-account-id": accountId, "x-environment-id": environmentId });
		expect((await products(w, at(w.foreignEnvironmentId, w.foreignActor.accountId))).status).toBe(200);
		expect((await products(w, at(w.environmentId, w.actor.accountId))).status).toBe(400);
	});

	test("does not come back, once removed, by an invitation of before", async () => {
		const w = world();
		const owner = bearerOf(w, "OWNER", "root@own.test");
		const id = await addProvider(w, forged.issuer, {}, owner);
		const call = (method: string, path: string, body?: unknown) =>
			w.call(method, path, { key: "", headers: owner, ...(body !== undefined && { body }) });
		const { token } = (await call("POST", "/members/invitations", { email, role: "ADMIN" })).body.data;
		await forge(forged, w, id);
		expect((await call("GET", "/members/invitations")).body.data).toEqual([]);
		const members = (await call("GET", "/members")).body.data;
		const ada = members.find((one: { email: string }) => one.email === email);
		expect((await call("DELETE", `/members/${ada.id}`)).status).toBe(200);
		const body = { token, password };
		refused(
			await w.call("POST", "/auth/invitations/accept", { key: "", body }),
			400,
			"MemberInvitationError",
			"has expired or was used",
		);
	});

	test("is out of this account as soon as they are removed, and stays signed in elsewhere", async () => {
		const { w, owner } = await taken();
		const elsewhere = (await login(w)).body.data.token;
		delete forged.will.nonce;
		const { token } = (
			await forge(forged, w, (await w.call("GET", "/identity-providers", { key: "", headers: owner })).body.data[0].id)
		).body.data;
		expect((await products(w, as(token, { "x-environment-id": w.environmentId }))).status).toBe(200);
		const members = (await w.call("GET", "/members", { key: "", headers: owner })).body.data;
		const ada = members.find((one: { email: string }) => one.email === email);
		expect((await w.call("DELETE", `/members/${ada.id}`, { key: "", headers: owner })).status).toBe(200);
		expect((await products(w, as(token, { "x-environment-id": w.environmentId }))).status).toBe(401);
		expect((await products(w, as(elsewhere, { "x-environment-id": w.foreignEnvironmentId }))).status).toBe(200);
	});
});
