import { beforeEach, describe, expect, test } from "bun:test";
import { must, type Site, site } from "../../governance/site";
import { erase } from "../../privacy/erasing";
import { type Call, callBy, portalOf } from "../links";

/** The team `research` (10 tokens) has the agents `drafter` (4) and `reviewer` (no limit); `sales` (5) is another team. */
let ours: Site;
beforeEach(async () => {
	ours = await site();
	const entities = [{ id: "sales", entityTypeId: "team", displayName: "Sales" }];
	await must(ours.call("PUT", "/customers/acme/entities", { body: { entities } }));
	await ours.budget(
		{ entityId: "research", usageLimit: 10 },
		{ entityId: "drafter", parentId: "research", usageLimit: 4 },
		{ entityId: "reviewer", parentId: "research", usageLimit: null },
		{ entityId: "sales", usageLimit: 5 },
	);
});

const link = (budgets: string, entityId?: string, personId?: string): Promise<Call> =>
	portalOf(ours, "acme", { budgets, ...(entityId && { entityId }), ...(personId && { personId }) });
const shownTo = async (call: Call, query = ""): Promise<string[]> =>
	(await call("GET", `/portal/budgets${query}`)).body.data.map(({ entityId }: { entityId: string }) => entityId);
const raise = (call: Call, entityId: string, usageLimit: number | null, body: object = { featureId: "tokens" }) =>
	call("PATCH", `/portal/budgets/${entityId}`, { ...body, usageLimit });
const request = (call: Call, entityId: string, body: object = {}) =>
	call("POST", "/portal/budget-requests", {
		...{ entityId, featureId: "tokens", amount: 2, duration: "PERMANENT", ...body },
	});
const decide = (call: Call, id: string, verb: string, body: object = {}) =>
	call("POST", `/portal/budget-requests/${id}/${verb}`, body);
const outcome = ({ status, body }: { readonly status: number; readonly body: { readonly code?: string } }) => [
	status,
	body.code ?? null,
];

describe("a link", () => {
	test("to the whole customer shows all budgets by utilization, and everything else of the portal", async () => {
		await must(ours.consume(4, { agentId: "drafter" }));
		await ours.follow();
		const call = await link("VIEW");
		expect(await shownTo(call)).toEqual(["drafter", "research", "sales", "reviewer"]);
		expect((await call("GET", "/portal")).status).toBe(200);
		const [first] = (await call("GET", "/portal/budgets")).body.data;
		expect(first).toEqual({
			...{ entityId: "drafter", entityTypeId: "agent", displayName: null, featureId: "tokens", parentId: "research" },
			...{ scopeEntityIds: [], usageLimit: 4, cadence: "P1M", currentUsage: 4, utilization: 1 },
			...{ usagePeriodStart: expect.any(String), usagePeriodEnd: expect.any(String) },
			...{ name: expect.any(String), units: null, isGoverned: false },
		});
	});

	test("to an entity shows its budgets and those below, in pages, and nothing else of the customer", async () => {
		const call = await link("GOVERN", "research", "ada");
		expect((await shownTo(call)).sort()).toEqual(["drafter", "research", "reviewer"]);
		expect(await shownTo(call, "?entityIdSearch=DRAFT")).toEqual(["drafter"]);
		const first = (await call("GET", "/portal/budgets?limit=2")).body;
		expect(first.data).toHaveLength(2);
		expect((await shownTo(call, `?limit=2&after=${first.pagination.next}`)).length).toBe(1);
		expect((await call("GET", "/portal/session")).body.data).toEqual({
			...{ customerId: "acme", language: null, budgets: "GOVERN", personId: "ada" },
			...{ entity: { id: "research", displayName: "Research" }, returnUrl: null, expiresAt: expect.any(String) },
		});
		for (const [method, path, body] of [
			["GET", "/portal"],
			["GET", "/portal/invoices"],
			["GET", "/portal/invoices/x/pdf"],
			["PATCH", "/portal/billing", { name: "Mine" }],
			["POST", "/portal/subscriptions/x/cancel"],
			["POST", "/portal/subscriptions/x/change", {}],
			["GET", "/portal/subscriptions/x/options"],
		] as const)
			expect([path, ...outcome(await call(method, path, body))]).toEqual([path, 403, "AccessDeniedError"]);
		expect((await call("GET", "/portal/branding")).status).toBe(200);
		expect((await call("DELETE", "/portal/session")).status).toBe(200);
	});

	test("without budgets shows none, and a publishable key none either", async () => {
		const call = await portalOf(ours, "acme");
		for (const path of ["/portal/budgets", "/portal/budgets/research", "/portal/budget-requests"]) {
			expect(outcome(await call("GET", path))).toEqual([403, "AccessDeniedError"]);
			expect(outcome(await ours.call("GET", path, { key: ours.publishableKey }))).toEqual([403, "IdentityForbidden"]);
		}
		expect(outcome(await raise(call, "drafter", 5))).toEqual([403, "AccessDeniedError"]);
		expect(outcome(await request(call, "drafter"))).toEqual([403, "AccessDeniedError"]);
	});

	test("is created only for an entity of the customer, with access to budgets", async () => {
		const start = async (body: object) => (await ours.call("POST", "/customers/acme/portal-sessions", { body })).body;
		expect((await start({ entityId: "research" })).message).toContain("send VIEW or GOVERN");
		expect((await start({ budgets: "VIEW", entityId: "none" })).message).toContain("body/entityId");
		for (const body of [{ budgets: "ALL" }, { budgets: "VIEW", personId: "" }])
			expect((await start(body)).code).toBe("BadUserInput");
		const { data } = await start({ budgets: "GOVERN", entityId: "research", personId: "ada" });
		expect(data).toMatchObject({ budgets: "GOVERN", entityId: "research", personId: "ada" });
		await must(ours.call("POST", "/customers/acme/entities/archive", { body: { ids: ["sales"] } }));
		expect((await start({ budgets: "VIEW", entityId: "sales" })).code).toBe("EntityIsArchivedError");
		await must(ours.call("PATCH", "/environments/current", { body: { governance: false } }));
		expect((await start({ budgets: "VIEW" })).code).toBe("GovernanceNotEnabled");
		expect(outcome(await callBy(ours, data.token)("GET", "/portal/budgets"))).toEqual([403, "GovernanceNotEnabled"]);
	});

	test("is created by GraphQL", async () => {
		const query =
			'mutation { createCustomerPortalSession(input: { customerId: "acme", budgets: VIEW, entityId: "sales" }) { token } }';
		const { token } = (await ours.call("POST", "/graphql", { body: { query } })).body.data.createCustomerPortalSession;
		expect(await shownTo(callBy(ours, token))).toEqual(["sales"]);
	});
});

