import { beforeEach, describe, expect, test } from "bun:test";
import { environmentsSeenBy } from "../../../../src/areas/access/environments/operations";
import {
	addMember,
	getMember,
	listMembers,
	type MemberChanges,
	removeMember,
	updateMember,
} from "../../../../src/areas/access/members/operations";
import { createRole, deleteRole, updateRole } from "../../../../src/areas/access/members/operations.roles";
import type { Standing } from "../../../../src/areas/access/members/rules";
import { addEnvironment, membershipsOf, startSession } from "../../../../src/areas/access/operations";
import { type KnownActor, systemActor } from "../../../../src/areas/access/rules.actors";
import type { Work } from "../../../../src/kernel/work";
import { type World, world } from "../../../support/world";

let w: World;
let operator: KnownActor;
let sandbox: string;

beforeEach(() => {
	w = world();
	operator = systemActor("", w.actor.accountId);
	sandbox = write((work) => addEnvironment(work, w.actor.accountId, "sandbox", "SANDBOX").environment.id);
});

const write = <T>(body: (work: Work) => T, actor: KnownActor = operator): T =>
	w.transactions.write(actor, (work) => ({ done: body(work) })).done;

const add = (name: string, standing: Partial<Standing> = {}, actor = operator) =>
	write(
		(work) =>
			addMember(work, {
				...{ email: `${name}@example.com`, name, passwordHash: null, role: "MEMBER", environmentRoles: [] },
				...standing,
			}),
		actor,
	);
const change = (id: string, changes: MemberChanges, actor = operator) =>
	write((work) => updateMember(work, id, changes), actor);
const as = ({ userId }: { userId: string }): KnownActor => ({
	...operator,
	kind: "USER",
	id: userId,
	scopes: new Set(),
});
const token = (member: { user: Parameters<typeof startSession>[1] }) =>
	write((work) => startSession(work, member.user).token);
const get = (bearer: string, environment = w.environmentId, path = "/products") =>
	w.call("GET", path, { key: "", headers: { authorization: `Bearer ${bearer}`, "x-environment-id": environment } });

describe("a member", () => {
	test("has a role in the account, and may have others in environments", async () => {
		const ada = add("ada", { role: "READ_ONLY", environmentRoles: [{ environmentId: sandbox, role: "ADMIN" }] });
		const bearer = token(ada);
		const create = (environment: string) =>
			w.call("POST", "/products", {
				...{ key: "", body: { id: "app", displayName: "App" } },
				headers: { authorization: `Bearer ${bearer}`, "x-environment-id": environment },
			});
		expect((await create(sandbox)).status).toBe(201);
		expect(await create(w.environmentId)).toMatchObject({ status: 403, body: { code: "AccessDeniedError" } });
	});

	test("with access to some environments does not see the others", async () => {
		const ada = add("ada", { role: null, environmentRoles: [{ environmentId: sandbox, role: "READ_ONLY" }] });
		const bearer = token(ada);
		expect((await get(bearer, sandbox)).status).toBe(200);
		expect(await get(bearer)).toMatchObject({ status: 403, body: { code: "IdentityForbidden" } });
		const listed = (await get(bearer, sandbox, "/environments")).body.data;
		expect(listed.map(({ id }: { id: string }) => id)).toEqual([sandbox]);
		expect((await get(bearer, sandbox, `/environments?after=${w.environmentId}`)).status).toBe(400);
		const graphql = await w.call("POST", "/graphql", {
			...{ key: "", body: { query: "{ environments { totalCount edges { node { id } } } }" } },
			headers: { authorization: `Bearer ${bearer}`, "x-environment-id": sandbox },
		});
		expect(graphql.body.data.environments).toEqual({ totalCount: 1, edges: [{ node: { id: sandbox } }] });
		expect(write((work) => environmentsSeenBy(work), as(ada)).map(({ id }) => id)).toEqual([sandbox]);
		expect(
			write((work) => membershipsOf(work, { ...startSession(work, ada.user), user: ada.user }))[0]?.environments.map(
				({ id }) => id,
			),
		).toEqual([sandbox]);
	});

	test("is signed out as soon as they are removed or deactivated", async () => {
		const [ada, bob] = [add("ada"), add("bob")];
		const [adas, bobs] = [token(ada), token(bob)];
		change(ada.id, { isActive: false });
		write((work) => removeMember(work, bob.id));
		expect((await get(adas)).status).toBe(401);
		expect((await get(bobs)).status).toBe(401);
		// A member who signs in all the same reaches no data.
		expect((await get(token(ada))).status).toBe(403);
		expect((await get(token(bob))).status).toBe(403);
		change(ada.id, { isActive: true });
		expect((await get(token(ada))).status).toBe(200);
	});

	test("is one once, and of the account only", () => {
		const ada = add("ada");
		expect(() => add("ADA")).toThrow("is already a member of this account");
		const theirs = systemActor("", w.foreignActor.accountId);
		expect(() => write((work) => getMember(work, ada.id), theirs)).toThrow("There is no member");
		expect(add("ada", {}, theirs).userId).toBe(ada.userId);
		expect(write((work) => listMembers(work, {})).rows.map(({ id }) => id)).toEqual([ada.id]);
	});

	const refused: ReadonlyArray<readonly [string, Partial<Standing>, string]> = [
		["no role at all", { role: null }, "is required"],
		["an unknown role", { role: "KING" }, "There is no role 'KING'"],
		[
			"an unknown environment",
			{ environmentRoles: [{ environmentId: "nowhere", role: "ADMIN" }] },
			"no environment 'nowhere'",
		],
		["an owner in parts", { environmentRoles: [{ environmentId: "x", role: "OWNER" }] }, "the whole account"],
		[
			"an owner who is not one somewhere",
			{ role: "OWNER", environmentRoles: [{ environmentId: "x", role: "ADMIN" }] },
			"whole account",
		],
	];
	test.each(refused)("is refused with %s", (_, standing, message) => {
		expect(() => add("ada", standing)).toThrow(message);
	});

	test("an environment is named once, and is of the account", () => {
		const twice = [
			{ environmentId: sandbox, role: "ADMIN" },
			{ environmentId: sandbox, role: "SUPPORT" },
		];
		expect(() => add("ada", { environmentRoles: twice })).toThrow("twice");
		const foreign = [{ environmentId: w.foreignEnvironmentId, role: "ADMIN" }];
		expect(() => add("ada", { environmentRoles: foreign })).toThrow("There is no environment");
	});
});

