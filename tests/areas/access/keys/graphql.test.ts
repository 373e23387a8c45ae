import { beforeEach, describe, expect, test } from "bun:test";
import { createUser } from "../../../../src/areas/access/operations";
import { codes } from "../../../graphql/ask";
import { type World, world } from "../../../support/world";
import { apply } from "../../catalog/files";

const password = "a long pass phrase";
const passwordHash = await Bun.password.hash(password, { algorithm: "argon2id", memoryCost: 1024, timeCost: 1 });

let w: World;
beforeEach(() => {
	w = world();
});

const asked = async (query: string, key = w.key) => (await w.call("POST", "/graphql", { key, body: { query } })).body;

describe("API keys", () => {
	const create = 'createApiKey(input: { displayName: "Reports", scopes: [{ resource: CUSTOMER, action: READ }] })';

	test("are made, changed, rotated and ended; the secret is shown once", async () => {
		const { createApiKey: made } = (
			await asked(`mutation { ${create} { id token prefix keyType scopes { resource action } } }`)
		).data;
		expect(made).toMatchObject({ keyType: "SCOPED", scopes: [{ resource: "CUSTOMER", action: "READ" }] });
		expect((await w.call("GET", "/customers", { key: made.token })).status).toBe(200);
		const { data } = await asked(`mutation {
			updateApiKey(input: { id: "${made.id}", description: "Nightly", expireAt: "2026-03-01T00:00:00Z", allowedAddresses: ["10.0.0.0/8"] }) { description allowedAddresses token }
			rotateApiKey(input: { id: "${made.id}", keepUntil: "2026-02-01T00:00:00Z" }) { newApiKey { id token } oldApiKey { status token } }
			revokeApiKey(input: { id: "${made.id}" }) { status expireAt } }`);
		expect(data.updateApiKey).toEqual({ description: "Nightly", allowedAddresses: ["10.0.0.0/8"], token: null });
		expect(data.rotateApiKey).toEqual({
			newApiKey: { id: expect.any(String), token: expect.stringMatching(/^server-/) },
			oldApiKey: { status: "EXPIRING", token: null },
		});
		expect(data.revokeApiKey).toEqual({ status: "EXPIRED", expireAt: "2026-01-31T00:00:00.000Z" });
		const names = "edges { node { displayName status } } totalCount";
		const lists = await asked(
			`{ apiKeys(filter: { keyType: { eq: SCOPED } }) { ${names} } allApiKeys(filter: { keyType: { eq: SCOPED } }) { ${names} } }`,
		);
		expect([lists.data.apiKeys.totalCount, lists.data.allApiKeys.totalCount]).toEqual([1, 2]);
	});

	test("a secret is not kept under an Idempotency-Key", async () => {
		const body = { query: `mutation { ${create} { token } }` };
		const send = () => w.call("POST", "/graphql", { body, headers: { "idempotency-key": "once" } });
		const { token } = (await send()).body.data.createApiKey;
		expect((await send()).body.data.createApiKey.token).toBe(`${token.slice(0, 13)}…`);
		expect(JSON.stringify(w.db.$client.query("SELECT * FROM idempotency_keys").all())).not.toContain(token);
	});

	test("need their scope, give none that the caller lacks, and are those of one environment", async () => {
		const { id } = (await asked(`mutation { ${create} { id } }`)).data.createApiKey;
		expect(codes(await asked(`mutation { ${create} { id } }`, w.scopedKey("API_KEY:READ")))).toEqual([
			"AccessDeniedError",
		]);
		expect(codes(await asked(`mutation { ${create} { id } }`, w.scopedKey("API_KEY:WRITE")))).toEqual([
			"AccessDeniedError",
		]);
		expect(codes(await asked("{ apiKeys { totalCount } }", w.scopedKey("CUSTOMER:READ")))).toEqual([
			"AccessDeniedError",
		]);
		const foreign = await asked(`mutation { revokeApiKey(input: { id: "${id}" }) { id } }`, w.foreignKey);
		expect(codes(foreign)).toEqual(["ApiKeyNotFound"]);
		const { data } = await asked(
			`{ allApiKeys(filter: { id: { eq: "${id}" } }) { edges { node { id } } } }`,
			w.foreignKey,
		);
		expect(data.allApiKeys.edges).toEqual([]);
	});
});

