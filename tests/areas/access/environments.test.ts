import { beforeEach, describe, expect, test } from "bun:test";
import type { BuiltInRole as Role } from "../../../src/areas/access/members/rules";
import { createUser } from "../../../src/areas/access/operations";
import { signingSecret } from "../../../src/areas/access/rules.secrets";
import { type Answer, folderSecret, type World, world } from "../../support/world";
import { apply } from "../catalog/files";

const password = "a long pass phrase";
const passwordHash = await Bun.password.hash(password, { algorithm: "argon2id", memoryCost: 1024, timeCost: 1 });

let w: World;
beforeEach(() => {
	w = world();
});

/** A user who is signed in, in our account; the calls are in our environment unless they name another one. */
async function user(role: Role = "OWNER") {
	const { accountId } = w.actor;
	const email = `${role.toLowerCase()}@example.com`;
	w.transactions.write(w.actor, (work) => createUser(work, { email, name: null, passwordHash, accountId, role }));
	const { body } = await w.call("POST", "/auth/login", { key: "", body: { email, password } });
	const authorization = `Bearer ${body.data.token}`;
	return (method: string, path: string, sent?: unknown, environment = w.environmentId): Promise<Answer> =>
		w.call(method, path, { key: "", body: sent, headers: { authorization, "x-environment-id": environment } });
}

const names = ({ body }: Answer): string[] => body.data.map(({ name }: { name: string }) => name);
const catalogue =
	"version: 1\nproducts: [{ id: app, displayName: App }]\nplans: [{ id: pro, productId: app, displayName: Pro, charges: { pricingType: FREE } }]\n";