describe("nobody grants more than it has", () => {
	test("an admin makes no owners, and changes none", () => {
		const [owner, admin] = [add("owner", { role: "OWNER" }), add("admin", { role: "ADMIN" })];
		add("other", { role: "OWNER" });
		expect(() => add("ada", { role: "OWNER" }, as(admin))).toThrow("has more rights than you");
		expect(() => change(admin.id, { role: "OWNER" }, as(admin))).toThrow("has more rights than you");
		expect(() => change(owner.id, { role: "SUPPORT" }, as(admin))).toThrow("has more rights than you");
		expect(() => write((work) => removeMember(work, owner.id), as(admin))).toThrow("has more rights than you");
		expect(add("ada", { role: "FINANCE" }, as(admin)).role).toBe("FINANCE");
	});

	test("nor in an environment where it has less", () => {
		const admin = add("admin", { role: "ADMIN", environmentRoles: [{ environmentId: sandbox, role: "READ_ONLY" }] });
		expect(() => add("ada", { role: "SUPPORT" }, as(admin))).toThrow(`in the environment '${sandbox}'`);
		const limited: Partial<Standing> = {
			role: "SUPPORT",
			environmentRoles: [{ environmentId: sandbox, role: "READ_ONLY" }],
		};
		expect(add("ada", limited, as(admin)).role).toBe("SUPPORT");
	});

	test("nor by a role of its own making", () => {
		const support = add("support", { role: "SUPPORT" });
		const make = (scopes: Parameters<typeof createRole>[1]["scopes"], actor = operator) =>
			write((work) => createRole(work, { name: `role ${scopes.join()}`, scopes }), actor);
		expect(() => make(["CATALOG:WRITE"], as(support))).toThrow("CATALOG:WRITE");
		const mine = make(["CATALOG:READ"], as(support));
		expect(() => write((work) => updateRole(work, mine.id, { scopes: ["CATALOG:WRITE"] }), as(support))).toThrow(
			"CATALOG:WRITE",
		);
		const theirs = make(["CATALOG:WRITE"]);
		expect(() => write((work) => updateRole(work, theirs.id, { scopes: ["CATALOG:READ"] }), as(support))).toThrow(
			"CATALOG:WRITE",
		);
		expect(() => write((work) => deleteRole(work, theirs.id), as(support))).toThrow("CATALOG:WRITE");
	});

	test("a key gives nothing", () => {
		const key: KnownActor = { ...w.actor, kind: "FULL_ACCESS", id: "key", scopes: "everything" };
		expect(() => add("ada", {}, key)).toThrow("API keys do not");
	});
});

describe("the last owner", () => {
	test("is neither removed, nor deactivated, nor made less", () => {
		const owner = add("owner", { role: "OWNER" });
		expect(() => write((work) => removeMember(work, owner.id))).toThrow("last owner");
		expect(() => change(owner.id, { isActive: false })).toThrow("last owner");
		expect(() => change(owner.id, { role: "ADMIN" })).toThrow("last owner");
		const second = add("second", { role: "OWNER" });
		change(second.id, { isActive: false });
		expect(() => change(owner.id, { role: "ADMIN" })).toThrow("last owner");
		change(second.id, { isActive: true });
		expect(change(owner.id, { role: "ADMIN" }).role).toBe("ADMIN");
		expect(() => write((work) => removeMember(work, second.id))).toThrow("last owner");
	});
});

describe("a custom role", () => {
	test("counts as it stands, and stays while somebody has it", async () => {
		const role = write((work) => createRole(work, { name: "Catalogue", scopes: ["CATALOG:READ"] }));
		const ada = add("ada", { role: null, environmentRoles: [{ environmentId: w.environmentId, role: role.id }] });
		const bearer = token(ada);
		expect((await get(bearer)).status).toBe(200);
		expect((await get(bearer, w.environmentId, "/customers")).status).toBe(403);
		write((work) => updateRole(work, role.id, { scopes: ["CUSTOMER:READ"] }));
		expect((await get(bearer)).status).toBe(403);
		expect((await get(bearer, w.environmentId, "/customers")).status).toBe(200);
		expect(() => write((work) => deleteRole(work, role.id))).toThrow("in use");
		change(ada.id, { role: "SUPPORT", environmentRoles: [] });
		write((work) => deleteRole(work, role.id));
		expect(() => change(ada.id, { role: role.id })).toThrow("There is no role");
	});

	test("has a name of its own, and the built-in ones stay as they are", () => {
		const make = (name: string) => write((work) => createRole(work, { name, scopes: ["CATALOG:READ"] }));
		make("Catalogue");
		expect(() => make("Catalogue")).toThrow("already");
		expect(() => make("Admin")).toThrow("already");
		expect(() => write((work) => updateRole(work, "ADMIN", { name: "Boss" }))).toThrow("built in");
		expect(() => write((work) => deleteRole(work, "none"))).toThrow("There is no role 'none'");
	});
});
