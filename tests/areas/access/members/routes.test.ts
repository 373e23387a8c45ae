import { beforeEach, describe, expect, test } from "bun:test";
import { type World, world } from "../../../support/world";
import { addUser, type Call, calling, login, member, password } from "../people";

let w: World;
let owner: Call;
beforeEach(async () => {
	w = world();
	owner = await member(w, "owner", "OWNER");
});

const accept = (token: string, more: object = {}) =>
	w.call("POST", "/auth/invitations/accept", { key: "", body: { token, password, name: "Grace", ...more } });
const invite = async (body: object = {}, call = owner) =>
	call("POST", "/members/invitations", { email: "Grace@Example.com", role: "DEVELOPER", ...body });
const listed = async (path: string, call = owner) => (await call("GET", path)).body.data;

describe("an invitation", () => {
	test("cannot be ended or replaced by a member with less access than it grants", async () => {
		const { id } = (await invite({ role: "OWNER" })).body.data;
		const admin = await member(w, "admin", "ADMIN");
		for (const answer of [await admin("DELETE", `/members/invitations/${id}`), await invite({}, admin)])
			expect(answer).toMatchObject({ status: 403, body: { code: "AccessDeniedError" } });
		expect(await listed("/members/invitations")).toMatchObject([{ id, role: "OWNER" }]);
		const own = (await invite({ email: "bob@example.com" }, admin)).body.data;
		expect((await admin("DELETE", `/members/invitations/${own.id}`)).status).toBe(200);
	});

	test("makes who has its link a member, once", async () => {
		const { status, body } = await invite({ environmentRoles: [{ environmentId: w.environmentId, role: "ADMIN" }] });
		expect([status, body.data]).toEqual([
			201,
			{
				...{ id: expect.any(String), email: "grace@example.com", role: "DEVELOPER", status: "PENDING" },
				environmentRoles: [{ environmentId: w.environmentId, role: "ADMIN" }],
				...{
					invitedBy: "owner@example.com",
					createdAt: "2026-01-31T00:00:00.000Z",
					expireAt: "2026-02-07T00:00:00.000Z",
				},
				token: expect.stringMatching(/^invitation-/),
				link: `/console/accept-invitation#token=${body.data.token}`,
			},
		]);
		const kept = JSON.stringify(w.db.$client.query("SELECT * FROM invitations").all());
		expect(kept).not.toContain(body.data.token);
		expect(await listed("/members/invitations")).toMatchObject([{ id: body.data.id, status: "PENDING" }]);
		expect(await accept(body.data.token)).toMatchObject({
			status: 200,
			body: { data: { email: "grace@example.com", accountName: "Ours" } },
		});
		expect(await listed("/members/invitations")).toEqual([]);
		expect(await listed("/members")).toMatchObject([
			{ email: "grace@example.com", name: "Grace", role: "DEVELOPER", status: "ACTIVE" },
			{ email: "owner@example.com", role: "OWNER" },
		]);
		expect((await login(w, "grace")).status).toBe(200);
		expect(await accept(body.data.token)).toMatchObject({ status: 400, body: { code: "MemberInvitationError" } });
	});

	test("to a person who has signed in before requires that password, and changes nothing of the user", async () => {
		addUser(w, "grace", "OWNER", w.foreignActor.accountId);
		const { token } = (await invite()).body.data;
		expect(await accept(token, { password: "another pass phrase" })).toMatchObject({ status: 401 });
		expect((await accept(token, { name: "Somebody" })).status).toBe(200);
		expect(await listed("/members")).toMatchObject([{ email: "grace@example.com", name: "grace" }, {}]);
		const { memberships } = (await calling(w, (await login(w, "grace")).body.data.token)("GET", "/me")).body.data;
		expect(memberships.map(({ role }: { role: string }) => role)).toEqual(["OWNER", "DEVELOPER"]);
	});

	test("is invalid once it has expired, was canceled, or another one was sent", async () => {
		const bad = { status: 400, body: { code: "MemberInvitationError" } };
		const first = (await invite({ expireAt: "2026-02-01T00:00:00Z" })).body.data;
		const second = (await invite()).body.data;
		expect(await accept(first.token)).toMatchObject(bad);
		expect((await owner("DELETE", `/members/invitations/${second.id}`)).status).toBe(200);
		expect(await accept(second.token)).toMatchObject(bad);
		const third = (await invite({ expireAt: "2026-01-31T01:00:00Z" })).body.data;
		w.clock.at = Date.UTC(2026, 0, 31, 1) as typeof w.clock.at;
		expect(await accept(third.token)).toMatchObject(bad);
		expect(await listed("/members/invitations")).toMatchObject([{ status: "EXPIRED" }]);
	});

	test("ends with who has made it", async () => {
		const admin = await member(w, "admin", "ADMIN");
		const { token } = (await invite({}, admin)).body.data;
		const [{ id }] = await listed("/members");
		await owner("PATCH", `/members/${id}`, { role: "READ_ONLY" });
		expect((await accept(token)).body.code).toBe("MemberInvitationError");
	});

	test("is kept for an Idempotency-Key without its secret, for each account apart", async () => {
		const key = { "idempotency-key": "once" };
		const body = { email: "grace@example.com", role: "SUPPORT" };
		const first = await owner("POST", "/members/invitations", body, key);
		const again = await owner("POST", "/members/invitations", body, key);
		expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([201, "true"]);
		expect(again.body.data.id).toBe(first.body.data.id);
		expect(JSON.stringify(again.body)).not.toContain(first.body.data.token);
		addUser(w, "stranger", "OWNER", w.foreignActor.accountId);
		const stranger = calling(w, (await login(w, "stranger")).body.data.token);
		expect((await stranger("POST", "/members/invitations", body, key)).headers.get("idempotent-replayed")).toBeNull();
	});

	const refused: ReadonlyArray<readonly [string, object, number, string]> = [
		["a member", { email: "OWNER@example.com" }, 400, "MemberInvitationError"],
		["no role anywhere", { role: null }, 400, "BadUserInput"],
		["an unknown role", { role: "KING" }, 400, "BadUserInput"],
		["an end in the past", { expireAt: "2026-01-30T00:00:00Z" }, 400, "BadUserInput"],
		["an end too far off", { expireAt: "2026-04-30T00:00:00Z" }, 400, "BadUserInput"],
		[
			"a foreign environment",
			{ environmentRoles: [{ environmentId: "nowhere", role: "ADMIN" }] },
			404,
			"EnvironmentMissing",
		],
	];
	test.each(refused)("with %s is refused", async (_, body, status, code) => {
		expect(await invite(body)).toMatchObject({ status, body: { code } });
	});
});

