import { beforeEach, describe, expect, test } from "bun:test";
import type { Instant } from "../../../src/kernel/clock";
import { ask, codes, data } from "../../graphql/ask";
import { mutate } from "../../graphql/mutate";
import { type World, world } from "../../support/world";
import { filledIn } from "../packages/terms";
import { granted, item, list, prepare } from "./grants";

let ours: World;
beforeEach(async () => {
	ours = world();
	await prepare(ours);
});

const calls = { featureId: "calls", usageLimit: 5, period: "SIX_MONTH", resetPeriod: "WEEK" };
const weekly = { weeklyResetPeriodConfiguration: { accordingTo: "EveryMonday" } };
const grants = (...promotionalEntitlements: object[]) => ({ customerId: "acme", promotionalEntitlements });

describe("grantPromotionalEntitlements", () => {
	test("gives what REST gives, and answers it whole", async () => {
		const sso = { featureId: "sso", period: "CUSTOM", customEndDate: "2026-03-01T00:00:00Z" };
		const selection = `{ id status featureId period startDate endDate usageLimit hasUnlimitedUsage hasSoftLimit enumValues
			isVisible description resetPeriod resetPeriodConfiguration { ... on WeeklyResetPeriodConfig { weeklyAccordingTo } }
			feature { refId featureType meterType } customer { refId } environmentId createdAt updatedAt }`;
		const input = { ...grants({ ...calls, ...weekly }, sso), environmentId: "whatever" };
		const answer = await mutate(ours, "grantPromotionalEntitlements", input, { selection });
		const now = "2026-01-31T00:00:00.000Z";
		const common = {
			status: "Active",
			startDate: now,
			createdAt: now,
			updatedAt: now,
			environmentId: ours.environmentId,
			description: null,
			hasUnlimitedUsage: null,
			hasSoftLimit: null,
			enumValues: null,
			isVisible: true,
			customer: { refId: "acme" },
		};
		const rest = await list(ours);
		expect(answer).toEqual({
			data: {
				grantPromotionalEntitlements: [
					{
						...common,
						id: rest[1]?.id,
						featureId: "calls",
						period: "SIX_MONTH",
						endDate: "2026-07-31T00:00:00.000Z",
						usageLimit: 5,
						resetPeriod: "WEEK",
						resetPeriodConfiguration: { weeklyAccordingTo: "EveryMonday" },
						feature: { refId: "calls", featureType: "NUMBER", meterType: "Incremental" },
					},
					{
						...common,
						id: rest[0]?.id,
						featureId: "sso",
						period: "CUSTOM",
						endDate: "2026-03-01T00:00:00.000Z",
						usageLimit: null,
						resetPeriod: null,
						resetPeriodConfiguration: null,
						feature: { refId: "sso", featureType: "BOOLEAN", meterType: "None" },
					},
				],
			},
		});
	});

	test("ignores the reset configurations of other periods", async () => {
		const answer = await mutate(ours, "grantPromotionalEntitlements", grants({ ...calls, ...filledIn }), {
			selection: "{ resetPeriod resetPeriodConfiguration { ... on WeeklyResetPeriodConfig { weeklyAccordingTo } } }",
		});
		expect(answer).toEqual({
			data: {
				grantPromotionalEntitlements: [
					{ resetPeriod: "WEEK", resetPeriodConfiguration: { weeklyAccordingTo: "EveryFriday" } },
				],
			},
		});
	});

	test.each(["ONE_WEEK", "ONE_MONTH", "SIX_MONTH", "ONE_YEAR", "LIFETIME"])("takes and shows %s", async (period) => {
		const answer = await mutate(ours, "grantPromotionalEntitlements", grants({ featureId: "sso", period }), {
			selection: "{ period }",
		});
		expect(answer).toEqual({ data: { grantPromotionalEntitlements: [{ period }] } });
	});

	test("refuses in REST's words, as a whole", async () => {
		for (const [bad, code, says] of [
			[{ featureId: "nope", period: "ONE_WEEK" }, "FeatureNotFound", "'nope'"],
			[{ featureId: "sso", period: "CUSTOM" }, "BadUserInput", "'customEndDate'"],
			[{ featureId: "sso", period: "ONE_WEEK", customEndDate: "soon" }, "BadUserInput", "/customEndDate"],
			[{ featureId: "sso", period: "ONE_WEEK", usageLimit: 1 }, "UnsupportedFeatureType", "'usageLimit'"],
			[{ featureId: "sso", period: "1 week" }, "BadUserInput", "PromotionalEntitlementPeriod"],
		] as const) {
			const { errors } = await mutate(ours, "grantPromotionalEntitlements", grants(calls, bad));
			expect([codes({ errors }), errors[0].message]).toEqual([[code], expect.stringContaining(says)]);
		}
		expect(await list(ours)).toEqual([]);
	});

	test("needs CUSTOMER:WRITE, and sees its own environment only", async () => {
		const key = ours.scopedKey("CUSTOMER:READ", "SUBSCRIPTION:WRITE");
		expect(codes(await mutate(ours, "grantPromotionalEntitlements", grants(calls), { key }))).toEqual([
			"AccessDeniedError",
		]);
		const foreign = { key: ours.foreignKey };
		expect(codes(await mutate(ours, "grantPromotionalEntitlements", grants(calls), foreign))).toEqual([
			"CustomerNotFound",
		]);
		expect(await list(ours)).toEqual([]);
	});

	test("a customer's id may hold an @", async () => {
		await ours.call("POST", "/customers", { body: { id: "a@b" } });
		const of = { customerId: "a@b" };
		expect(await mutate(ours, "grantPromotionalEntitlements", { ...grants(calls), ...of })).not.toHaveProperty(
			"errors",
		);
		const revoked = await mutate(ours, "revokePromotionalEntitlement", { ...of, featureId: "calls" });
		expect(revoked).not.toHaveProperty("errors");
	});
});

