import { describe, expect, test } from "bun:test";
import { must, type Site, site } from "../site";

const drafter = { agentId: "drafter" };

/** The events about budgets, without the fields of every event. */
async function budgetEvents({ call }: Site): Promise<Array<Record<string, unknown>>> {
	const { body } = await call("GET", "/events-out?after=0&limit=1000");
	return body.data.filter(({ type }: { type: string }) => type.startsWith("budget."));
}

const exceeded = async (ours: Site) =>
	(await budgetEvents(ours))
		.filter(({ type }) => type === "budget.exceeded")
		.map(({ entity, cause, currentUsage }) => [(entity as { id: string }).id, cause, currentUsage]);

/** A team's budget of 10 tokens a day, of which the drafter may use 4. */
async function team() {
	const ours = await site();
	await ours.budget(
		{ entityId: "drafter", parentId: "research", usageLimit: 4, cadence: "P1D" },
		{ entityId: "research", usageLimit: 10, cadence: "P1D" },
	);
	return ours;
}

describe("budget.exceeded", () => {
	test("is emitted once for each cadence, at the first denial", async () => {
		const ours = await team();
		await ours.consume(4, drafter);
		expect(await exceeded(ours)).toEqual([]);
		await ours.consume(1, drafter);
		await ours.consume(1, drafter);
		await ours.reserve(1, drafter);
		await ours.follow();
		expect(await exceeded(ours)).toEqual([["drafter", "DENIED", 4]]);
		expect((await budgetEvents(ours))[0]).toMatchObject({
			customer: { id: "acme" },
			...{ entity: { id: "drafter" }, parent: { id: "research" }, feature: { id: "tokens" }, currency: null },
			...{ scopeEntityIds: [], usageLimit: 4, hasSoftLimit: false, utilization: 1, cadence: "P1D" },
			...{ usagePeriodStart: "2026-01-31T00:00:00.000Z", usagePeriodEnd: "2026-02-01T00:00:00.000Z" },
		});
		await ours.advance("P1D");
		await ours.consume(5, drafter);
		expect(await exceeded(ours)).toEqual([
			["drafter", "DENIED", 4],
			["drafter", "DENIED", 0],
		]);
	});

	test("is emitted for each budget that denies, and not if the customer's own limit denies", async () => {
		const ours = await team();
		await ours.consume(1001, drafter);
		expect(await exceeded(ours)).toEqual([]);
		await ours.consume(11, drafter);
		expect(await exceeded(ours)).toEqual([
			["drafter", "DENIED", 0],
			["research", "DENIED", 0],
		]);
	});

	test("is emitted once when usage passes a soft limit", async () => {
		const ours = await team();
		await ours.budget({ entityId: "drafter", hasSoftLimit: true, cadence: "P1D" });
		expect((await ours.consume(4, drafter)).body.data.isGranted).toBe(true);
		await ours.follow();
		expect(await exceeded(ours)).toEqual([]);
		expect((await ours.consume(2, drafter)).body.data.isGranted).toBe(true);
		await ours.follow();
		await ours.consume(1, drafter);
		await ours.follow();
		expect(await exceeded(ours)).toEqual([["drafter", "USAGE", 6]]);
		// The team's hard limit still denies.
		expect((await ours.consume(4, drafter)).body.data.accessDeniedReason).toBe("BudgetExceeded");
		expect(await ours.usage()).toEqual({ drafter: 7, research: 7 });
	});

	test("is emitted when reports pass a hard limit, or a lower limit falls below the usage", async () => {
		const ours = await team();
		await must(ours.report({ value: 5, dimensions: drafter }));
		await ours.follow();
		await ours.budget({ entityId: "research", usageLimit: 3, cadence: "P1D" });
		await ours.follow();
		expect(await exceeded(ours)).toEqual([
			["drafter", "USAGE", 5],
			["research", "USAGE", 5],
		]);
	});

	test("is emitted for a window that ended before the follower looked", async () => {
		const ours = await team();
		await must(ours.report({ value: 5, dimensions: drafter }));
		await ours.advance("P3D");
		await ours.follow();
		expect(await exceeded(ours)).toEqual([["drafter", "USAGE", 5]]);
	});
});

