import { beforeEach, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { createUser } from "../../../src/areas/access/operations";
import { systemActor } from "../../../src/areas/access/rules.actors";
import { erasePersonal } from "../../../src/areas/audit/operations";
import { checkAuditLog } from "../../../src/areas/audit/operations.check";
import { purgeEntries } from "../../../src/areas/audit/retention";
import { lastRecordedBefore } from "../../../src/areas/audit/store";
import { provisionCustomer } from "../../../src/areas/customers/operations";
import type { Instant } from "../../../src/kernel/clock";
import { dryRun } from "../../../src/kernel/dry-run";
import { fail } from "../../../src/kernel/errors";
import { data } from "../../graphql/ask";
import { mutate } from "../../graphql/mutate";
import { entriesOf, expectWholeLog } from "../../support/audit";
import { type World, world } from "../../support/world";

let here: World;
beforeEach(() => {
	here = world();
});

const entries = async (query = "") => (await here.call("GET", `/audit-log${query}`)).body.data;
const findings = () => here.transactions.read(systemActor(""), checkAuditLog);

describe("an entry", () => {
	test("says who did what by which request, when, and what changed", async () => {
		await here.call("POST", "/customers", { body: { id: "acme", name: "Acme", email: "a@acme.example" } });
		here.clock.at = (here.clock.at + 1000) as typeof here.clock.at;
		const headers = { "x-request-id": "request-1" };
		await here.call("PATCH", "/customers/acme", {
			body: { name: "Acme Ltd" },
			headers,
			address: "192.0.2.7",
		});
		const [last, first] = await entries("?limit=2");
		expect(last).toEqual({
			id: expect.any(String),
			sequence: first.sequence + 1,
			environmentId: here.environmentId,
			at: "2026-01-31T00:00:01.000Z",
			recordedAt: "2026-01-31T00:00:01.000Z",
			actor: { type: "APP_SERVER", id: expect.any(String), name: expect.any(String) },
			requestId: "request-1",
			address: "192.0.2.7",
			operation: "customers.update",
			entityType: "Customer",
			entityId: expect.any(String),
			entityRef: "acme",
			changes: [
				{
					entityType: "Customer",
					entityId: last.entityId,
					entityRef: "acme",
					action: "updated",
					fields: { name: { before: "Acme", after: "Acme Ltd" } },
					isErased: false,
				},
			],
			changesCount: 1,
			hash: expect.stringMatching(/^[0-9a-f]{64}$/),
		});
		expect(first.changes[0].fields).toMatchObject({ refId: { before: null, after: "acme" } });
	});

	test("has the environment's time next to the machine's", async () => {
		await here.advance("2026-06-01T00:00:00Z");
		await here.call("POST", "/customers", { body: { id: "acme" } });
		expect(await entries("?limit=1")).toMatchObject([
			{ at: "2026-06-01T00:00:00.000Z", recordedAt: "2026-01-31T00:00:00.000Z" },
		]);
	});

	test("shows no secrets", async () => {
		const scopes = [{ resource: "CUSTOMER", action: "READ" }];
		const made = await here.call("POST", "/api-keys", { body: { displayName: "Reader", scopes } });
		const [entry] = await entries("?operation=apiKeys.create");
		expect(entry.changes[0].fields.hash).toEqual({ before: null, after: "[secret]" });
		const text = JSON.stringify(entriesOf(here));
		expect(text).not.toContain(made.body.data.token);
		expect(text).not.toContain(createHash("sha256").update(made.body.data.token).digest("hex"));
	});

	test("is one for each field of a GraphQL mutation, by the field's name", async () => {
		await mutate(here, "provisionCustomer", { refId: "acme", name: "Acme" });
		expect(await entries("?limit=1")).toMatchObject([{ operation: "provisionCustomer", entityRef: "acme" }]);
		const { auditLog } = await data(
			here,
			'{ auditLog(filter: { operation: { eq: "provisionCustomer" } }) { edges { node { sequence actor { type } changes } } } }',
		);
		expect(auditLog.edges).toMatchObject([
			{ node: { actor: { type: "APP_SERVER" }, changes: [{ action: "created" }] } },
		]);
	});

	test("is found in GraphQL by the row id of its entity", async () => {
		await here.call("POST", "/customers", { body: { id: "acme" } });
		const [{ entityId }] = await entries("?limit=1");
		for (const filter of [
			`{ eq: "${entityId}" }`,
			`{ in: ["${entityId}"] }`,
			`{ iLike: "${entityId.slice(0, 9)}%" }`,
		]) {
			const { auditLog } = await data(
				here,
				`{ auditLog(filter: { entityId: ${filter} }) { edges { node { entityRef } } } }`,
			);
			expect(auditLog.edges).toContainEqual({ node: { entityRef: "acme" } });
		}
	});

	test("names the step that fell due, done by the service itself", async () => {
		await here.call("POST", "/customers", { body: { id: "acme" } });
		await here.call("POST", "/products", { body: { id: "app", displayName: "App" } });
		await here.call("POST", "/plans", { body: { id: "pro", displayName: "Pro", productId: "app" } });
		const pricePeriods = [{ billingPeriod: "MONTHLY", price: { amount: 20, currency: "usd" } }];
		const pricingModels = [{ billingModel: "FLAT_FEE", pricePeriods }];
		await here.call("PATCH", "/plans/pro", { body: { charges: { pricingType: "PAID", pricingModels } } });
		await here.call("POST", "/plans/pro/publish", { body: { migrationType: "NEW_CUSTOMERS" } });
		await here.call("POST", "/subscriptions", {
			body: { id: "sub-1", customerId: "acme", planId: "pro", billingPeriod: "MONTHLY" },
		});
		await here.advance("P2M");
		const renewals = await entries("?operation=scheduler.RENEW");
		expect(renewals).toMatchObject([{ actor: { type: "SYSTEM", id: "system" } }, {}]);
		expect((await entries("?entityId=sub-1&limit=100")).length).toBeGreaterThan(2);
		expect(await entries("?operation=environments.clock.turn")).toMatchObject([{ actor: { type: "APP_SERVER" } }]);
		expect(renewals[0].requestId).toBe((await entries("?operation=environments.clock.turn"))[0].requestId);
		expectWholeLog(here);
	});

	test("is left by a sign-in, in the log of the account, which no key may read", async () => {
		const passwordHash = await Bun.password.hash("correct horse", "bcrypt");
		const { accountId } = here.actor;
		here.transactions.write(systemActor(""), (work) =>
			createUser(work, { email: "ann@example.com", name: "Ann", passwordHash, accountId, role: "OWNER" }),
		);
		const signedIn = await here.call("POST", "/auth/login", {
			key: "",
			body: { email: "ann@example.com", password: "correct horse" },
		});
		const headers = {
			authorization: `Bearer ${signedIn.body.data.token}`,
			"x-account-id": accountId,
			"x-environment-id": here.environmentId,
		};
		const log = await here.call("GET", "/audit-log?level=account", { key: "", headers });
		expect(log.body.data[0]).toMatchObject({
			actor: { type: "USER", name: "Ann" },
			environmentId: null,
			entityType: "Session",
		});
		expect(JSON.stringify(log.body)).not.toContain(signedIn.body.data.token);
		expect(await here.call("GET", "/audit-log?level=account")).toMatchObject({
			status: 403,
			body: { code: "IdentityForbidden" },
		});
	});
});

describe("nothing is left", () => {
	test.each([
		["by what is refused", () => here.call("POST", "/customers", { body: { id: "" } })],
		["by what is refused by a rule", () => here.call("PATCH", "/customers/nobody", { body: { name: "X" } })],
		[
			"by a write that fails after it",
			async () => {
				const write = () =>
					here.transactions.write(here.actor, (work) => {
						provisionCustomer(work, { id: "acme" });
						throw fail("BadUserInput", "no");
					});
				expect(write).toThrow("no");
			},
		],
		[
			"by a rehearsal",
			async () =>
				here.transactions.write(here.actor, (work) => {
					dryRun(work, () => provisionCustomer(work, { id: "acme" }));
				}),
		],
		["by a change to what is there already", () => here.call("PATCH", "/customers/known", { body: { name: "K" } })],
	])("%s", async (_, act) => {
		await here.call("POST", "/customers", { body: { id: "known", name: "K" } });
		const before = entriesOf(here).length;
		await act();
		expect(entriesOf(here)).toHaveLength(before);
		expectWholeLog(here);
	});
});

test("a transaction in which a savepoint is undone records the rest", () => {
	here.transactions.write(here.actor, (work) => {
		provisionCustomer(work, { id: "one" });
		dryRun(work, () => provisionCustomer(work, { id: "two" }));
		provisionCustomer(work, { id: "three" });
	});
	const changes = JSON.parse(entriesOf(here).at(-1)?.changes ?? "");
	expect(changes.map(({ entityRef }: { entityRef: string }) => entityRef)).toEqual(["one", "three"]);
});

test("a write in two environments leaves an entry in each, and each sees its own", async () => {
	here.transactions.write(systemActor(""), ({ tx }) => {
		tx.run("UPDATE environments SET default_currency = 'chf'");
	});
	const both = entriesOf(here).slice(-2);
	expect(both.map(({ changes_count: count }) => count)).toEqual([1, 1]);
	expect(await entries("?limit=1")).toMatchObject([{ id: both[0]?.id }]);
	const [theirs] = (await here.call("GET", "/audit-log?limit=1", { key: here.foreignKey })).body.data;
	expect(theirs.id).toBe(both[1]?.id);
});

test("very much is cut, and says so", async () => {
	const metadata = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`key${at}`, "x".repeat(1000)]));
	here.transactions.write(here.actor, (work) => {
		for (let at = 0; at < 600; at += 1) provisionCustomer(work, { id: `c${at}`, metadata });
	});
	const [entry] = await entries("?limit=1");
	expect(entry.changesCount).toBe(600);
	expect(entry.changes.length).toBeLessThan(200);
	expect(entry.changes[0].fields.metadata).toMatchObject({ cut: JSON.stringify(metadata).length });
	expect(entry.changes[0].fields.metadata.after).toHaveLength(2000);
	expect(findings()).toEqual([]);
});

