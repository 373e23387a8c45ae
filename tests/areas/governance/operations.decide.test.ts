import { describe, expect, test } from "bun:test";
import { must, site } from "./site";

const drafter = { agentId: "drafter" };
const reviewer = { agentId: "reviewer" };

/** A team's budget of 10 tokens, of which the drafter may use 4. */
async function team() {
	const ours = await site();
	await ours.budget(
		{ entityId: "drafter", parentId: "research", usageLimit: 4 },
		{ entityId: "reviewer", parentId: "research", usageLimit: null },
		{ entityId: "research", usageLimit: 10 },
	);
	return ours;
}

describe("consume", () => {
	test("the drafter's own budget stops the drafter, and the team's budget stops the reviewer", async () => {
		const ours = await team();
		expect((await ours.consume(4, drafter)).body.data.isGranted).toBe(true);
		const spent = (await ours.consume(1, drafter)).body.data;
		expect(spent).toMatchObject({ isGranted: false, accessDeniedReason: "BudgetExceeded", usage: null });
		expect(spent.entitlement.chains).toEqual([
			[
				{ entityId: "drafter", scopeEntityIds: [], usageLimit: 4, currentUsage: 4, isGranted: false },
				{ entityId: "research", scopeEntityIds: [], usageLimit: 10, currentUsage: 4, isGranted: true },
			],
		]);
		expect((await ours.consume(6, reviewer)).body.data.isGranted).toBe(true);
		expect((await ours.consume(1, reviewer)).body.data.accessDeniedReason).toBe("BudgetExceeded");
		expect(await ours.usage()).toEqual({ drafter: 4, research: 10, reviewer: 6 });
		// A denied request counts nowhere, and raising the team's budget lets the next call pass.
		await ours.budget({ entityId: "research", usageLimit: 11 });
		expect((await ours.consume(1, reviewer)).body.data.isGranted).toBe(true);
	});

	test("the customer's own limit denies first, and no dimensions ask no budget", async () => {
		const ours = await team();
		expect((await ours.consume(1001, drafter)).body.data.accessDeniedReason).toBe("RequestedUsageExceedingLimit");
		expect((await ours.consume(900, {})).body.data.isGranted).toBe(true);
		expect(await ours.usage()).toEqual({ drafter: 0, research: 0, reviewer: 0 });
	});

	test("one of a hundred gets the last unit", async () => {
		const ours = await team();
		await must(ours.consume(9, reviewer));
		const answers = await Promise.all(Array.from({ length: 100 }, () => ours.consume(1, reviewer)));
		expect(answers.filter(({ body }) => body.data.isGranted).length).toBe(1);
		expect(await ours.usage()).toEqual({ drafter: 0, research: 10, reviewer: 10 });
	});

	test("a repeated key counts once", async () => {
		const ours = await team();
		const body = { amount: 3, dimensions: drafter, idempotencyKey: "once" };
		for (const _ of [1, 2]) await must(ours.call("POST", "/customers/acme/entitlements/tokens/consume", { body }));
		expect((await ours.usage()).drafter).toBe(3);
	});

	test("rounds the total into the limit's units, not each amount", async () => {
		const ours = await site();
		await ours.budget({ entityId: "drafter", featureId: "blocks", usageLimit: 2 });
		for (const _ of [1, 2, 3, 4]) expect((await ours.consume(500, drafter, "blocks")).body.data.isGranted).toBe(true);
		expect((await ours.consume(1, drafter, "blocks")).body.data.accessDeniedReason).toBe("BudgetExceeded");
		expect(await ours.usage("featureIds=blocks")).toEqual({ drafter: 2 });
	});

	test("shows the reserved amount in the limit's units", async () => {
		const ours = await site();
		await ours.budget({ entityId: "drafter", featureId: "blocks", usageLimit: 5 });
		const body = { amount: 2500, dimensions: drafter };
		await must(ours.call("POST", "/customers/acme/entitlements/blocks/reservations", { body }));
		const tree = (await ours.call("GET", "/customers/acme/governance?featureIds=blocks")).body.data;
		expect(tree[0]).toMatchObject({ currentUsage: 0, reservedUsage: 3 });
		const { chains } = await ours.check("featureId=blocks&requestedUsage=1&dimensions[agentId]=drafter");
		expect(chains[0][0]).toMatchObject({ currentUsage: 0, reservedUsage: 3 });
		const { body: csv } = await ours.call("GET", "/customers/acme/budgets.csv");
		expect(String(csv)).toContain(",5,0,3,0");
	});
});

