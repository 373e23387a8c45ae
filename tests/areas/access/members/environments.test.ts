import { beforeEach, expect, test } from "bun:test";
import { addMember } from "../../../../src/areas/access/members/operations";
import { createRole } from "../../../../src/areas/access/members/operations.roles";
import type { Standing } from "../../../../src/areas/access/members/rules";
import { addEnvironment, startSession } from "../../../../src/areas/access/operations";
import { systemActor } from "../../../../src/areas/access/rules.actors";
import { type World, world } from "../../../support/world";
import { calling } from "../people";

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
function somebody(standing: (role: string) => Standing) {
	const token = w.transactions.write(systemActor("", w.actor.accountId), (work) => {
		const { id } = createRole(work, { name: "Environments", scopes: ["ENVIRONMENT:WRITE"] });
		const member = addMember(work, { email: "ada@example.com", name: null, passwordHash: null, ...standing(id) });
		return startSession(work, member.user).token;
	});
	const call = calling(w, token);
	return (method: string, path: string, body?: unknown) => call(method, path, body, { "x-environment-id": sandbox });
}

test("who may write one environment makes no others", async () => {
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