test("revokePromotionalEntitlement returns the revoked grant", async () => {
	const [{ id }] = await granted(ours, item("sso"));
	const revoke = () =>
		mutate(ours, "revokePromotionalEntitlement", { customerId: "acme", featureId: "sso" }, { selection: "{ id }" });
	expect(await revoke()).toEqual({ data: { revokePromotionalEntitlement: { id } } });
	expect(codes(await revoke())).toEqual(["PromotionalEntitlementNotFoundError"]);
});

describe("Customer.promotionalEntitlements", () => {
	const query = `{ customers(sorting: [{ field: refId, direction: ASC }]) { edges { node { refId name
		promotionalEntitlements { status featureId usageLimit isVisible feature { displayName } } } } } }`;

	test("lists the grants that are not revoked, newest first, each in its state", async () => {
		await ours.call("POST", "/customers", { body: { id: "beta", name: "Beta" } });
		await granted(ours, item("sso", { period: "1 week" }), item("calls", { usageLimit: 5 }), item("audit"));
		await granted(ours, item("region", { isVisible: false }));
		await ours.call("DELETE", "/customers/acme/promotional-entitlements/audit");
		await ours.call("POST", "/features/region/archive");
		ours.clock.at = Date.UTC(2026, 1, 7) as Instant;
		const { customers } = await data(ours, query);
		const shown = (featureId: string, status: string, more: object = {}) => ({
			status,
			featureId,
			usageLimit: null,
			isVisible: true,
			feature: { displayName: featureId },
			...more,
		});
		expect(customers.edges).toEqual([
			{
				node: {
					refId: "acme",
					name: null,
					promotionalEntitlements: [
						shown("region", "Paused", { isVisible: false }),
						shown("calls", "Active", { usageLimit: 5 }),
						shown("sso", "Expired"),
					],
				},
			},
			{ node: { refId: "beta", name: "Beta", promotionalEntitlements: [] } },
		]);
	});

	test("needs the customer's scope, as its other fields do", async () => {
		await granted(ours, item("sso"));
		const key = ours.scopedKey("SUBSCRIPTION:READ", "CATALOG:READ");
		expect(codes(await ask(ours, query, undefined, { key }))).toEqual(["AccessDeniedError"]);
	});
});
