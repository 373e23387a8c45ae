import { describe, expect, test } from "bun:test";
import { members, type Provisioning, patch, provisioning, refused, sessionOf } from "../provisioning";

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
