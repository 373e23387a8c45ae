import { describe, expect, test } from "bun:test";
import { guard, isRefusal } from "../../../packages/guards";
import { site } from "../site";

guard(
	[
		{
			method: "POST",
			path: "/usage",
			scope: "USAGE:WRITE",
			body: { usages: [{ customerId: "a", featureId: "f", value: 1 }] },
		},
		{ method: "POST", path: "/customers/acme/entitlements/tokens/consume", scope: "USAGE:WRITE", body: {} },
		{ method: "POST", path: "/customers/acme/entitlements/tokens/reservations", scope: "USAGE:WRITE", body: {} },
		{
			method: "POST",
			path: "/reservations/01900000-0000-7000-8000-000000000000/commit",
			scope: "USAGE:WRITE",
			body: {},
		},
	],
	async () => {},
);

describe("consume", () => {
	test("grants and records in one step, and shows the entitlement as a check does", async () => {
		const ours = await site();
		const answer = await ours.consume("tokens", { amount: 4, dimensions: { model: "small" } });
		expect(answer.status).toBe(200);
		const { usage, entitlement, ...decision } = answer.body.data;
		expect(decision).toEqual({ isGranted: true, accessDeniedReason: null });
		expect(usage).toMatchObject({ value: 4, currentUsage: 4, customerId: "acme", featureId: "tokens" });
		expect(entitlement).toEqual(await ours.check("tokens"));
	});

	test("consumes one unit by default, and denies beyond a hard limit without recording", async () => {
		const ours = await site();
		for (let left = 5; left > 0; left -= 1) expect((await ours.consume("seats")).body.data.isGranted).toBe(true);
		const { usage, entitlement, ...decision } = (await ours.consume("seats")).body.data;
		expect(decision).toEqual({ isGranted: false, accessDeniedReason: "RequestedUsageExceedingLimit" });
		expect(usage).toBeNull();
		expect(entitlement).toMatchObject({ currentUsage: 5, usageLimit: 5, isGranted: false });
		expect((await ours.check("seats")).currentUsage).toBe(5);
		await ours.report({ featureId: "seats", value: -2 });
		expect((await ours.consume("seats", { amount: 3 })).body.data.isGranted).toBe(false);
		expect((await ours.consume("seats", { amount: 2 })).body.data.isGranted).toBe(true);
	});

	test.each(["mails", "pages"])("grants beyond a soft limit and without a limit: %s", async (featureId) => {
		const ours = await site();
		const { isGranted, usage } = (await ours.consume(featureId, { amount: 50 })).body.data;
		expect([isGranted, usage.currentUsage]).toEqual([true, 50]);
	});

	test("rounds the total to whole units, not each part", async () => {
		const ours = await site();
		for (let sent = 0; sent < 4; sent += 1)
			expect((await ours.consume("blocks", { amount: 500 })).body.data.isGranted).toBe(true);
		expect((await ours.check("blocks")).currentUsage).toBe(2);
		expect((await ours.consume("blocks", { amount: 1 })).body.data.isGranted).toBe(false);
	});

	test("resets in the next period", async () => {
		const ours = await site();
		await ours.consume("tokens", { amount: 10 });
		expect((await ours.consume("tokens")).body.data.isGranted).toBe(false);
		await ours.advance("2026-02-28T00:00:00Z");
		expect((await ours.consume("tokens")).body.data).toMatchObject({ isGranted: true, usage: { currentUsage: 1 } });
	});

	test("a repeated granted key returns its record; a denied key is decided again", async () => {
		const ours = await site();
		const first = (await ours.consume("tokens", { amount: 10, idempotencyKey: "a" })).body.data;
		const again = (await ours.consume("tokens", { amount: 10, idempotencyKey: "a" })).body.data;
		expect(again).toEqual(first);
		expect((await ours.consume("tokens", { idempotencyKey: "b" })).body.data.isGranted).toBe(false);
		await ours.report({ featureId: "tokens", value: -1 });
		expect((await ours.consume("tokens", { idempotencyKey: "b" })).body.data.isGranted).toBe(true);
	});

	test("the header Idempotency-Key repeats the whole answer", async () => {
		const ours = await site();
		const send = () =>
			ours.call("POST", "/customers/acme/entitlements/tokens/consume", {
				body: { amount: 2 },
				headers: { "idempotency-key": "once" },
			});
		const first = await send();
		const again = await send();
		expect(again.body).toEqual(first.body);
		expect(again.headers.get("idempotent-replayed")).toBe("true");
		expect((await ours.check("tokens")).currentUsage).toBe(2);
	});

	test.each<[string, string, string]>([
		["an unknown customer", "nobody/entitlements/tokens", "CustomerNotFound"],
		["an unknown feature", "acme/entitlements/none", "FeatureNotFound"],
		["what is not entitled", "acme/entitlements/unsold", "NoFeatureEntitlementInSubscription"],
	])("%s is an answer, as in a check", async (_, path, reason) => {
		const ours = await site();
		const answer = await ours.call("POST", `/customers/${path}/consume`, { body: {} });
		expect(answer).toMatchObject({
			status: 200,
			body: { data: { isGranted: false, accessDeniedReason: reason, usage: null } },
		});
	});

	test("an unknown resource is also an answer", async () => {
		const ours = await site();
		const { isGranted, accessDeniedReason } = (await ours.consume("tokens", { resourceId: "site" })).body.data;
		expect([isGranted, accessDeniedReason]).toEqual([false, "CustomerResourceNotFound"]);
	});

	test.each<[string, string, object, string]>([
		["a feature with a meter", "calls", {}, "CannotReportUsageForEntitlementWithMeterError"],
		["a feature that counts nothing", "sso", {}, "MeteringNotAvailableForFeatureType"],
		["nothing", "tokens", { amount: 0 }, "BadUserInput"],
		["a negative amount", "tokens", { amount: -1 }, "BadUserInput"],
		["another field", "tokens", { surprise: 1 }, "BadUserInput"],
		["a time ahead", "tokens", { createdAt: "2026-02-01T00:00:00.001Z" }, "BadUserInput"],
		["a part too fine", "pages", { amount: 1e-13 }, "UsageMeasurementDiffOutOfRangeError"],
	])("refuses %s", async (_, featureId, body, code) => {
		const ours = await site();
		isRefusal(await ours.consume(featureId, body), 400, code);
	});
});
