import { describe, expect, test } from "bun:test";
import { longText } from "../../support/world";
import { bearerOf } from "../identity-providers/support";
import { ada, enterprise, members, patch, provisioning, refused, sessionOf, userSchema } from "./provisioning";

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