describe("scopes", () => {
	test("a scope applies only to usage that belongs to all its entities", async () => {
		const ours = await site();
		await ours.budget(
			{ entityId: "drafter", usageLimit: 10 },
			{ entityId: "drafter", scopeEntityIds: ["gpt"], usageLimit: 2 },
		);
		expect((await ours.consume(3, drafter)).body.data.isGranted).toBe(true);
		expect((await ours.consume(3, { ...drafter, model: "gpt" })).body.data.accessDeniedReason).toBe("BudgetExceeded");
		expect((await ours.consume(2, { ...drafter, model: "gpt" })).body.data.isGranted).toBe(true);
		expect(await ours.usage()).toEqual({ drafter: 5, "drafter/gpt": 2 });
	});

	test("usage of two attributed entities counts once at a common ancestor", async () => {
		const ours = await site();
		await ours.budget(
			{ entityId: "drafter", parentId: "research", usageLimit: 10 },
			{ entityId: "research", usageLimit: 10 },
		);
		await must(ours.consume(3, { ...drafter, teamId: "research" }));
		expect(await ours.usage()).toEqual({ drafter: 3, research: 3 });
		const { chains } = await ours.check("featureId=tokens&dimensions[agentId]=drafter&dimensions[teamId]=research");
		expect(chains.map((chain: { entityId: string }[]) => chain.map(({ entityId }) => entityId))).toEqual([
			["research"],
			["drafter", "research"],
		]);
	});
});

describe("reservations", () => {
	test("reserve at all levels, and a commit counts the actual usage", async () => {
		const ours = await team();
		const { reservation } = (await must(ours.reserve(3, drafter))).body.data;
		expect((await ours.consume(2, drafter)).body.data.accessDeniedReason).toBe("BudgetExceeded");
		expect((await ours.consume(8, reviewer)).body.data.accessDeniedReason).toBe("BudgetExceeded");
		const { chains } = await ours.check("featureId=tokens&dimensions[agentId]=drafter");
		expect(chains[0][1]).toMatchObject({ entityId: "research", currentUsage: 0, reservedUsage: 3 });
		await must(ours.call("POST", `/reservations/${reservation.id}/commit`, { body: { amount: 2 } }));
		expect(await ours.usage()).toEqual({ drafter: 2, research: 2, reviewer: 0 });
		expect((await ours.consume(2, drafter)).body.data.isGranted).toBe(true);
	});

	test("a release and an expiry return the amount", async () => {
		const ours = await team();
		const { reservation } = (await must(ours.reserve(4, drafter))).body.data;
		expect((await ours.reserve(1, drafter)).body.data.isGranted).toBe(false);
		await must(ours.call("POST", `/reservations/${reservation.id}/release`));
		await must(ours.reserve(4, drafter, { expiresIn: 60 }));
		expect((await ours.consume(1, drafter)).body.data.isGranted).toBe(false);
		await ours.advance("PT2M");
		expect((await ours.consume(1, drafter)).body.data.isGranted).toBe(true);
		await must(ours.reserve(3, drafter));
		expect((await ours.reserve(1, drafter)).body.data.isGranted).toBe(false);
	});

	test("a commit counts on the chain of the reservation, in the window of the commit", async () => {
		const ours = await site();
		await ours.budget(
			{ entityId: "drafter", parentId: "research", usageLimit: 10, cadence: "PT1H" },
			{ entityId: "research", usageLimit: 10, cadence: "PT1H" },
		);
		await ours.advance("PT59M");
		const { reservation } = (await must(ours.reserve(3, drafter))).body.data;
		await ours.budget({ entityId: "drafter", parentId: null });
		await ours.advance("PT2M");
		await must(ours.call("POST", `/reservations/${reservation.id}/commit`, { body: {} }));
		expect(await ours.usage()).toEqual({ drafter: 3, research: 3 });
	});

	test("more than the reserved amount is decided again", async () => {
		const ours = await team();
		const { reservation } = (await must(ours.reserve(3, drafter))).body.data;
		const commit = (amount: number) =>
			ours.call("POST", `/reservations/${reservation.id}/commit`, { body: { amount } });
		expect((await commit(5)).body.code).toBe("EntitlementLimitExceededError");
		expect((await commit(4)).status).toBe(200);
	});
});