describe("reading", () => {
	beforeEach(async () => {
		for (const id of ["a", "b", "c", "d"]) await here.call("POST", "/customers", { body: { id } });
		await here.call("PATCH", "/customers/b", { body: { name: "B" } });
	});

	test("pages there and back, newest first", async () => {
		const first = (await here.call("GET", "/audit-log?limit=2")).body;
		const second = (await here.call("GET", `/audit-log?limit=2&after=${first.pagination.next}`)).body;
		expect([...first.data, ...second.data].map(({ entityRef }) => entityRef)).toEqual(["b", "d", "c", "b"]);
		const back = (await here.call("GET", `/audit-log?limit=2&before=${second.pagination.prev}`)).body;
		expect(back.data).toEqual(first.data);
	});

	test.each([
		["entityId=b", ["b", "b"]],
		["entityId=b&operation=customers.update", ["b"]],
		["entityId=b&entityType=Customer", ["b", "b"]],
		["entityId=b&entityType=Plan", []],
		["entityType=Customer&limit=3", ["b", "d", "c"]],
		["operation=customers.provision&entityType=Customer&limit=2", ["d", "c"]],
		["actorId=nobody", []],
		["createdAt[gte]=2999-01-01T00:00:00Z", []],
		["createdAt[lt]=2020-01-01T00:00:00Z&entityId=b", []],
		["createdAt[gt]=2020-01-01T00:00:00Z&createdAt[lte]=2999-01-01T00:00:00Z&entityId=a", ["a"]],
	])("by %s", async (query, refs) => {
		expect((await entries(`?${query}`)).map(({ entityRef }: { entityRef: string }) => entityRef)).toEqual(refs);
	});

	test("by actor", async () => {
		const [{ actor }] = await entries("?limit=1");
		expect(await entries(`?actorId=${actor.id}`)).toHaveLength(5);
	});

	test.each(["actor=x", "limit=0", "level=all", "after=x", `entityId=${"x".repeat(256)}`, "createdAt[gt]=soon"])(
		"400 for %s",
		async (query) => {
			expect(await here.call("GET", `/audit-log?${query}`)).toMatchObject({ status: 400 });
		},
	);

	test("needs its scope", async () => {
		const call = (scope: "AUDIT_LOG:READ" | "CUSTOMER:WRITE") =>
			here.call("GET", "/audit-log", { key: here.scopedKey(scope) });
		expect(await call("AUDIT_LOG:READ")).toMatchObject({ status: 200 });
		expect(await call("CUSTOMER:WRITE")).toMatchObject({ status: 403 });
	});

	test("as lines: each hash is that of the text before it, as docs/audit-log.md says", async () => {
		const { body } = await here.call("GET", "/audit-log", { headers: { accept: "application/x-ndjson" } });
		const lines = String(body).trimEnd().split("\n");
		let previous = "";
		for (const line of lines) {
			const text = `${line.slice(0, line.indexOf(',"hash":"'))}}`;
			const { hash, sequence, changes, personal } = JSON.parse(line);
			expect(createHash("sha256").update(`${previous}${text}`).digest("hex")).toBe(hash);
			for (const { position, salt, fields } of personal)
				expect(
					createHash("sha256")
						.update(`${salt}${JSON.stringify(fields)}`)
						.digest("hex"),
				).toBe(changes[position].personal);
			previous = hash;
			expect(sequence).toBe(lines.indexOf(line) + 1);
		}
		expect(lines.length).toBeGreaterThan(5);
	});

	test("as lines: only what is asked for, after an entry", async () => {
		const headers = { accept: "application/x-ndjson" };
		const lines = async (query: string) =>
			String((await here.call("GET", `/audit-log?${query}`, { headers })).body ?? "").split("\n");
		const all = await lines("entityId=b");
		expect(all).toHaveLength(3);
		expect(await lines(`entityId=b&after=${JSON.parse(all[0] ?? "").id}`)).toEqual(all.slice(1));
	});
});

