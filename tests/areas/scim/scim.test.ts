import { describe, expect, test } from "bun:test";
import { type Answer, longText, type World, world } from "../../support/world";
import { addProvider, bearerOf } from "../identity-providers/support";

const userSchema = "urn:ietf:params:scim:schemas:core:2.0:User";
const enterprise = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";
const patchSchema = "urn:ietf:params:scim:api:messages:2.0:PatchOp";
const errorSchema = "urn:ietf:params:scim:api:messages:2.0:Error";

/** As one provider sends a person. */
const ada = {
	schemas: [userSchema, enterprise],
	userName: "Ada@example.test",
	externalId: "00u1",
	name: { givenName: "Ada", familyName: "Lovelace" },
	displayName: "Ada Lovelace",
	emails: [{ primary: true, value: "Ada@example.test", type: "work" }],
	locale: "en-US",
	groups: [],
	password: "never kept",
	active: true,
	[enterprise]: { department: "Engines" },
};
const patch = (...Operations: unknown[]) => ({ schemas: [patchSchema], Operations });

interface Provisioning {
	readonly w: World;
	readonly scim: (method: string, path: string, body?: unknown, token?: string) => Promise<Answer>;
	readonly owner: Record<string, string>;
	readonly id: string;
	readonly token: string;
}

async function provisioning(more: Record<string, unknown> = {}, w = world()): Promise<Provisioning> {
	const owner = bearerOf(w, "OWNER", `root-${crypto.randomUUID()}@own.test`);
	const id = await addProvider(w, "https://id.example.com", more, owner);
	const made = await w.call("POST", `/identity-providers/${id}/scim-token`, { key: "", headers: owner });
	const { token: own } = made.body.data;
	const scim = async (method: string, path: string, body?: unknown, token: string = own): Promise<Answer> => {
		const answer = await w.call(method, `/scim/v2${path}`, {
			key: "",
			headers: { authorization: `Bearer ${token}`, "content-type": "application/scim+json" },
			...(body !== undefined && { body }),
		});
		const isScim = answer.headers.get("content-type") === "application/scim+json";
		return isScim ? { ...answer, body: JSON.parse(answer.body) } : answer;
	};
	return { w, scim, owner, id, token: own };
}

const refused = (answer: Answer, status: number, scimType: string | undefined, says = "") =>
	expect(answer).toMatchObject({
		status,
		body: {
			schemas: [errorSchema],
			...(scimType && { scimType }),
			status: String(status),
			detail: expect.stringContaining(says),
		},
	});

/** The owners of a membership, by address. */
const members = ({ db, actor }: World) =>
	db.$client
		.query(
			"SELECT u.email, m.role, m.deactivated_at IS NULL AS isIn FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.account_id = ? AND u.email NOT LIKE 'root-%' ORDER BY u.email",
		)
		.all(actor.accountId);

describe("authorization to provision", () => {
	test("sends the token of the provider: another one, an API key, or one that was replaced or ended is 401", async () => {
		const { w, scim, owner, id, token } = await provisioning();
		expect((await scim("GET", "/Users")).status).toBe(200);
		for (const wrong of ["", "scim-unknown", w.key]) {
			const answer = await scim("GET", "/Users", undefined, wrong);
			refused(answer, 401, undefined, "scim-token");
			expect(answer.headers.get("www-authenticate")).toBe("Bearer");
		}
		// Before the body is looked at.
		refused(await scim("POST", "/Users", "{", "scim-unknown"), 401, undefined);
		const again = await w.call("POST", `/identity-providers/${id}/scim-token`, { key: "", headers: owner });
		expect(again.body.data).toEqual({ token: expect.stringMatching(/^scim-/), basePath: "/api/v1/scim/v2" });
		refused(await scim("GET", "/Users"), 401, undefined);
		const renewed = again.body.data.token;
		expect((await scim("GET", "/Users", undefined, renewed)).status).toBe(200);
		const ended = await w.call("DELETE", `/identity-providers/${id}/scim-token`, { key: "", headers: owner });
		expect(ended.body.data.hasScimToken).toBe(false);
		refused(await scim("GET", "/Users", undefined, renewed), 401, undefined);
		expect(JSON.stringify(w.db.$client.query("SELECT * FROM identity_providers").all())).not.toContain(token);
	});

	test("sees the people of its own provider only", async () => {
		const one = await provisioning();
		const other = await provisioning({ name: "Another" }, one.w);
		const { id } = (await one.scim("POST", "/Users", ada)).body;
		expect((await other.scim("GET", "/Users")).body.totalResults).toBe(0);
		for (const method of ["GET", "DELETE"]) refused(await other.scim(method, `/Users/${id}`), 404, undefined, id);
		refused(await other.scim("PUT", `/Users/${id}`, ada), 404, undefined);
		refused(await other.scim("POST", "/Groups", { displayName: "g", members: [{ value: id }] }), 400, "invalidValue");
	});
});