describe("reports", () => {
	test("are never refused because of a budget, and count at all levels", async () => {
		const ours = await team();
		expect((await ours.report({ value: 7, dimensions: drafter }, { value: 5, dimensions: reviewer })).status).toBe(201);
		expect(await ours.usage()).toEqual({ drafter: 7, research: 12, reviewer: 5 });
		expect((await ours.consume(1, reviewer)).body.data.accessDeniedReason).toBe("BudgetExceeded");
	});

	test("a negative report reverses usage, never below zero", async () => {
		const ours = await team();
		await must(ours.report({ value: 5, dimensions: drafter }, { value: 9, dimensions: reviewer }));
		await must(ours.report({ value: -7, dimensions: drafter }));
		expect(await ours.usage()).toEqual({ drafter: 0, research: 7, reviewer: 9 });
	});

	test("count in the window of their time, and not before the budget began", async () => {
		const ours = await team();
		await ours.advance("P40D");
		await must(ours.report({ value: 3, dimensions: drafter, createdAt: "2026-02-01T00:00:00Z" }));
		await must(ours.report({ value: 2, dimensions: drafter }));
		await must(ours.report({ value: 1, dimensions: drafter, createdAt: "2026-01-01T00:00:00Z" }));
		expect((await ours.usage()).drafter).toBe(2);
	});

	test("a SET states the total of all entities, and counts at none", async () => {
		const ours = await team();
		await must(ours.report({ value: 5, updateBehavior: "SET", dimensions: drafter }));
		expect((await ours.usage()).drafter).toBe(0);
	});

	test("are refused if two keys name different entities", async () => {
		const ours = await team();
		const answer = await ours.report({ value: 1, dimensions: { agentId: "drafter", userId: "reviewer" } });
		expect(answer).toMatchObject({
			status: 400,
			body: {
				code: "BadUserInput",
				message: expect.stringContaining("body/usages/0/dimensions: 'agentId' and 'userId'"),
			},
		});
	});
});

describe("credits", () => {
	test("a budget of the currency decides about a feature that costs credits", async () => {
		const ours = await site();
		await ours.budget(
			{ entityId: "drafter", currencyId: "credits", parentId: "research", usageLimit: 9 },
			{ entityId: "research", currencyId: "credits", usageLimit: 100 },
		);
		expect((await ours.consume(4, drafter, "images")).body.data.isGranted).toBe(true);
		const { entitlement } = (await ours.consume(1, drafter, "images")).body.data;
		expect(entitlement).toMatchObject({
			accessDeniedReason: "BudgetExceeded",
			chains: [[{ entityId: "drafter", currentUsage: 8, usageLimit: 9, isGranted: false }, { isGranted: true }]],
		});
		await must(ours.report({ featureId: "images", value: 3, dimensions: reviewer }));
		expect(await ours.usage("currencyIds=credits")).toEqual({ drafter: 8, research: 8 });
	});

	test("direct consumption counts, and a check of the currency decides by its budgets", async () => {
		const ours = await site();
		await ours.budget({ entityId: "drafter", currencyId: "credits", usageLimit: 5 });
		const consumption = { customerId: "acme", currencyId: "credits", idempotencyKey: "k", dimensions: drafter };
		const of = (requested: number) =>
			ours.check(`currencyId=credits&requestedUsage=${requested}&dimensions[agentId]=drafter`);
		expect(await of(5)).toMatchObject({ isGranted: true });
		expect((await ours.call("POST", "/credits/consumption", { body: { ...consumption, amount: 4 } })).status).toBe(200);
		expect(await of(2)).toMatchObject({ isGranted: false, accessDeniedReason: "BudgetExceeded" });
		expect(await of(1)).toMatchObject({ isGranted: true });
	});

	test("reservations reserve the credits that they cost", async () => {
		const ours = await site();
		await ours.budget({ entityId: "drafter", currencyId: "credits", usageLimit: 6 });
		const reserve = (amount: number) =>
			ours.call("POST", "/customers/acme/entitlements/images/reservations", { body: { amount, dimensions: drafter } });
		const { reservation } = (await must(reserve(2))).body.data;
		expect((await reserve(2)).body.data.accessDeniedReason).toBe("BudgetExceeded");
		await must(ours.call("POST", `/reservations/${reservation.id}/commit`, { body: { amount: 1 } }));
		expect(await ours.usage("currencyIds=credits")).toEqual({ drafter: 2 });
		expect((await reserve(2)).body.data.isGranted).toBe(true);
	});
});