describe("a limit", () => {
	test("is changed below the entity of the link only, never its own", async () => {
		const call = await link("GOVERN", "research");
		const { data } = (await raise(call, "drafter", 6)).body;
		expect(data).toMatchObject({ entityId: "drafter", usageLimit: 6, isGoverned: true });
		expect((await must(ours.consume(6, { agentId: "drafter" }))).body.data.isGranted).toBe(true);
		expect((await raise(call, "research", 99)).body).toEqual({
			code: "AccessDeniedError",
			message: "This link governs the budgets below 'research', not its own; request a higher limit.",
		});
		expect(outcome(await raise(call, "sales", 99))).toEqual([404, null]);
		expect(outcome(await raise(await link("VIEW", "research"), "drafter", 9))).toEqual([403, "AccessDeniedError"]);
		expect((await raise(await link("GOVERN"), "research", 20)).body.data.usageLimit).toBe(20);
	});

	test("with a scope is changed by its scope", async () => {
		const scoped = { featureId: "tokens", scopeEntityIds: ["gpt"] };
		await ours.budget({ entityId: "drafter", scopeEntityIds: ["gpt"], usageLimit: 1 });
		const call = await link("GOVERN", "research");
		expect((await raise(call, "drafter", 3, scoped)).body.data).toMatchObject({ ...scoped, usageLimit: 3 });
		expect(
			(await call("GET", "/portal/budgets/drafter")).body.data
				.map((one: { usageLimit: number }) => one.usageLimit)
				.sort(),
		).toEqual([3, 4]);
	});

	test.each<[object, number | null, string]>([
		[{}, 1, "exactly one of 'featureId' and 'currencyId'"],
		[{ featureId: "tokens", currencyId: "credits" }, 1, "exactly one of 'featureId' and 'currencyId'"],
		[{ featureId: "tokens" }, -1, "body/usageLimit"],
		[{ featureId: "tokens" }, 0.0000001, "body/usageLimit"],
		[{ featureId: "tokens", scopeEntityIds: "gpt" }, 1, "body/scopeEntityIds"],
		[{ featureId: "tokens", more: 1 }, 1, "more"],
	])("%p with %p is refused", async (body, limit, message) => {
		const refused = (await raise(await link("GOVERN"), "drafter", limit, body)).body;
		expect([refused.code, refused.message]).toEqual(["BadUserInput", expect.stringContaining(message)]);
	});
});