describe("environments", () => {
	test("are seen by the users of their account; a key sees its own", async () => {
		const call = await user();
		const made = await call("POST", "/environments", {
			name: "Staging",
			defaultCurrency: "eur",
			clientHardening: true,
		});
		expect([made.status, made.body.data]).toEqual([
			201,
			{
				...{ id: expect.any(String), accountId: w.actor.accountId, name: "Staging", type: "SANDBOX", status: "ACTIVE" },
				...{ unknownCustomers: "refuse", clientHardening: true, allowedOrigins: [], defaultCurrency: "eur" },
				...{ billingAnchor: "SUBSCRIPTION_START", prorationMode: "BY_TIME", governance: true, timeZone: "UTC" },
				...{ timeZoneSource: "ENVIRONMENT", createdAt: expect.any(String), archivedAt: null },
				...{ fullAccessKey: expect.stringMatching(/^server-/), publishableKey: expect.stringMatching(/^client-/) },
			},
		]);
		expect(names(await call("GET", "/environments"))).toEqual(["Staging", "main"]);
		expect(names(await w.call("GET", "/environments"))).toEqual(["main"]);
		expect(names(await w.call("GET", "/environments", { key: made.body.data.fullAccessKey }))).toEqual(["Staging"]);
		expect(names(await w.call("GET", "/environments?status=ARCHIVED"))).toEqual([]);
		expect((await w.call("GET", `/environments?after=${w.foreignEnvironmentId}`)).status).toBe(400);
		expect(await call("POST", "/environments", { name: "Staging" })).toMatchObject({
			...{ status: 409, body: { code: "DuplicatedEntityNotAllowed" } },
		});
	});

	test("have their settings changed from within, and no others", async () => {
		const call = await user();
		const settings = {
			...{ name: "Live", unknownCustomers: "accept", clientHardening: true, defaultCurrency: "chf" },
			...{ allowedOrigins: ["https://a.example"], billingAnchor: "START_OF_THE_MONTH", governance: false },
		};
		const { body } = await w.call("PATCH", "/environments/current", { body: settings });
		expect(body.data).toMatchObject(settings);
		expect(body.data.signingSecret).toBe(signingSecret(folderSecret, w.environmentId));
		expect((await w.call("GET", `/environments/${w.environmentId}`)).body.data).toMatchObject(settings);
		expect((await w.call("PATCH", "/environments/current", { body: {} })).body.data.signingSecret).toBeNull();
		const other = (await call("POST", "/environments", { name: "Other" })).body.data;
		for (const id of [other.id, w.foreignEnvironmentId]) {
			expect(await w.call("GET", `/environments/${id}`)).toMatchObject({
				status: 404,
				body: { code: "EnvironmentMissing" },
			});
			expect((await w.call("PATCH", `/environments/${id}`, { body: { name: "Mine" } })).status).toBe(404);
		}
		const taken = await w.call("PATCH", "/environments/current", { body: { name: "Other" } });
		expect([taken.status, taken.body.code]).toEqual([409, "DuplicatedEntityNotAllowed"]);
	});

	test.each<[string, object]>([
		["an empty name", { name: "" }],
		["a currency that there is not", { defaultCurrency: "xxz" }],
		["an origin with a path", { allowedOrigins: ["https://a.example/x"] }],
		["its kind, which is fixed", { type: "PRODUCTION" }],
		["a frozen clock, which has its own route", { clockAt: 0 }],
	])("%s: 400", async (_, body) => {
		expect(await w.call("PATCH", "/environments/current", { body })).toMatchObject({ status: 400 });
	});

	test("show the secret of their full-access key to an owner only; who may write keys creates scoped ones there", async () => {
		const admin = await user("ADMIN");
		const member = await user("MEMBER");
		for (const [call, name] of [
			[admin, "By an admin"],
			[member, "By a member"],
		] as const) {
			const { status, body } = await call("POST", "/environments", { name });
			expect([status, body.data.fullAccessKey, body.data.publishableKey]).toEqual([
				201,
				null,
				expect.stringMatching(/^client-/),
			]);
			const query = `mutation { createOneEnvironment(input: { name: "${name}, too" }) { fullAccessKey publishableKey } }`;
			const { data } = (await call("POST", "/graphql", { query })).body;
			expect([data.createOneEnvironment.fullAccessKey, data.createOneEnvironment.publishableKey]).toEqual([
				null,
				expect.stringMatching(/^client-/),
			]);
			const scopes = [{ resource: "CUSTOMER", action: "WRITE" }];
			const key = await call("POST", "/api-keys", { displayName: "Own", scopes }, body.data.id);
			expect(key.status).toBe(call === admin ? 201 : 403);
			const owner = (await call("GET", "/api-keys?keyType=SERVER", undefined, body.data.id)).body.data[0];
			expect((await call("POST", `/api-keys/${owner.id}/rotate`, {}, body.data.id)).status).toBe(403);
		}
	});

	test("are made and archived by people with the right to write", async () => {
		const member = await user("READ_ONLY");
		expect((await member("POST", "/environments", { name: "Mine" })).status).toBe(403);
		for (const path of ["/environments", "/environments/current/archive"]) {
			const body = path === "/environments" ? { name: "Mine" } : undefined;
			expect(await w.call("POST", path, { body })).toMatchObject({ status: 403, body: { code: "IdentityForbidden" } });
		}
	});

	test("archived: keys and users are refused there, nothing falls due, and the last one stays", async () => {
		const call = await user();
		const last = await call("POST", "/environments/current/archive");
		expect([last.status, last.body.code]).toEqual([400, "InvalidArgumentError"]);
		const { id, fullAccessKey: key } = (await call("POST", "/environments", { name: "Old" })).body.data;
		expect((await w.call("GET", "/customers", { key })).status).toBe(200);
		const archived = await call("POST", `/environments/${id}/archive`, undefined, id);
		expect(archived.body.data).toMatchObject({ status: "ARCHIVED", archivedAt: "2026-01-31T00:00:00.000Z" });
		expect((await w.call("GET", "/customers", { key })).status).toBe(401);
		expect(await call("GET", "/customers", undefined, id)).toMatchObject({
			status: 403,
			body: { code: "IdentityForbidden" },
		});
		expect(names(await call("GET", "/environments"))).toEqual(["main"]);
		expect(names(await call("GET", "/environments?status=ACTIVE,ARCHIVED"))).toEqual(["Old", "main"]);
		const me = (await call("GET", "/me")).body.data.memberships[0].environments;
		expect(me.map(({ name }: { name: string }) => name)).toEqual(["main"]);
	});
});