describe("tampering is found", () => {
	beforeEach(async () => {
		for (const id of ["a", "b", "c"]) await here.call("POST", "/customers", { body: { id, name: `Name ${id}` } });
		here.db.$client.run("DROP TRIGGER audit_entries_stay");
		here.db.$client.run("DROP TRIGGER audit_entries_kept");
	});
	const last = "(SELECT max(rowid) FROM audit_entries)";

	test.each([
		["an entry that was changed", `UPDATE audit_entries SET operation = 'x' WHERE rowid = ${last} - 1`, /was changed/],
		["an entry that was taken out", `DELETE FROM audit_entries WHERE rowid = ${last} - 1`, /lacks entry/],
		["an end that was cut off", `DELETE FROM audit_entries WHERE rowid = ${last}`, /lacks its end/],
		["personal data that was changed", `UPDATE audit_personal SET fields = '{"name":{"after":"Z"}}'`, /personal/],
		["personal data that was taken out", "DELETE FROM audit_personal", /personal/],
	])("%s", (_, sql, finding) => {
		expect(findings()).toEqual([]);
		here.db.$client.run(sql);
		expect(findings()).toEqual([expect.stringMatching(finding)]);
	});
});

test("the file itself keeps entries from being changed, and from being removed out of the middle", async () => {
	await here.call("POST", "/customers", { body: { id: "a" } });
	expect(() => here.db.$client.run("UPDATE audit_entries SET operation = 'x'")).toThrow("never changed");
	expect(() => here.db.$client.run("DELETE FROM audit_entries")).toThrow("from its beginning only");
});