describe("a request", () => {
	test("is approved by the person who governs the agent's team, and the audit log names both", async () => {
		await must(ours.consume(4, { agentId: "drafter" }));
		const [agent, lead] = [await link("VIEW", "drafter", "bob"), await link("GOVERN", "research", "ada")];
		const { data } = (await request(agent, "drafter", { amount: 3, reason: "A long contract" })).body;
		expect(data).toMatchObject({ status: "PENDING", entityId: "drafter", personId: "bob", isDecidable: false });
		expect((await lead("GET", "/portal/budget-requests?status=PENDING")).body.data).toMatchObject([
			{ id: data.id, personId: "bob", isDecidable: true },
		]);
		expect((await decide(lead, data.id, "approve", { amount: 2 })).body.data).toMatchObject({
			...{ status: "APPROVED", approvedAmount: 2, isDecidable: false },
		});
		expect((await ours.consume(2, { agentId: "drafter" })).body.data.isGranted).toBe(true);
		const log = (await ours.call("GET", `/audit-log?entityId=${data.id}`)).body.data;
		expect(
			log.map(({ operation, actor }: { operation: string; actor: { name: string } }) => [operation, actor.name]),
		).toEqual([
			["portal.approveBudgetRequest", "ada"],
			["portal.createBudgetRequest", "bob"],
		]);
	});

	test("is never decided by the person who made it, also with another link", async () => {
		const { data } = (await request(await link("GOVERN", "research", "ada"), "drafter")).body;
		const again = await link("GOVERN", undefined, "ada");
		for (const verb of ["approve", "decline"])
			expect((await decide(again, data.id, verb)).body).toEqual({
				code: "InvalidArgumentError",
				message: `Request '${data.id}' is your own; another person decides it.`,
			});
		expect((await decide(await link("GOVERN", undefined, "eve"), data.id, "decline")).body.data.status).toBe(
			"DECLINED",
		);
	});

	test("for the link's own entity is decided by a link that governs its parent", async () => {
		const { data } = (await request(await link("GOVERN", "research", "ada"), "research")).body;
		expect(outcome(await decide(await link("GOVERN", "research", "eve"), data.id, "approve"))).toEqual([
			...[403, "AccessDeniedError"],
		]);
		expect(outcome(await decide(await link("VIEW", undefined, "eve"), data.id, "approve"))).toEqual([
			...[403, "AccessDeniedError"],
		]);
		expect((await decide(await link("GOVERN", undefined, "eve"), data.id, "approve")).status).toBe(200);
	});

	test("outside the subtree is unknown", async () => {
		const sales = await link("GOVERN", "sales");
		const { data } = (await request(await link("VIEW", "drafter"), "drafter")).body;
		for (const verb of ["approve", "decline"]) {
			expect(outcome(await decide(sales, data.id, verb))).toEqual([404, null]);
			expect(outcome(await decide(sales, "none", verb))).toEqual([404, null]);
		}
		expect((await sales("GET", "/portal/budget-requests")).body.data).toEqual([]);
		expect((await request(sales, "drafter")).body).toEqual({
			code: "BadUserInput",
			message: "body/entityId: this link shows no budgets of 'drafter'.",
		});
		expect((await request(sales, "none")).body.message).toBe("body/entityId: this link shows no budgets of 'none'.");
		expect(outcome(await sales("GET", "/portal/budgets/drafter"))).toEqual([404, null]);
		await must(ours.call("POST", "/customers", { body: { id: "other" } }));
		const other = await portalOf(ours, "other", { budgets: "GOVERN" });
		expect(outcome(await decide(other, data.id, "approve"))).toEqual([404, null]);
		expect(await shownTo(other)).toEqual([]);
	});

	test("after an erasure names no person", async () => {
		await must(ours.call("POST", "/customers", { body: { id: "other" } }));
		const path = "/customers/other";
		await must(ours.call("PUT", `${path}/entities`, { body: { entities: [{ id: "one", entityTypeId: "team" }] } }));
		const budget = { entityId: "one", featureId: "tokens", usageLimit: 1, cadence: "P1M" };
		await must(ours.call("PUT", `${path}/assignments`, { body: { assignments: [budget] } }));
		await must(request(await portalOf(ours, "other", { budgets: "VIEW", personId: "bob" }), "one"));
		const stored = () => JSON.stringify(ours.db.$client.query("SELECT requested_by FROM budget_requests").all());
		expect(stored()).toContain("PORTAL bob");
		await must(ours.call("POST", `${path}/erase`));
		await erase(ours);
		expect(stored()).not.toContain("bob");
	});
});
