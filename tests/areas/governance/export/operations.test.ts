import { expect, test } from "bun:test";
import { must, type Site, site } from "../site";

const names =
	"entityId,entityTypeId,parentId,featureId,currencyId,scopeEntityIds,cadence,windowStart,windowEnd,usageLimit,currentUsage,reservedUsage,utilization";

const path = "/customers/acme/budgets.csv";

/** The rows of one page without the names, and the query of the next page. */
async function pageOf({ call }: Site, query = ""): Promise<{ rows: string[]; next: string | undefined }> {
	const { body, headers } = await must(call("GET", `${path}${query}`));
	expect(headers.get("content-type")).toBe("text/csv; charset=utf-8");
	const [first, ...rows] = String(body).split("\r\n");
	expect(first).toBe(names);
	expect(rows.pop()).toBe("");
	const link = headers.get("link");
	const next =
		link === null ? undefined : /^<\/api\/v1\/customers\/acme\/budgets\.csv(.*)>; rel="next"$/.exec(link)?.[1];
	return { rows, next };
}

test("has a row for each budget with the exact usage of its current window, the first created first", async () => {
	const ours = await site();
	await ours.budget(
		{ entityId: "research", usageLimit: 10 },
		{ entityId: "drafter", parentId: "research", usageLimit: 4 },
		{ entityId: "drafter", scopeEntityIds: ["gpt"], usageLimit: null },
		{ entityId: "reviewer", featureId: "blocks", usageLimit: 8, cadence: "LIFETIME" },
		{ entityId: "reviewer", currencyId: "credits", usageLimit: 0.3, cadence: "PT1H" },
	);
	await must(ours.consume(3, { agentId: "drafter", model: "gpt" }));
	await must(ours.reserve(1, { agentId: "drafter" }));
	await must(ours.report({ featureId: "blocks", value: 1500, dimensions: { agentId: "reviewer" } }));
	const month = "2026-01-31T00:00:00.000Z,2026-02-28T00:00:00.000Z";
	expect((await pageOf(ours)).rows).toEqual([
		`research,team,,tokens,,,P1M,${month},10,3,1,0.3`,
		`drafter,agent,research,tokens,,,P1M,${month},4,3,1,0.75`,
		`drafter,agent,research,tokens,,gpt,P1M,${month},,3,0,`,
		"reviewer,agent,,blocks,,,LIFETIME,2026-01-31T00:00:00.000Z,,8,2,0,0.25",
		"reviewer,agent,,,credits,,PT1H,2026-01-31T00:00:00.000Z,2026-01-31T01:00:00.000Z,0.3,0,0,0",
	]);
	await ours.advance("P30D");
	const [first] = (await pageOf(ours, "?featureIds=tokens&entityTypeIds=team")).rows;
	expect(first).toBe("research,team,,tokens,,,P1M,2026-02-28T00:00:00.000Z,2026-03-31T00:00:00.000Z,10,0,0,0");
});

test("shows each budget once along the links, while usage changes the order of the tree", async () => {
	const ours = await site();
	const agents = Array.from({ length: 7 }, (_, at) => `agent-${at}`);
	const entities = agents.map((id) => ({ id, entityTypeId: "agent" }));
	await must(ours.call("PUT", "/customers/acme/entities", { body: { entities } }));
	await ours.budget(
		...agents.map((entityId) => ({ entityId, usageLimit: 9 })),
		...agents.map((entityId) => ({ entityId, featureId: "blocks", usageLimit: 9 })),
	);
	const found: string[] = [];
	for (let query: string | undefined = "?limit=4&entityTypeIds=agent"; query !== undefined; ) {
		const { rows, next } = await pageOf(ours, query);
		expect(rows.length).toBeLessThanOrEqual(4);
		found.push(...rows.map((row) => row.split(",").slice(0, 4).join()));
		await must(ours.report({ value: 5, dimensions: { agentId: agents[found.length % 7] } }));
		await ours.follow();
		query = next;
	}
	const expected = ["tokens", "blocks"].flatMap((id) => agents.map((agent) => `${agent},agent,,${id}`));
	expect(found).toEqual(expected);
});

test("filters by feature, currency and kind, and rejects unknown cursors and limits above 1000", async () => {
	const ours = await site();
	await ours.budget(
		{ entityId: "research", usageLimit: 1 },
		{ entityId: "drafter", currencyId: "credits", usageLimit: 1 },
	);
	const ids = async (query: string) => (await pageOf(ours, query)).rows.map((row) => row.split(",")[0]);
	expect(await ids("?featureIds=tokens")).toEqual(["research"]);
	expect(await ids("?currencyIds=credits")).toEqual(["drafter"]);
	expect(await ids("?entityTypeIds=model")).toEqual([]);
	await must(ours.call("POST", "/customers/acme/entities/archive", { body: { ids: ["research"] } }));
	expect(await ids("?limit=1000")).toEqual(["drafter"]);
	for (const query of ["after=none", "limit=1001", "limit=0", "sortBy=id"])
		expect((await ours.call("GET", `${path}?${query}`)).body.code).toBe("BadUserInput");
});

test("another environment finds no customer, and a customer of its own with the same id has no budgets", async () => {
	const ours = await site();
	await ours.budget({ entityId: "research", usageLimit: 1 });
	const key = ours.foreignKey;
	expect((await ours.call("GET", path, { key })).body.code).toBe("CustomerNotFound");
	await must(ours.call("POST", "/customers", { key, body: { id: "acme" } }));
	expect((await ours.call("GET", path, { key })).body).toBe(`${names}\r\n`);
});

test("with governance off, the export is refused before the customer is looked up", async () => {
	const ours = await site();
	await must(ours.call("PATCH", "/environments/current", { body: { governance: false } }));
	const { status, body } = await ours.call("GET", "/customers/nobody/budgets.csv");
	expect([status, body.code]).toEqual([403, "GovernanceNotEnabled"]);
});
