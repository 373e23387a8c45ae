import { expect, test } from "bun:test";
import { world } from "../../../support/world";
import { accepting, collecting, collectorOf } from "../scripted";

const create = `mutation ($input: CreateProviderConnectionInput!) {
	createProviderConnection(input: $input) { id name account mode status hasWebhookSecret }
}`;
const input = { kind: "STRIPE", name: "Cards", mode: "TEST", secretKey: "sk_test_1" };

test("GraphQL creates, changes, lists and archives a connection as REST does", async () => {
	const w = world();
	const send = (query: string, variables: unknown = {}, key = w.key) =>
		collecting(collectorOf(w, accepting()), w.call("POST", "/graphql", { key, body: { query, variables } }));
	const made = (await send(create, { input })).body.data.createProviderConnection;
	const { id, ...rest } = made;
	const shown = { account: "Acme Payments", mode: "TEST", status: "ACTIVE", hasWebhookSecret: false };
	expect(rest).toEqual({ name: "Cards", ...shown });
	const update =
		"mutation ($input: UpdateProviderConnectionInput!) { updateProviderConnection(input: $input) { name } }";
	const changed = await send(update, { input: { id, name: "Wallets" } });
	expect(changed.body.data.updateProviderConnection).toEqual({ name: "Wallets" });
	const list = await send("{ providerConnections { edges { node { id name } } } }");
	expect(list.body.data.providerConnections.edges).toEqual([{ node: { id, name: "Wallets" } }]);
	const one = `{ providerConnection(id: "${id}") { name } }`;
	expect((await send(one)).body.data.providerConnection).toEqual({ name: "Wallets" });
	expect((await send(one, {}, w.foreignKey)).body.errors[0].extensions.code).toBe("IntegrationNotFound");
	const archive = `mutation { archiveProviderConnection(input: { id: "${id}" }) { status } }`;
	expect((await send(archive)).body.data.archiveProviderConnection).toEqual({ status: "ARCHIVED" });
});

test("GraphQL rejects what REST rejects, and needs the same scope", async () => {
	const w = world();
	const send = (variables: unknown, key = w.key) =>
		collecting(collectorOf(w, accepting()), w.call("POST", "/graphql", { key, body: { query: create, variables } }));
	const bad = await send({ input: { ...input, secretKey: "two words" } });
	expect(bad.body.errors[0].extensions.code).toBe("BadUserInput");
	const live = await send({ input: { ...input, mode: "LIVE" } });
	expect(live.body.errors[0].extensions.code).toBe("InvalidArgumentError");
	const forbidden = await send({ input }, w.scopedKey("ENVIRONMENT:READ"));
	expect(forbidden.body.errors[0].extensions.code).toBe("AccessDeniedError");
	expect((await w.call("GET", "/provider-connections")).body.data).toEqual([]);
});