test("a key that ends creates by GraphQL, too, only keys that end by then", async () => {
	const create = (more = "", key = w.key) =>
		asked(
			`mutation { createApiKey(input: { displayName: "Keys", scopes: [{ resource: API_KEY, action: WRITE }] ${more} }) { id token } }`,
			key,
		);
	const end = 'expireAt: "2026-01-31T01:00:00Z", allowedAddresses: ["0.0.0.0/0"]';
	const { id, token } = (await create('expireAt: "2026-01-31T01:00:00Z"')).data.createApiKey;
	expect(codes(await create("", token))).toEqual(["AccessDeniedError"]);
	expect((await create(end, token)).data.createApiKey.token).toStartWith("server-");
	const update = `mutation { updateApiKey(input: { id: "${id}", expireAt: null }) { id } }`;
	expect(codes(await asked(update, token))).toEqual(["AccessDeniedError"]);
	const { id: lasting } = (await create()).data.createApiKey;
	const rotate = `mutation { rotateApiKey(input: { id: "${lasting}" }) { newApiKey { token } } }`;
	expect(codes(await asked(rotate, token))).toEqual(["AccessDeniedError"]);
});

describe("environments", () => {
	/** A signed-in owner, in an environment of ours. */
	async function owner() {
		const { accountId } = w.actor;
		const email = "ada@example.com";
		w.transactions.write(w.actor, (work) =>
			createUser(work, { email, name: null, passwordHash, accountId, role: "OWNER" }),
		);
		const { body } = await w.call("POST", "/auth/login", { key: "", body: { email, password } });
		const authorization = `Bearer ${body.data.token}`;
		return async (query: string, environment = w.environmentId) =>
			(
				await w.call("POST", "/graphql", {
					key: "",
					body: { query },
					headers: { authorization, "x-environment-id": environment },
				})
			).body;
	}

	test("are listed, made, changed, compared, merged and archived", async () => {
		apply(w, "version: 1\nproducts: [{ id: app, displayName: App }]");
		const ask = await owner();
		const made = await ask(
			'mutation { createOneEnvironment(input: { name: "Next", defaultCurrency: EUR }) { id defaultCurrency fullAccessKey } }',
		);
		const { id, fullAccessKey, defaultCurrency } = made.data.createOneEnvironment;
		expect([defaultCurrency, fullAccessKey]).toEqual(["EUR", expect.stringMatching(/^server-/)]);
		const names = "environments { edges { node { name } } }";
		expect((await ask(`{ ${names} }`)).data.environments.edges).toHaveLength(2);
		expect((await asked(`{ ${names} environment { name } }`)).data).toEqual({
			...{ environments: { edges: [{ node: { name: "main" } }] }, environment: { name: "main" } },
		});
		const difference = { changes: [{ action: "add", list: "products", id: "app", fields: [] }], kept: [] };
		const shown = "{ changes { action list id fields { path } } kept { id } }";
		expect((await ask(`{ compareEnvironment(input: { from: "main" }) ${shown} }`, id)).data.compareEnvironment).toEqual(
			difference,
		);
		const merged = await ask(
			`mutation {
			tried: mergeEnvironment(input: { from: "main", dryRun: true }) ${shown}
			done: mergeEnvironment(input: { from: "main" }) ${shown}
			updateOneEnvironment(input: { unknownCustomers: accept }) { unknownCustomers } }`,
			id,
		);
		expect(merged.data).toEqual({
			tried: difference,
			done: difference,
			updateOneEnvironment: { unknownCustomers: "accept" },
		});
		const { data } = await ask("{ dumpEnvironmentProductCatalog }", id);
		expect(data.dumpEnvironmentProductCatalog.products).toMatchObject([{ id: "app" }]);
		expect((await ask("mutation { archiveEnvironment { status } }", id)).data.archiveEnvironment.status).toBe(
			"ARCHIVED",
		);
		expect((await ask(`{ ${names} }`)).data.environments.edges).toHaveLength(1);
	});

	test("a key neither makes nor archives nor reaches another one", async () => {
		const other = `mergeEnvironment(input: { from: "${w.foreignEnvironmentId}" }) { taskIds }`;
		expect(codes(await asked('mutation { createOneEnvironment(input: { name: "Mine" }) { id } }'))).toEqual([
			"IdentityForbidden",
		]);
		expect(codes(await asked("mutation { archiveEnvironment { id } }"))).toEqual(["IdentityForbidden"]);
		expect(codes(await asked(`mutation { ${other} }`))).toEqual(["EnvironmentMissing"]);
		expect(
			codes(await asked(`{ compareEnvironment(input: { from: "${w.foreignEnvironmentId}" }) { taskIds } }`)),
		).toEqual(["EnvironmentMissing"]);
		expect(codes(await asked(`mutation { ${other} }`, w.scopedKey("CATALOG:WRITE")))).toEqual(["AccessDeniedError"]);
		expect(codes(await asked("{ environments { totalCount } }", w.scopedKey("CATALOG:READ")))).toEqual([
			"AccessDeniedError",
		]);
	});
});
