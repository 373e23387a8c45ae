import { describe, expect, test } from "bun:test";
import { type FeatureAction, featureTransitions } from "../../../../src/areas/features/rules";
import type { FeatureStatus } from "../../../../src/areas/features/schema";
import { type World, world } from "../../../support/world";
import { catalogue, fill, maker } from "../../packages/catalogue";
import { guard, isRefusal } from "../../packages/guards";
import { flat, monthly, paid, perUnit, usage, usd } from "../../packages/prices";

const missing = { missing: "FeatureNotFound", scope: "CATALOG:WRITE", method: "POST" } as const;
guard(
	[
		{ ...missing, path: "/features/calls/archive", missingPath: "/features/no/archive" },
		{ ...missing, path: "/features/calls/unarchive", missingPath: "/features/no/unarchive" },
	],
	fill,
);

const archive = ({ call }: World, id: string) => call("POST", `/features/${id}/archive`);
const unarchive = ({ call }: World, id: string) => call("POST", `/features/${id}/unarchive`);
const statusOf = async ({ call }: World, id: string) => (await call("GET", `/features/${id}`)).body.data.featureStatus;

const statuses: readonly FeatureStatus[] = ["NEW", "ACTIVE", "SUSPENDED"];
const actions: readonly FeatureAction[] = ["use", "archive", "unarchive"];

/** Leads a feature into a status by the API alone; ACTIVE is what a package once had. */
async function lead(ours: World, status: FeatureStatus): Promise<void> {
	await maker(ours).feature("f");
	if (status === "ACTIVE") {
		await maker(ours).entitle("/plans/pro", { type: "FEATURE", id: "f" });
		await ours.call("DELETE", "/plans/pro/entitlements/f");
	}
	if (status === "SUSPENDED") await archive(ours, "f");
}

const act = (ours: World, action: FeatureAction) =>
	action === "use"
		? ours.call("POST", "/plans/pro/entitlements", { body: { entitlements: [{ type: "FEATURE", id: "f" }] } })
		: ours.call("POST", `/features/f/${action}`);

describe("the life of a feature", () => {
	for (const status of statuses)
		for (const action of actions) {
			const next = featureTransitions[status][action];
			test(`${status}: ${action} ${typeof next === "string" ? `leads to ${next}` : "is refused"}`, async () => {
				const ours = await catalogue();
				await lead(ours, status);
				expect(await statusOf(ours, "f")).toBe(status);
				const answer = await act(ours, action);
				if (typeof next === "string") expect(answer.status).toBeLessThan(300);
				else isRefusal(answer, 400, next.code, next.because);
				// This one was never used, so of the two it is NEW.
				const then = typeof next !== "string" ? status : next === "NEW_OR_ACTIVE" ? "NEW" : next;
				expect(await statusOf(ours, "f")).toBe(then);
			});
		}
});

describe("archiving a feature", () => {
	const gold = { creditRate: { amount: 1, currencyId: "gold" } };
	test.each<[string, string, string, (ours: World) => Promise<unknown>]>([
		["a draft entitles it", "calls", "the plan 'pro'", (ours) => maker(ours).entitle("/plans/pro", of("calls"))],
		["an addon entitles it", "calls", "the addon 'extra'", (ours) => maker(ours).entitle("/addons/extra", of("calls"))],
		["its units are priced", "seats", "'pro'", (ours) => maker(ours).charge("/plans/pro", paid(flat(), perUnit({})))],
		[
			"it is paid in credits",
			"calls",
			"'pro'",
			(ours) => maker(ours).charge("/plans/pro", paid(usage({ billingModel: "CREDIT_BASED" }, gold))),
		],
		[
			"credits depend on it",
			"seats",
			"'pro'",
			(ours) =>
				maker(ours).entitle("/plans/pro", {
					type: "CREDIT",
					id: "gold",
					amount: 1,
					cadence: "MONTH",
					dependencyFeatureId: "seats",
				}),
		],
		[
			"its overage is priced",
			"calls",
			"'pro'",
			(ours) =>
				maker(ours).charge("/plans/pro", {
					...paid(flat()),
					overagePricingModels: [
						{
							billingModel: "USAGE_BASED",
							entitlement: { featureId: "calls", usageLimit: 5 },
							pricePeriods: [monthly({ price: usd(1) })],
						},
					],
				}),
		],
	])("is refused while %s", async (_, id, names, use) => {
		const ours = await catalogue();
		await use(ours);
		isRefusal(await archive(ours, id), 400, "CannotArchiveFeatureError", names);
		expect(await statusOf(ours, id)).toBe("ACTIVE");
	});

	test("is possible once every package that has it is changed or archived, and leaves former versions alone", async () => {
		const ours = await catalogue();
		const make = maker(ours);
		await make.entitle("/plans/pro", of("sso"), of("depth", { usageLimit: 3 }));
		await make.charge("/plans/pro", { pricingType: "FREE" });
		await make.publish("/plans/pro");
		await make.entitle("/addons/extra", of("sso"));
		await ours.call("POST", "/plans/pro/draft");
		await ours.call("DELETE", "/plans/pro/entitlements/sso");
		isRefusal(await archive(ours, "sso"), 400, "CannotArchiveFeatureError", "the plan 'pro', the addon 'extra'");
		await make.publish("/plans/pro");
		isRefusal(await archive(ours, "sso"), 400, "CannotArchiveFeatureError", "by the addon 'extra';");
		await make.charge("/addons/extra", { pricingType: "FREE" });
		await make.publish("/addons/extra");
		await ours.call("POST", "/addons/extra/archive");
		expect((await archive(ours, "sso")).body.data.featureStatus).toBe("SUSPENDED");
		expect((await unarchive(ours, "sso")).body.data.featureStatus).toBe("ACTIVE");
	});

	test("another environment's use does not count", async () => {
		const ours = await catalogue();
		const theirs = {
			...ours,
			call: (...[method, path, options]: Parameters<World["call"]>) =>
				ours.call(method, path, { ...options, key: ours.foreignKey }),
		};
		await maker(theirs).product();
		await maker(theirs).feature("sso");
		await maker(theirs).plan("pro");
		await maker(theirs).entitle("/plans/pro", of("sso"));
		expect((await archive(ours, "sso")).status).toBe(200);
		expect(await statusOf(theirs, "sso")).toBe("ACTIVE");
	});
});

const of = (id: string, terms: object = {}) => ({ type: "FEATURE", id, ...terms });

test("a product of another world has no such feature", async () => {
	isRefusal(await archive(world(), "sso"), 404, "FeatureNotFound", "'sso'");
});
