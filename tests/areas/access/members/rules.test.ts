import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
	assertMayGrantRole,
	builtInRoleNames,
	covers,
	type Rights,
	rightsOfBuiltIn,
	roleIn,
	roleScopes,
	type Standing,
} from "../../../../src/areas/access/members/rules";
import type { Scope } from "../../../../src/areas/access/rules.actors";

const places = ["one", "two", "three"];
/** Roles by letters, so that what each may is in the test alone. */
const scopesOf: Readonly<Record<string, readonly Scope[]>> = {
	a: ["COUPON:READ"],
	b: ["COUPON:WRITE"],
	c: ["COUPON:READ", "CUSTOMER:WRITE"],
	d: ["COUPON:WRITE", "CUSTOMER:WRITE"],
};
const role = fc.constantFrom(...Object.keys(scopesOf));
const standing: fc.Arbitrary<Standing> = fc.record({
	role: fc.option(role, { nil: null }),
	environmentRoles: fc.uniqueArray(fc.record({ environmentId: fc.constantFrom(...places), role }), {
		selector: ({ environmentId }) => environmentId,
	}),
});
const rightsOf = (one: string | null): Rights => new Set(one === null ? [] : scopesOf[one]);

/** Everything that somebody may do anywhere, spelt out: WRITE is two rights. */
const spelt = (of: Standing): Set<string> =>
	new Set(
		[undefined, ...places].flatMap((place) => {
			const named = of.environmentRoles.find(({ environmentId }) => environmentId === place)?.role ?? of.role;
			const scopes = named === null ? [] : (scopesOf[named] ?? []);
			return scopes.flatMap((scope) =>
				scope.endsWith("WRITE")
					? [`${place} ${scope}`, `${place} ${scope.replace("WRITE", "READ")}`]
					: [`${place} ${scope}`],
			);
		}),
	);

describe("granting a role", () => {
	test("requires every permission of the role, everywhere", () => {
		fc.assert(
			fc.property(standing, standing, (mine, theirs) => {
				const have = spelt(mine);
				const may = [...spelt(theirs)].every((right) => have.has(right));
				if (may) assertMayGrantRole(mine, theirs, rightsOf);
				else expect(() => assertMayGrantRole(mine, theirs, rightsOf)).toThrow("has more rights than you");
			}),
		);
	});

	test("only an owner makes an owner", () => {
		for (const name of builtInRoleNames)
			expect([name, covers(rightsOfBuiltIn(name), rightsOfBuiltIn("OWNER"))]).toEqual([name, name === "OWNER"]);
		expect(covers(new Set(roleScopes), "everything")).toBe(false);
	});

	test("an admin gives every other role", () => {
		for (const name of builtInRoleNames.filter((one) => one !== "OWNER"))
			expect(covers(rightsOfBuiltIn("ADMIN"), rightsOfBuiltIn(name))).toBe(true);
	});
});

test("a role in an environment is the one that counts there", () => {
	const of: Standing = { role: "READ_ONLY", environmentRoles: [{ environmentId: "one", role: "ADMIN" }] };
	expect([roleIn(of, "one"), roleIn(of, "two"), roleIn(of)]).toEqual(["ADMIN", "READ_ONLY", "READ_ONLY"]);
	expect(roleIn({ ...of, role: null }, "two")).toBeNull();
});
