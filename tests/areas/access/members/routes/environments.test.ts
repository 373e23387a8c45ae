import { beforeEach, expect, test } from "bun:test";
import { addMember } from "../../../../../src/areas/access/members/operations";
import { createRole } from "../../../../../src/areas/access/members/operations.roles";
import type { Standing } from "../../../../../src/areas/access/members/rules";
import { addEnvironment, startSession } from "../../../../../src/areas/access/operations";
import { type Scope, systemActor } from "../../../../../src/areas/access/rules.actors";
import { type World, world } from "../../../../support/world";
import { calling } from "../../people";

let w: World;
let sandbox: string;
beforeEach(() => {
	w = world();
	const { accountId } = w.actor;
	sandbox = w.transactions.write(
		w.actor,
		(work) => addEnvironment(work, accountId, "sandbox", "SANDBOX").environment.id,
	);
});

/** Somebody with this standing, calling in the sandbox. */
function somebody(standing: (role: string) => Standing, scopes: readonly Scope[] = ["ENVIRONMENT:WRITE"]) {
	const token = w.transactions.write(systemActor("", w.actor.accountId), (work) => {
		const { id } = createRole(work, { name: "Environments", scopes });
		const member = addMember(work, { email: "ada@example.com", name: null, passwordHash: null, ...standing(id) });
		return startSession(work, member.user).token;
	});
	const call = calling(w, token);
	return (method: string, path: string, body?: unknown) => call(method, path, body, { "x-environment-id": sandbox });
}

test("a member who may write only one environment creates no others", async () => {
	const call = somebody(() => ({ role: "READ_ONLY", environmentRoles: [{ environmentId: sandbox, role: "ADMIN" }] }));
	expect((await call("PATCH", "/environments/current", { unknownCustomers: "accept" })).status).toBe(200);
	expect((await call("POST", "/environments", { name: "Mine" })).body.code).toBe("AccessDeniedError");
	expect((await call("GET", "/environments")).body.data).toHaveLength(2);
});

test("a catalogue is merged from where one may read it", async () => {
	const call = somebody((role) => ({ role, environmentRoles: [{ environmentId: sandbox, role: "ADMIN" }] }));
	const merge = (from: string) => call("POST", "/environments/current/merge", { from, dryRun: true });
	expect((await merge(w.environmentId)).body.code).toBe("EnvironmentMissing");
	const other = w.transactions.write(
		w.actor,
		(work) => addEnvironment(work, w.actor.accountId, "other", "SANDBOX").environment.id,
	);
	expect((await merge(other)).body.code).toBe("EnvironmentMissing");
});

test("a member without write access to coupons copies none, and one without read access sees none in a catalogue", async () => {
	const roles = (...scopes: Scope[]) => somebody((role) => ({ role, environmentRoles: [] }), scopes);
	const call = roles("ENVIRONMENT:WRITE", "CATALOG:WRITE", "COUPON:READ");
	const refused = { code: "AccessDeniedError", message: expect.stringContaining("COUPON:WRITE") };
	const body = { from: w.environmentId, dryRun: true };
	expect((await call("POST", "/environments/current/merge", body)).body).toMatchObject(refused);
	const graphql = (query: string) => w.call("POST", "/graphql", { key: w.scopedKey("CATALOG:READ"), body: { query } });
	const { errors } = (await graphql("{ dumpEnvironmentProductCatalog }")).body;
	expect(errors).toMatchObject([{ extensions: { code: "AccessDeniedError" } }]);
});

test("a catalogue is not merged from where one may not read its coupons", async () => {
	const call = somebody(
		(role) => ({ role, environmentRoles: [{ environmentId: sandbox, role: "ADMIN" }] }),
		["CATALOG:READ", "ENVIRONMENT:READ"],
	);
	const body = { from: w.environmentId, dryRun: true };
	expect((await call("POST", "/environments/current/merge", body)).body.code).toBe("EnvironmentMissing");
});
