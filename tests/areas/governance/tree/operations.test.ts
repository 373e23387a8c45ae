import { expect, test } from "bun:test";
import { ask } from "../../../graphql/ask";
import { must, site } from "../site";

test("includeUsage shows the usage of all budgets, however many there are, by REST and GraphQL", async () => {
	const ours = await site();
	const agents = Array.from({ length: 130 }, (_, at) => `agent-${at}`);
	await ours.budget(
		{ entityId: "drafter", currencyId: "credits", usageLimit: 9 },
		{ entityId: "drafter", featureId: "blocks", usageLimit: 8 },
	);
	for (const ids of [agents.slice(0, 100), agents.slice(100)]) {
		const entities = ids.map((id) => ({ id, entityTypeId: "agent" }));
		await must(ours.call("PUT", "/customers/acme/entities", { body: { entities } }));
		await ours.budget(...ids.map((entityId) => ({ entityId, usageLimit: 10 })));
	}
	await must(ours.consume(3, { agentId: "drafter" }, "images"));
	const pageOf = async (query: string) =>
		(await must(ours.call("GET", `/customers/acme/governance?limit=100&sortBy=createdAt&order=asc${query}`))).body;
	const named = await pageOf("&featureIds=tokens,blocks&currencyIds=credits");
	const all = await pageOf("&includeUsage=true");
	expect(all).toEqual(named);
	expect(all.data[0]).toMatchObject({ currencyId: "credits", usageLimit: 9, currentUsage: 6 });
	const after = encodeURIComponent(all.pagination.next);
	expect((await pageOf(`&includeUsage=true&after=${after}`)).data).toHaveLength(32);
	for (const query of ["", "&includeUsage=false"])
		expect((await pageOf(query)).data[0]).toMatchObject({ usageLimit: null, currentUsage: null });
	expect((await ours.call("GET", "/customers/acme/governance?includeUsage=yes")).status).toBe(400);
	const input = 'customerId: "acme" limit: 1 sortBy: createdAt order: asc';
	const graphql = async (more: string) =>
		(await ask(ours, `{ governanceTree(input: { ${input} ${more} }) { data { usageLimit currentUsage } } }`)).data
			.governanceTree.data;
	expect(await graphql("includeUsage: true")).toEqual([{ usageLimit: 9, currentUsage: 6 }]);
	expect(await graphql("")).toEqual([{ usageLimit: null, currentUsage: null }]);
});
