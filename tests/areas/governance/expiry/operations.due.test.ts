import { expect, test } from "bun:test";
import { must, site } from "../site";

const customer = "/customers/acme";
const run = { agentId: "run-81" };

/** A run with 20 tokens for its whole life, gone tomorrow. */
async function withRun() {
	const ours = await site();
	const put = (entity: object) => ours.call("PUT", `${customer}/entities`, { body: { entities: [entity] } });
	const shown = async () => (await must(ours.call("GET", `${customer}/entities/run-81`))).body.data;
	await must(put({ id: "run-81", entityTypeId: "agent", expiresAt: "2026-02-01T00:00:00Z" }));
	await ours.budget(
		{ entityId: "research", usageLimit: 100, cadence: "P1D" },
		{ entityId: "run-81", parentId: "research", usageLimit: 20, cadence: "LIFETIME" },
	);
	return { ...ours, put, shown };
}

test("a budget for a lifetime never resets", async () => {
	const ours = await withRun();
	await must(ours.put({ id: "run-81", expiresAt: null }));
	expect((await ours.consume(15, run)).body.data.isGranted).toBe(true);
	await ours.advance("P3Y");
	await must(ours.call("POST", "/subscriptions", { body: { customerId: "acme", planId: "team" } }));
	expect((await ours.consume(6, run)).body.data.accessDeniedReason).toBe("BudgetExceeded");
	expect((await ours.consume(5, run)).body.data.isGranted).toBe(true);
	const { data } = (await must(ours.call("GET", `${customer}/governance?featureIds=tokens&entityIdSearch=run`))).body;
	expect(data).toEqual([
		expect.objectContaining({
			...{ cadence: "LIFETIME", currentUsage: 20, utilization: 1 },
			...{ usagePeriodStart: "2026-01-31T00:00:00.000Z", usagePeriodEnd: null },
		}),
	]);
	const explained = await ours.check("featureId=tokens&dimensions[agentId]=run-81&explain=true");
	expect(explained.explanation.budgets[0]).toMatchObject({ entityId: "run-81", resetsAt: null });
	expect(explained.explanation.text).toContain("with 20 of 20 used and 0 reserved, and anyone");
});

test("an entity is archived at the instant of its expiry", async () => {
	const ours = await withRun();
	expect((await ours.shown()).expiresAt).toBe("2026-02-01T00:00:00.000Z");
	expect((await ours.call("GET", "/environments/current/clock")).body.data.nextDueAt).toBe("2026-02-01T00:00:00.000Z");
	await ours.advance("2026-01-31T23:59:59.999Z");
	expect((await ours.consume(21, run)).body.data.isGranted).toBe(false);
	expect((await ours.advance("P3D")).steps).toBeGreaterThanOrEqual(1);
	expect(await ours.shown()).toMatchObject({ archivedAt: "2026-02-01T00:00:00.000Z" });
	// Its budget is suspended, and its parent counts.
	expect((await ours.consume(21, run)).body.data.isGranted).toBe(true);
	expect(await ours.usage()).toEqual({ research: 21 });
});

test("an entity that is unarchived after its expiry does not expire again", async () => {
	const ours = await withRun();
	await ours.advance("P2D");
	await must(ours.call("POST", `${customer}/entities/unarchive`, { body: { ids: ["run-81"] } }));
	const { archivedAt, expiresAt } = await ours.shown();
	expect([archivedAt, expiresAt]).toEqual([null, undefined]);
	await must(ours.put({ id: "run-81", expiresAt: "2026-03-01T00:00:00Z" }));
	await must(ours.call("POST", `${customer}/entities/archive`, { body: { ids: ["run-81"] } }));
	await must(ours.call("POST", `${customer}/entities/unarchive`, { body: { ids: ["run-81"] } }));
	expect(await ours.shown()).toMatchObject({ expiresAt: "2026-03-01T00:00:00.000Z" });
	await ours.advance("2026-03-01T00:00:00Z");
	expect((await ours.shown()).archivedAt).toBe("2026-03-01T00:00:00.000Z");
});

test("an expiry that has passed, or is no instant, is refused", async () => {
	const ours = await withRun();
	expect((await ours.put({ id: "run-81", expiresAt: "2026-01-31T00:00:00Z" })).body).toEqual({
		code: "BadUserInput",
		message:
			"body/entities/0/expiresAt: '2026-01-31T00:00:00Z' has passed (it is 2026-01-31T00:00:00.000Z); send a later time, or archive the entity.",
	});
	expect((await ours.put({ id: "run-81", expiresAt: "tomorrow" })).body.message).toContain("body/entities/0/expiresAt");
});