describe("users", () => {
	test("are created as members with the role of the mapping; what is not kept is left aside", async () => {
		const { w, scim } = await provisioning();
		const answer = await scim("POST", "/Users", ada);
		expect(answer.status).toBe(201);
		const { id } = answer.body;
		const at = "2026-01-31T00:00:00.000Z";
		expect(answer.body).toEqual({
			...{ schemas: [userSchema], id, externalId: "00u1", userName: "Ada@example.test", displayName: "Ada Lovelace" },
			name: { givenName: "Ada", familyName: "Lovelace", formatted: "Ada Lovelace" },
			emails: [{ value: "ada@example.test", type: "work", primary: true }],
			...{ active: true, groups: [] },
			meta: { resourceType: "User", created: at, lastModified: at, location: `/api/v1/scim/v2/Users/${id}` },
		});
		expect((await scim("GET", `/Users/${id}`)).body).toEqual(answer.body);
		expect(members(w)).toEqual([{ email: "ada@example.test", role: "SUPPORT", isIn: 1 }]);
		expect(JSON.stringify(w.db.$client.query("SELECT * FROM users").all())).not.toContain("never kept");
	});

	test("are found as providers look for them, and listed by pages from 1", async () => {
		const { scim } = await provisioning();
		for (const name of ["ada", "bob", "eve"])
			await scim("POST", "/Users", { userName: `${name}@example.test`, externalId: `x-${name}` });
		const find = async (filter: string) => {
			const { body } = await scim("GET", `/Users?filter=${encodeURIComponent(filter)}`);
			return [body.totalResults, ...body.Resources.map((one: { userName: string }) => one.userName)];
		};
		expect(await find('userName eq "BOB@example.test"')).toEqual([1, "bob@example.test"]);
		expect(await find('username Eq "bob@example.test"')).toEqual([1, "bob@example.test"]);
		expect(await find('externalId eq "x-eve"')).toEqual([1, "eve@example.test"]);
		expect(await find('emails[type eq "work"].value eq "eve@example.test"')).toEqual([1, "eve@example.test"]);
		expect(await find('emails.value eq "eve@example.test"')).toEqual([1, "eve@example.test"]);
		expect(await find('userName eq "nobody@example.test"')).toEqual([0]);
		expect(await find('userName eq "a\\"b"')).toEqual([0]);
		const page = await scim("GET", "/Users?startIndex=2&count=1");
		expect(page.body).toMatchObject({
			schemas: ["urn:ietf:params:scim:api:messages:2.0:ListResponse"],
			...{ totalResults: 3, startIndex: 2, itemsPerPage: 1 },
			Resources: [{ userName: "bob@example.test" }],
		});
		expect((await scim("GET", "/Users?count=0")).body).toMatchObject({ totalResults: 3, Resources: [] });
		for (const filter of ['userName co "a"', "userName eq ada", 'title eq "x"', 'userName eq "a" and active eq true'])
			refused(await scim("GET", `/Users?filter=${encodeURIComponent(filter)}`), 400, "invalidFilter");
		refused(await scim("GET", "/Users?startIndex=x"), 400, "invalidValue");
	});

	test.each<[string, unknown, string]>([
		["by a value", { op: "replace", value: { active: false } }, "as one provider has it"],
		["by a path, with a text", { op: "Replace", path: "active", value: "False" }, "as another has it"],
		["by a path", { op: "replace", path: "active", value: false }, "as the RFC has it"],
	])("are deactivated %s: signed out in the same transaction, kept out, and let in again", async (_, off) => {
		const { w, scim } = await provisioning();
		const { id } = (await scim("POST", "/Users", ada)).body;
		const session = sessionOf(w, "ada@example.test");
		const products = () => w.call("GET", "/products", { key: "", headers: session });
		expect((await products()).status).toBe(200);
		const answer = await scim("PATCH", `/Users/${id}`, patch(off));
		expect(answer).toMatchObject({ status: 200, body: { active: false } });
		expect((await products()).status).toBe(401);
		expect(members(w)).toEqual([{ email: "ada@example.test", role: "SUPPORT", isIn: 0 }]);
		const on = { op: "replace", path: "active", value: true };
		expect((await scim("PATCH", `/Users/${id}`, patch(on))).body.active).toBe(true);
		expect(members(w)).toEqual([{ email: "ada@example.test", role: "SUPPORT", isIn: 1 }]);
	});

	test("are changed by paths, and by keys that are paths", async () => {
		const { w, scim } = await provisioning();
		const { id } = (await scim("POST", "/Users", ada)).body;
		const change = async (...operations: unknown[]) => (await scim("PATCH", `/Users/${id}`, patch(...operations))).body;
		expect(
			await change(
				{ op: "Replace", path: 'emails[type eq "work"].value', value: "Ada.King@example.test" },
				{ op: "Replace", path: "name.familyName", value: "King" },
				{ op: "Add", path: "title", value: "Countess" },
				{ op: "Add", path: `${enterprise}:department`, value: "Tables" },
			),
		).toMatchObject({ emails: [{ value: "ada.king@example.test" }], name: { givenName: "Ada", familyName: "King" } });
		expect(
			await change({
				op: "replace",
				value: { "name.givenName": "Augusta", displayName: "Augusta King", externalId: "00u2" },
			}),
		).toMatchObject({
			name: { givenName: "Augusta", familyName: "King" },
			displayName: "Augusta King",
			externalId: "00u2",
		});
		const removed = await change({ op: "remove", path: "externalId" }, { op: "remove", path: "name.givenName" });
		expect(removed.externalId).toBeUndefined();
		expect(removed.name).toEqual({ familyName: "King", formatted: "Augusta King" });
		expect(w.db.$client.query("SELECT name FROM users WHERE email = 'ada@example.test'").get()).toEqual({
			name: "Augusta King",
		});
	});

	test("have no attributes but their own: what every object has is no path, and nothing to look for", async () => {
		const { scim } = await provisioning();
		const { id } = (await scim("POST", "/Users", ada)).body;
		const { body: before } = await scim("GET", `/Users/${id}`);
		const spoilt = { email: 5, isActive: "no", userName: "" };
		for (const path of ["constructor", "__proto__", "hasOwnProperty", "name.constructor", "emails.constructor"])
			for (const operation of [
				{ op: "replace", path, value: spoilt },
				{ op: "add", value: { [path]: spoilt } },
			])
				expect(await scim("PATCH", `/Users/${id}`, patch(operation))).toMatchObject({ status: 200, body: before });
		for (const name of ["constructor", "__proto__", "valueOf"])
			for (const things of ["Users", "Groups"])
				refused(await scim("GET", `/${things}?filter=${name}%20eq%20%22x%22`), 400, "invalidFilter");
	});

	test("are replaced as a whole: what is left out is cleared, and who is left out of 'active' is active", async () => {
		const { scim } = await provisioning();
		const { id } = (await scim("POST", "/Users", { ...ada, active: false })).body;
		const { body } = await scim("PUT", `/Users/${id}`, { schemas: [userSchema], userName: "ada2@example.test" });
		expect(body).toMatchObject({ id, userName: "ada2@example.test", active: true, name: {} });
		expect(body.externalId).toBeUndefined();
	});

	test("are removed: no member any more, signed out; the same name can be created again", async () => {
		const { w, scim } = await provisioning();
		const { id } = (await scim("POST", "/Users", ada)).body;
		const session = sessionOf(w, "ada@example.test");
		const gone = await scim("DELETE", `/Users/${id}`);
		expect([gone.status, gone.body]).toEqual([204, undefined]);
		expect(members(w)).toEqual([]);
		expect((await w.call("GET", "/products", { key: "", headers: session })).status).toBe(401);
		refused(await scim("GET", `/Users/${id}`), 404, undefined, id);
		refused(await scim("DELETE", `/Users/${id}`), 404, undefined, id);
		expect((await scim("POST", "/Users", ada)).status).toBe(201);
	});

	test("with a taken name or external id: 409 uniqueness", async () => {
		const { scim } = await provisioning();
		const { id } = (await scim("POST", "/Users", ada)).body;
		const other = { userName: "bob@example.test" };
		refused(await scim("POST", "/Users", { ...ada, userName: "ADA@example.test" }), 409, "uniqueness", "ADA");
		refused(await scim("POST", "/Users", { ...other, externalId: "00u1" }), 409, "uniqueness", "00u1");
		refused(await scim("POST", "/Users", { ...other, emails: ada.emails }), 409, "uniqueness");
		const bob = (await scim("POST", "/Users", other)).body;
		const rename = patch({ op: "replace", path: "userName", value: "ada@example.test" });
		refused(await scim("PATCH", `/Users/${bob.id}`, rename), 409, "uniqueness");
		expect((await scim("PUT", `/Users/${id}`, ada)).status).toBe(200);
	});

	test("keep the last owner: 400, and nothing is changed", async () => {
		const { w, scim } = await provisioning({ roleMapping: { default: "READ_ONLY" } });
		const { id } = (await scim("POST", "/Users", ada)).body;
		w.db.$client.run("UPDATE memberships SET role = CASE role WHEN 'OWNER' THEN 'ADMIN' ELSE 'OWNER' END");
		refused(
			await scim("PATCH", `/Users/${id}`, patch({ op: "replace", path: "active", value: false })),
			400,
			"mutability",
			"last owner",
		);
		refused(await scim("DELETE", `/Users/${id}`), 400, "mutability", "last owner");
		expect((await scim("GET", `/Users/${id}`)).body.active).toBe(true);
	});

	test("in another account are members here as well, and there as they were", async () => {
		const { w, scim } = await provisioning();
		bearerOf(w, "OWNER", "ada@example.test", w.foreignActor);
		const { id } = (await scim("POST", "/Users", ada)).body;
		expect(members(w)).toEqual([{ email: "ada@example.test", role: "SUPPORT", isIn: 1 }]);
		await scim("PATCH", `/Users/${id}`, patch({ op: "replace", path: "displayName", value: "Somebody else" }));
		expect(w.db.$client.query("SELECT name FROM users WHERE email = 'ada@example.test'").get()).toEqual({ name: null });
	});

	test.each<[string, unknown, string, string]>([
		["no JSON", "{", "invalidValue", "JSON"],
		["no userName", { emails: ada.emails }, "invalidValue", "userName"],
		["a number for a name", { userName: 5 }, "invalidValue", "userName"],
		["a name that is too long", { userName: longText(321) }, "invalidValue", "userName"],
		["no address", { userName: "ada" }, "invalidValue", "e-mail"],
		["an address with another script's letter", { userName: "boo\u212A@example.test" }, "invalidValue", "e-mail"],
		["an address that is none", { userName: "ada", emails: [{ value: "ada" }] }, "invalidValue", "e-mail"],
		["a word for active", { userName: "ada@example.test", active: "maybe" }, "invalidValue", "active"],
	])("with %s: 400", async (_, body, scimType, says) => {
		const { w, scim } = await provisioning();
		refused(await scim("POST", "/Users", body), 400, scimType, says);
		expect(members(w)).toEqual([]);
	});

	test.each<[string, unknown, string]>([
		["no operations", patch(), "invalidValue"],
		["an unknown operation", patch({ op: "move", path: "active" }), "invalidValue"],
		["nothing to remove", patch({ op: "remove" }), "noTarget"],
		["a value that is none", patch({ op: "replace", value: 5 }), "invalidValue"],
		["a path that is none", patch({ op: "replace", path: "a b", value: 5 }), "invalidPath"],
		["active removed", patch({ op: "remove", path: "active" }), "mutability"],
		["a number for active", patch({ op: "replace", path: "active", value: 0 }), "invalidValue"],
		["an address that is none", patch({ op: "replace", path: "emails.value", value: "x" }), "invalidValue"],
		["one good and one bad", patch({ op: "replace", path: "displayName", value: "X" }, { op: "remove" }), "noTarget"],
	])("changed by %s: 400, and nothing is changed", async (_, body, scimType) => {
		const { scim } = await provisioning();
		const { body: made } = await scim("POST", "/Users", ada);
		refused(await scim("PATCH", `/Users/${made.id}`, body), 400, scimType);
		expect((await scim("GET", `/Users/${made.id}`)).body).toEqual(made);
	});
});