test("personal data is erased for good, its owner's alone, and the log still verifies", async () => {
	for (const id of ["a", "b"]) await here.call("POST", "/customers", { body: { id, name: `Name ${id}` } });
	const [{ entityId }] = await entries("?entityId=a");
	const erase = () => here.transactions.write(here.actor, (work) => erasePersonal(work, entityId));
	expect(erase()).toEqual({ erased: 1, next: undefined });
	expect(erase()).toEqual({ erased: 0, next: undefined });
	const [entry] = await entries("?entityId=a");
	expect(entry.changes[0]).toMatchObject({ isErased: true, fields: { refId: { after: "a" } } });
	expect(entry.changes[0].fields.name).toBeUndefined();
	const [other] = await entries("?entityId=b");
	expect(other.changes[0]).toMatchObject({ isErased: false, fields: { name: { after: "Name b" } } });
	expect(findings()).toEqual([]);
	const all = entriesOf(here).map(({ changes }) => changes);
	expect(JSON.stringify([all, here.db.$client.query("SELECT * FROM audit_personal").all()])).not.toContain("Name a");
});

test("entries past their retention are removed from the beginning, in batches; the rest verifies", async () => {
	for (const id of ["a", "b", "c"]) await here.call("POST", "/customers", { body: { id, name: id } });
	const day = 24 * 60 * 60 * 1000;
	here.clock.at = (here.clock.at + 10 * day) as typeof here.clock.at;
	await here.call("POST", "/customers", { body: { id: "young", name: "Young" } });
	const purge = (days: number) =>
		here.transactions.write(systemActor(""), (work) =>
			purgeEntries(work, lastRecordedBefore(work, (work.machineNow - days * day) as Instant), 2),
		);
	expect(purge(11)).toBe(0);
	const removed: number[] = [];
	for (let count = purge(9); count > 0; count = purge(9)) removed.push(count);
	expect(Math.max(...removed)).toBe(2);
	expect((await entries()).map(({ entityRef }: { entityRef: string }) => entityRef)).toEqual(["young"]);
	expect(await entries("?entityId=a")).toEqual([]);
	expect(findings()).toEqual([]);
	const left = [
		"audit_subjects WHERE entry NOT IN (SELECT serial FROM audit_entries)",
		"audit_personal WHERE entry_id NOT IN (SELECT unhex(replace(id, '-', '')) FROM audit_entries)",
	];
	for (const rows of left) expect(here.db.$client.query(`SELECT * FROM ${rows}`).all()).toEqual([]);
	here.db.$client.run("DROP TRIGGER audit_entries_kept");
	here.db.$client.run("DELETE FROM audit_entries");
	expect(findings()).not.toEqual([]);
});