describe("a merge", () => {
	test("takes over the catalogue of another environment; a dry run changes nothing, and again is no change", async () => {
		apply(w, catalogue);
		const call = await user();
		const { id, fullAccessKey: key } = (await call("POST", "/environments", { name: "Next" })).body.data;
		const merge = (sent: object) => call("POST", `/environments/${id}/merge`, { from: "main", ...sent }, id);
		const dry = await merge({ dryRun: true });
		expect(dry.body.data.changes.map((change: { list: string; id: string }) => [change.list, change.id])).toEqual([
			["products", "app"],
			["plans", "pro"],
		]);
		expect((await w.call("GET", "/plans", { key })).body.data).toEqual([]);
		expect((await merge({ from: w.environmentId })).body.data).toEqual(dry.body.data);
		expect((await w.call("GET", "/plans", { key })).body.data).toMatchObject([{ id: "pro", status: "PUBLISHED" }]);
		expect((await merge({})).body.data).toEqual({ changes: [], kept: [], taskIds: [] });
		await w.call("PATCH", "/products/app/portal-settings", { body: { cancel: false } });
		expect((await merge({})).body.data.changes).toMatchObject([{ list: "products", id: "app", action: "change" }]);
		expect((await w.call("GET", "/products/app/portal-settings", { key })).body.data.cancel).toBe(false);
	});

	test("keeps what only this one has, unless it is pruned", async () => {
		apply(w, catalogue);
		const call = await user();
		const { id } = (await call("POST", "/environments", { name: "Empty" })).body.data;
		const merge = (sent: object) => call("POST", "/environments/current/merge", { from: id, ...sent });
		expect((await merge({})).body.data.kept.map(({ id }: { id: string }) => id)).toEqual(["app", "pro"]);
		expect((await merge({ prune: true, dryRun: true })).body.data.changes).toHaveLength(2);
	});

	test("is refused whole where something cannot be made so", async () => {
		apply(
			w,
			catalogue.replace("products:", "features: [{ id: sso, displayName: SSO, featureType: BOOLEAN }]\nproducts:"),
		);
		const call = await user();
		const { id, fullAccessKey: key } = (await call("POST", "/environments", { name: "Next" })).body.data;
		const feature = { id: "sso", displayName: "SSO", featureType: "NUMBER", meterType: "FLUCTUATING" };
		await w.call("POST", "/features", { key, body: feature });
		for (const dryRun of [true, false]) {
			const answer = await call("POST", `/environments/${id}/merge`, { from: "main", dryRun }, id);
			expect([answer.status, answer.body.code]).toEqual([400, "MergeEnvironmentValidationError"]);
			expect(answer.body.message).toContain("sso");
		}
		expect((await w.call("GET", "/products", { key })).body.data).toEqual([]);
		const self = await call("POST", "/environments/current/merge", { from: "main" });
		expect([self.status, self.body.code]).toEqual([400, "MergeEnvironmentValidationError"]);
	});

	test("reaches no environment that the caller does not see", async () => {
		const call = await user();
		const { id } = (await call("POST", "/environments", { name: "Next" })).body.data;
		const missing = { status: 404, body: { code: "EnvironmentMissing" } };
		for (const from of [id, w.foreignEnvironmentId, "Next"])
			expect(await w.call("POST", "/environments/current/merge", { body: { from } })).toMatchObject(missing);
		expect(await call("POST", "/environments/current/merge", { from: w.foreignEnvironmentId })).toMatchObject(missing);
		expect(await call("POST", `/environments/${id}/merge`, { from: "main" })).toMatchObject(missing);
	});
});