describe("an alert of an entity", () => {
	const alert = ({ call }: Site, body: object) =>
		call("POST", "/usage-alerts", {
			body: { customerId: "acme", entityId: "drafter", featureId: "tokens", type: "PERCENT", threshold: 50, ...body },
		});
	const reached = async ({ call }: Site) =>
		(await call("GET", "/usage-alerts/reached")).body.data.map(
			({ entityId, scopeEntityIds, threshold, currentUsage }: Record<string, unknown>) =>
				[entityId, scopeEntityIds, threshold, currentUsage] as const,
		);

	test("is reached once for each threshold and cadence", async () => {
		const ours = await team();
		await ours.budget({ entityId: "drafter", scopeEntityIds: ["gpt"], usageLimit: 2, cadence: "P1D" });
		expect((await alert(ours, {})).body.data).toMatchObject({ entityId: "drafter", featureId: "tokens" });
		await must(alert(ours, { type: "ABSOLUTE", threshold: 3 }));
		for (const amount of [1, 1, 1]) {
			await must(ours.consume(amount, { ...drafter, model: "gpt" }));
			await ours.follow();
		}
		expect((await reached(ours)).reverse()).toEqual([
			["drafter", ["gpt"], 50, 1],
			["drafter", [], 50, 2],
		]);
		await must(ours.consume(1, drafter));
		await ours.follow();
		expect((await reached(ours))[0]).toEqual(["drafter", [], 3, 3]);
		await ours.advance("P1D");
		await must(ours.consume(2, drafter));
		await ours.follow();
		expect((await reached(ours))[0]).toEqual(["drafter", [], 50, 2]);
		const events = (await budgetEvents(ours)).filter(({ type }) => type === "budget.threshold_reached");
		expect(events).toHaveLength(4);
		expect(events[0]).toMatchObject({ thresholdType: "PERCENT", threshold: 50, scopeEntityIds: ["gpt"] });
	});

	test("is evaluated at its creation and at a change, and says nothing about the customer's own usage", async () => {
		const ours = await team();
		await must(ours.consume(3, drafter));
		await ours.follow();
		const { id } = (await must(alert(ours, {}))).body.data;
		expect(await reached(ours)).toEqual([["drafter", [], 50, 3]]);
		await must(ours.call("PATCH", `/usage-alerts/${id}`, { body: { threshold: 60 } }));
		expect(await reached(ours)).toEqual([
			["drafter", [], 60, 3],
			["drafter", [], 50, 3],
		]);
		const types = (await ours.call("GET", "/events-out?after=0&limit=1000")).body.data.map(
			({ type }: { type: string }) => type,
		);
		expect(types).not.toContain("entitlement.usage_exceeded");
	});

	test("is refused without a customer, for an unknown or archived entity, twice, and for a feature without budgets", async () => {
		const ours = await team();
		expect((await alert(ours, { customerId: null })).body).toEqual({
			code: "BadUserInput",
			message: "body/entityId: an entity belongs to a customer; send 'customerId' too.",
		});
		expect((await alert(ours, { entityId: "none" })).body).toEqual({
			code: "BadUserInput",
			message: "body/entityId: the customer has no entity 'none'; create it with PUT …/entities.",
		});
		await must(alert(ours, {}));
		expect((await alert(ours, {})).body.code).toBe("DuplicatedEntityNotAllowed");
		expect((await alert(ours, { currencyId: "credits" })).body.code).toBe("BadUserInput");
		await must(ours.call("POST", "/customers/acme/entities/archive", { body: { ids: ["gpt"] } }));
		expect((await alert(ours, { entityId: "gpt" })).body.code).toBe("EntityIsArchivedError");
	});
});