describe("groups", () => {
	const people = async (scim: Provisioning["scim"], ...names: string[]) =>
		Promise.all(
			names.map(async (name) => (await scim("POST", "/Users", { userName: `${name}@example.test` })).body.id),
		);

	test("give their members the role of the mapping, by name or by external id, and take it away", async () => {
		const { w, scim } = await provisioning({
			roleMapping: {
				groups: [
					{ value: "billing-admins", role: "ADMIN" },
					{ value: "g-42", role: "FINANCE" },
				],
				default: "READ_ONLY",
			},
		});
		const [ada, bob] = await people(scim, "ada", "bob");
		const made = await scim("POST", "/Groups", {
			displayName: "billing-admins",
			members: [{ value: ada, display: "Ada" }],
		});
		expect(made.status).toBe(201);
		const { id } = made.body;
		expect(made.body).toMatchObject({
			displayName: "billing-admins",
			members: [{ value: ada, display: "ada@example.test", $ref: `/api/v1/scim/v2/Users/${ada}` }],
		});
		expect((await scim("GET", `/Users/${ada}`)).body.groups).toMatchObject([{ value: id, display: "billing-admins" }]);
		const roles = () => (members(w) as Array<{ role: string }>).map(({ role }) => role);
		expect(roles()).toEqual(["ADMIN", "READ_ONLY"]);
		await scim("PATCH", `/Groups/${id}`, patch({ op: "Add", path: "members", value: [{ value: bob }] }));
		expect(roles()).toEqual(["ADMIN", "ADMIN"]);
		await scim("PATCH", `/Groups/${id}`, patch({ op: "remove", path: `members[value eq "${ada}"]` }));
		expect(roles()).toEqual(["READ_ONLY", "ADMIN"]);
		await scim("PATCH", `/Groups/${id}`, patch({ op: "Remove", path: "members", value: [{ value: bob }] }));
		expect(roles()).toEqual(["READ_ONLY", "READ_ONLY"]);
		await scim("PATCH", `/Groups/${id}`, patch({ op: "replace", path: "members", value: [{ value: bob }] }));
		expect(roles()).toEqual(["READ_ONLY", "ADMIN"]);
		// Under another name it gives what that gives.
		await scim(
			"PATCH",
			`/Groups/${id}`,
			patch({ op: "replace", value: { id, displayName: "money", externalId: "g-42" } }),
		);
		expect(roles()).toEqual(["READ_ONLY", "FINANCE"]);
		expect((await scim("DELETE", `/Groups/${id}`)).status).toBe(204);
		expect(roles()).toEqual(["READ_ONLY", "READ_ONLY"]);
		refused(await scim("GET", `/Groups/${id}`), 404, undefined, id);
	});

	test("let in whom nothing else gives a role, and sign out who leaves", async () => {
		const { w, scim } = await provisioning({
			roleMapping: { groups: [{ value: "staff", role: "SUPPORT" }], default: null },
		});
		const [ada] = await people(scim, "ada");
		expect(members(w)).toEqual([]);
		const { id } = (await scim("POST", "/Groups", { displayName: "staff", members: [{ value: ada }] })).body;
		expect(members(w)).toEqual([{ email: "ada@example.test", role: "SUPPORT", isIn: 1 }]);
		const session = sessionOf(w, "ada@example.test");
		await scim("PUT", `/Groups/${id}`, { displayName: "staff" });
		expect(members(w)).toEqual([{ email: "ada@example.test", role: "SUPPORT", isIn: 0 }]);
		expect((await w.call("GET", "/products", { key: "", headers: session })).status).toBe(401);
	});

	test("are listed ten at a time with their members, and a hundred without", async () => {
		const { scim } = await provisioning();
		for (let at = 0; at < 12; at += 1) await scim("POST", "/Groups", { displayName: `group ${at}` });
		const page = async (query: string) => {
			const { totalResults, itemsPerPage, Resources } = (await scim("GET", `/Groups?${query}`)).body;
			return [totalResults, itemsPerPage, Resources.length];
		};
		expect(await page("count=100")).toEqual([12, 10, 10]);
		expect(await page("startIndex=11&count=100")).toEqual([12, 2, 2]);
		expect(await page("count=100&excludedAttributes=members")).toEqual([12, 12, 12]);
	});

	test("are listed, found by name, and shown without their members where that is asked for", async () => {
		const { scim } = await provisioning();
		const [ada] = await people(scim, "ada");
		const { id } = (await scim("POST", "/Groups", { displayName: "staff", members: [{ value: ada }] })).body;
		await scim("POST", "/Groups", { displayName: "others", externalId: "g-2" });
		const list = async (query: string) => (await scim("GET", `/Groups${query}`)).body;
		expect((await list("")).totalResults).toBe(2);
		expect((await list(`?filter=${encodeURIComponent('displayName eq "staff"')}`)).Resources).toMatchObject([{ id }]);
		expect((await list(`?filter=${encodeURIComponent('externalId eq "g-2"')}`)).totalResults).toBe(1);
		const [bare] = (await list("?excludedAttributes=members&count=1")).Resources;
		expect(bare.members).toBeUndefined();
		expect((await scim("GET", `/Groups/${id}?excludedAttributes=members`)).body.members).toBeUndefined();
		refused(await scim("POST", "/Groups", { displayName: "staff" }), 409, "uniqueness", "staff");
	});

	test.each<[string, unknown, string]>([
		["no name", {}, "invalidValue"],
		["a number for a name", { displayName: 5 }, "invalidValue"],
		["a member that is no user", { displayName: "g", members: [{ value: "nobody" }] }, "invalidValue"],
		["members that are no list", { displayName: "g", members: "all" }, "invalidValue"],
	])("with %s: 400, and none is made", async (_, body, scimType) => {
		const { scim } = await provisioning();
		refused(await scim("POST", "/Groups", body), 400, scimType);
		expect((await scim("GET", "/Groups")).body.totalResults).toBe(0);
	});

	test.each<[string, unknown, string]>([
		["nothing to remove", patch({ op: "remove" }), "noTarget"],
		["no name any more", patch({ op: "remove", path: "displayName" }), "mutability"],
		["a member added by its own path", patch({ op: "add", path: 'members[value eq "x"]', value: 1 }), "invalidPath"],
		["members that are none", patch({ op: "add", path: "members", value: [{ id: "x" }] }), "invalidValue"],
		["a path that is none", patch({ op: "replace", path: "a b", value: 1 }), "invalidPath"],
	])("changed by %s: 400", async (_, body, scimType) => {
		const { scim } = await provisioning();
		const { id } = (await scim("POST", "/Groups", { displayName: "g" })).body;
		refused(await scim("PATCH", `/Groups/${id}`, body), 400, scimType);
	});

	test("go with their provider", async () => {
		const { w, scim, owner, id } = await provisioning();
		const [ada] = await people(scim, "ada");
		await scim("POST", "/Groups", { displayName: "g", members: [{ value: ada }] });
		expect((await w.call("DELETE", `/identity-providers/${id}`, { key: "", headers: owner })).status).toBe(200);
		for (const table of ["identities", "scim_groups", "scim_group_members"])
			expect(w.db.$client.query(`SELECT * FROM ${table}`).all()).toEqual([]);
		expect(members(w)).toHaveLength(1);
	});
});