describe("checks", () => {
	test("explain names the level, its usage, and who can raise it", async () => {
		const ours = await team();
		await must(ours.report({ value: 12, dimensions: reviewer }));
		const { explanation } = await ours.check("featureId=tokens&dimensions[agentId]=reviewer&explain=true");
		expect(explanation.text).toStartWith(
			"Customer 'acme' may not use tokens (tokens): the budget of Research ('research') does not allow it, with 12 of 10 used and 0 reserved until 28 February 2026 00:00 UTC, and anyone with the scope CUSTOMER:WRITE can raise it.",
		);
		expect(explanation).toMatchObject({
			decision: { decidedBy: "ENTITY_BUDGET_SPENT" },
			budgets: [
				{ entityId: "reviewer", isGranted: true, used: 12, usageLimit: null },
				{ entityId: "research", isGranted: false, used: 12, usageLimit: 10, remaining: -2, raisedBy: "CUSTOMER:WRITE" },
			],
		});
	});

	test("both paths give the same answer, also from the cache, and there are chains only with dimensions", async () => {
		const ours = await team();
		const query = "featureId=tokens&dimensions[agentId]=drafter";
		const paths = ["/api/v1", "/api/v1-beta"].map((prefix) => `${prefix}/customers/acme/entitlements/check?${query}`);
		const usages = async () => {
			const answers = await Promise.all(paths.map((path) => ours.call("GET", path)));
			return answers.map(({ body }) => body.data.chains[0][0].currentUsage);
		};
		expect(await usages()).toEqual([0, 0]);
		await must(ours.consume(1, drafter));
		expect(await usages()).toEqual([1, 1]);
		await ours.advance("P1M");
		expect(await usages()).toEqual([0, 0]);
		expect(await ours.check("featureId=tokens")).not.toHaveProperty("chains");
		expect((await ours.check("featureId=tokens&dimensions[agentId]=nobody")).chains).toEqual([]);
	});

	test("an archived leaf neither limits nor counts, and its ancestors still do", async () => {
		const ours = await team();
		const archive = (verb: string, id: string) =>
			must(ours.call("POST", `${ours.beta}/customers/acme/entities/${verb}`, { body: { ids: [id] } }));
		await archive("archive", "drafter");
		expect((await ours.consume(6, drafter)).body.data.isGranted).toBe(true);
		expect(await ours.usage()).toEqual({ research: 6, reviewer: 0 });
		await archive("unarchive", "drafter");
		await archive("archive", "research");
		expect((await ours.consume(4, drafter)).body.data.isGranted).toBe(true);
		expect((await ours.consume(1, drafter)).body.data.isGranted).toBe(false);
		await archive("unarchive", "research");
		expect(await ours.usage()).toEqual({ drafter: 4, research: 6, reviewer: 0 });
	});

	test("a new cadence starts a new window, and usage of the former is not carried over", async () => {
		const ours = await team();
		await must(ours.consume(4, drafter));
		await ours.budget({ entityId: "drafter", cadence: "P1D" });
		expect(await ours.usage()).toEqual({ drafter: 0, research: 4, reviewer: 0 });
		await must(ours.consume(4, drafter));
		await ours.advance("P1D");
		expect((await ours.consume(2, drafter)).body.data.isGranted).toBe(true);
		expect(await ours.usage()).toEqual({ drafter: 2, research: 10, reviewer: 0 });
	});
});