describe("members", () => {
	test("are changed, deactivated and removed", async () => {
		addUser(w, "ada", "MEMBER");
		const [{ id }] = await listed("/members");
		const change = async (body: object) => (await owner("PATCH", `/members/${id}`, body)).body.data;
		expect(await change({ role: "FINANCE" })).toMatchObject({
			role: "FINANCE",
			status: "ACTIVE",
			environmentRoles: [],
		});
		const environmentRoles = [{ environmentId: w.environmentId, role: "ADMIN" }];
		expect(await change({ role: null, environmentRoles })).toMatchObject({ role: null, environmentRoles });
		expect(await change({ status: "DEACTIVATED" })).toMatchObject({ status: "DEACTIVATED", environmentRoles });
		expect(await change({ status: "ACTIVE" })).toMatchObject({ status: "ACTIVE", role: null });
		expect((await owner("DELETE", `/members/${id}`)).status).toBe(200);
		expect(await listed("/members")).toHaveLength(1);
		expect(await owner("DELETE", `/members/${id}`)).toMatchObject({ status: 404, body: { code: "MemberNotFound" } });
	});

	test("are listed by pages", async () => {
		for (const name of ["a", "b", "c"]) addUser(w, name, "SUPPORT");
		const first = (await owner("GET", "/members?limit=3")).body;
		expect(first.data.map(({ email }: { email: string }) => email[0])).toEqual(["c", "b", "a"]);
		const rest = (await owner("GET", `/members?limit=3&after=${first.pagination.next}`)).body;
		expect(rest).toMatchObject({ data: [{ email: "owner@example.com" }], pagination: { next: null } });
	});

	test("are not visible to another account", async () => {
		const theirs = addUser(w, "stranger", "OWNER", w.foreignActor.accountId);
		const stranger = calling(w, (await login(w, "stranger")).body.data.token);
		const [{ id }] = await listed("/members");
		expect((await stranger("PATCH", `/members/${id}`, { role: "SUPPORT" })).body.code).toBe("MemberNotFound");
		expect((await stranger("GET", `/members?after=${id}`)).status).toBe(400);
		expect(await listed("/members", stranger)).toMatchObject([{ userId: theirs.id }]);
		const foreign = { "x-account-id": w.actor.accountId };
		expect((await stranger("GET", "/members", undefined, foreign)).body.code).toBe("IdentityForbidden");
	});

	test("the API tells members that they may not change others; a role in an environment grants nothing in the account", async () => {
		const support = await member(w, "support", "SUPPORT");
		expect((await support("GET", "/members")).body.code).toBe("AccessDeniedError");
		const { token } = (
			await invite({ role: null, environmentRoles: [{ environmentId: w.environmentId, role: "ADMIN" }] })
		).body.data;
		await accept(token);
		const grace = calling(w, (await login(w, "grace")).body.data.token);
		expect((await grace("GET", "/members")).body.code).toBe("AccessDeniedError");
		expect((await grace("GET", "/products", undefined, { "x-environment-id": w.environmentId })).status).toBe(200);
	});
});

describe("roles", () => {
	const scopes = [{ resource: "CATALOG", action: "WRITE" }];

	test("are the built-in ones, and those of the account's own", async () => {
		const made = (await owner("POST", "/roles", { name: "Editor", scopes })).body.data;
		expect(made).toEqual({ id: expect.any(String), name: "Editor", description: null, isBuiltIn: false, scopes });
		const all = await listed("/roles");
		expect(all.map(({ name }: { name: string }) => name)).toEqual([
			...["OWNER", "ADMIN", "DEVELOPER", "FINANCE", "SUPPORT", "MEMBER", "READ_ONLY", "Editor"],
		]);
		const changed = await owner("PATCH", `/roles/${made.id}`, { scopes: [{ resource: "MEMBER", action: "READ" }] });
		expect(changed.body.data.scopes).toEqual([{ resource: "MEMBER", action: "READ" }]);
		expect((await owner("DELETE", `/roles/${made.id}`)).status).toBe(200);
		expect((await owner("DELETE", `/roles/${made.id}`)).status).toBe(404);
	});

	test("stay while somebody has one, or is invited with it", async () => {
		const { id } = (await owner("POST", "/roles", { name: "Editor", scopes })).body.data;
		const invited = (await invite({ role: id })).body.data;
		const refused = { status: 400, body: { code: "InvalidArgumentError" } };
		expect(await owner("DELETE", `/roles/${id}`)).toMatchObject(refused);
		await accept(invited.token);
		expect(await owner("DELETE", `/roles/${id}`)).toMatchObject(refused);
	});
});