describe("the capabilities of this service", () => {
	test("are reported in the form that providers request", async () => {
		const { scim } = await provisioning();
		expect((await scim("GET", "/ServiceProviderConfig")).body).toMatchObject({
			schemas: ["urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig"],
			...{ patch: { supported: true }, bulk: { supported: false }, filter: { supported: true, maxResults: 100 } },
		});
		expect((await scim("GET", "/ResourceTypes")).body.Resources).toMatchObject([
			{ id: "User", endpoint: "/Users", schema: userSchema },
			{ id: "Group", endpoint: "/Groups" },
		]);
		expect((await scim("GET", "/ResourceTypes/Group")).body.name).toBe("Group");
		expect((await scim("GET", `/Schemas/${userSchema}`)).body.name).toBe("User");
		expect((await scim("GET", "/Schemas")).body.totalResults).toBe(2);
		refused(await scim("GET", "/Schemas/unknown"), 404, undefined, "unknown");
		refused(await scim("GET", "/ServiceProviderConfig", undefined, "scim-unknown"), 401, undefined);
	});
});

/** Signed in by the provider, as far as the session goes. */
function sessionOf(w: World, email: string): Record<string, string> {
	const token = `session-${crypto.randomUUID()}`;
	const hash = new Bun.CryptoHasher("sha256").update(token).digest("hex");
	const { id } = w.db.$client.query("SELECT id FROM users WHERE email = ?").get(email) as { id: string };
	w.db.$client.run(
		"INSERT INTO sessions (id, user_id, token_hash, provider_id, expires_at, created_at) VALUES (?, ?, ?, (SELECT id FROM identity_providers), ?, 0)",
		[token, id, hash, w.clock.at + 3_600_000],
	);
	return { authorization: `Bearer ${token}`, "x-environment-id": w.environmentId };
}
