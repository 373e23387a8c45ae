import { beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { resetOf } from "../../../../../src/areas/packages/rules";
import type { World } from "../../../../support/world";
import { catalogue, maker } from "../../catalogue";
import { isRefusal } from "../../guards";
import { credit, feature, filledIn, post } from "../../terms";

const monthly = {
	usageLimit: 5,
	resetPeriod: "MONTH",
	monthlyResetPeriodConfiguration: { accordingTo: "StartOfTheMonth" },
};
const ignored = { ...filledIn, monthlyResetPeriodConfiguration: null };

const patch = ({ call }: World, id: string, body: object) => call("PATCH", `/plans/pro/entitlements/${id}`, { body });

describe("PATCH /plans/{planId}/entitlements/{id}", () => {
	let unchanged: World;
	beforeAll(async () => {
		unchanged = await withBoth();
	});
	const withBoth = async () => {
		const ours = await catalogue();
		await maker(ours).entitle("/plans/pro", feature("calls", monthly), credit({ dependencyFeatureId: "seats" }));
		return ours;
	};

	test("changes only what is sent", async () => {
		const ours = await withBoth();
		const update = async (id: string, body: object) => (await patch(ours, id, body)).body.data;
		expect(await update("calls", { type: "FEATURE", hasSoftLimit: true })).toMatchObject({
			usageLimit: 5,
			hasSoftLimit: true,
			resetPeriod: "MONTH",
			resetPeriodConfiguration: { accordingTo: "StartOfTheMonth" },
		});
		expect(
			await update("calls", { type: "FEATURE", usageLimit: null, hasUnlimitedUsage: true, order: 0 }),
		).toMatchObject({
			usageLimit: null,
			hasUnlimitedUsage: true,
			hasSoftLimit: true,
			order: 0,
		});
		expect(await update("gold", { type: "CREDIT", amount: 7, isGranted: false })).toMatchObject({
			amount: 7,
			cadence: "MONTH",
			isGranted: false,
			dependencyFeatureId: "seats",
		});
		expect(await update("gold", { type: "CREDIT", cadence: "YEAR", dependencyFeatureId: null })).toMatchObject({
			amount: 7,
			cadence: "YEAR",
			dependencyFeatureId: null,
		});
	});

	test("another reset period begins with its default anchor; the same one keeps its own", async () => {
		const ours = await withBoth();
		const update = async (body: object) => (await patch(ours, "calls", { type: "FEATURE", ...body })).body.data;
		const same = { resetPeriod: "MONTH", resetPeriodConfiguration: { accordingTo: "StartOfTheMonth" } };
		expect(await update({ resetPeriod: "MONTH", monthlyResetPeriodConfiguration: {} })).toMatchObject(same);
		expect(await update({ resetPeriod: "WEEK" })).toMatchObject({
			resetPeriod: "WEEK",
			resetPeriodConfiguration: { accordingTo: "SubscriptionStart" },
		});
		expect(await update({ weeklyResetPeriodConfiguration: { accordingTo: "EveryFriday" } })).toMatchObject({
			resetPeriod: "WEEK",
			resetPeriodConfiguration: { accordingTo: "EveryFriday" },
		});
		expect(await update({ resetPeriod: "DAY" })).toMatchObject({ resetPeriod: "DAY", resetPeriodConfiguration: null });
	});

	test.each([
		["keeps the anchor of the kept month", ignored, "MONTH", "StartOfTheMonth"],
		["keeps the anchor of the same month", { resetPeriod: "MONTH", ...ignored }, "MONTH", "StartOfTheMonth"],
		[
			"takes the anchor of the kept month",
			{ ...filledIn, monthlyResetPeriodConfiguration: { accordingTo: "SubscriptionStart" } },
			"MONTH",
			"SubscriptionStart",
		],
		["takes the anchor of another period", { resetPeriod: "WEEK", ...filledIn }, "WEEK", "EveryFriday"],
		["takes no anchor for a day", { resetPeriod: "DAY", ...filledIn }, "DAY", null],
	] as const)("ignores the reset configurations of other periods: %s", async (_, terms, resetPeriod, accordingTo) => {
		const ours = await withBoth();
		const shown = { resetPeriod, resetPeriodConfiguration: accordingTo === null ? null : { accordingTo } };
		expect((await patch(ours, "calls", { type: "FEATURE", ...terms })).body.data).toMatchObject(shown);
		await maker(ours).entitle("/addons/extra", feature("calls", monthly));
		const path = "/addons/extra/entitlements/calls";
		const addon = await ours.call("PATCH", path, { body: { type: "FEATURE", ...terms } });
		expect(addon.body.data).toMatchObject(shown);
	});

	test.each([
		["no type", "calls", {}, 400, "BadUserInput", "type"],
		["credits of a feature", "calls", { type: "CREDIT" }, 404, "CustomCurrencyNotFound", "'calls'"],
		["a feature of credits", "gold", { type: "FEATURE" }, 404, "FeatureNotFound", "'gold'"],
		["what is not entitled", "sso", { type: "FEATURE" }, 404, "FeatureNotFound", "'sso'"],
		[
			"an unknown dependency",
			"gold",
			{ type: "CREDIT", dependencyFeatureId: "none" },
			404,
			"FeatureNotFound",
			"'none'",
		],
		[
			"a dependency on a boolean",
			"gold",
			{ type: "CREDIT", dependencyFeatureId: "sso" },
			400,
			"UnsupportedFeatureType",
			"'sso'",
		],
		["an amount of null", "gold", { type: "CREDIT", amount: null }, 400, "BadUserInput", "/amount"],
		[
			"values of a number",
			"calls",
			{ type: "FEATURE", enumValues: ["a"] },
			400,
			"UnsupportedFeatureType",
			"enumValues",
		],
		[
			"an override",
			"calls",
			{ type: "FEATURE", behavior: "Override" },
			400,
			"CannotAddOverrideEntitlementToPlan",
			"Increment",
		],
		[
			"an unknown anchor in a configuration that is ignored",
			"calls",
			{ type: "FEATURE", weeklyResetPeriodConfiguration: { accordingTo: "EveryMonth" } },
			400,
			"BadUserInput",
			"/accordingTo",
		],
	] as const)("refuses %s", async (_, id, body, status, code, message) => {
		isRefusal(await patch(unchanged, id, body), status, code, message);
	});

	const terms = fc.record(
		{
			description: fc.string({ maxLength: 20 }),
			displayNameOverride: fc.string({ minLength: 1, maxLength: 20 }),
			isGranted: fc.boolean(),
			isCustom: fc.boolean(),
			order: fc.integer({ min: 0, max: 9 }),
			hiddenFromWidgets: fc.shuffledSubarray(["PAYWALL", "CUSTOMER_PORTAL", "CHECKOUT"]),
			usageLimit: fc.option(fc.integer({ min: 0, max: 1000 })),
			hasUnlimitedUsage: fc.boolean(),
			hasSoftLimit: fc.boolean(),
			resetPeriod: fc.constantFrom("YEAR", "MONTH", "WEEK", "DAY", "HOUR"),
		},
		{ requiredKeys: [] },
	);

	test("made so and then changed is the same as made with the change", async () => {
		const ours = await catalogue();
		await fc.assert(
			fc.asyncProperty(terms, terms, async (first, change) => {
				const remove = () => ours.call("DELETE", "/plans/pro/entitlements/calls");
				const make = async (all: object) => (await maker(ours).entitle("/plans/pro", feature("calls", all)))[0];
				await make(first);
				const changed = (await patch(ours, "calls", { type: "FEATURE", ...change })).body.data;
				await remove();
				const whole = await make({ ...first, ...change });
				await remove();
				expect(changed).toEqual(whole);
			}),
			{ numRuns: 60 },
		);
	});
});

describe("DELETE /plans/{planId}/entitlements/{id}", () => {
	test("answers what is removed, and then it is free again", async () => {
		const ours = await catalogue();
		const [made] = await maker(ours).entitle("/plans/pro", feature("sso"), feature("region"));
		const remove = () => ours.call("DELETE", "/plans/pro/entitlements/sso");
		expect(await remove()).toMatchObject({ status: 200, body: { data: made } });
		isRefusal(await remove(), 404, "FeatureNotFound", "'sso'");
		expect((await ours.call("GET", "/plans/pro")).body.data.entitlements).toEqual([{ id: "region", type: "FEATURE" }]);
		expect((await post(ours, feature("sso"))).status).toBe(201);
	});

	test("is refused once published", async () => {
		const ours = await catalogue();
		await maker(ours).entitle("/plans/pro", feature("sso"));
		await maker(ours).charge("/plans/pro", { pricingType: "FREE" });
		await maker(ours).publish("/plans/pro");
		isRefusal(await ours.call("DELETE", "/plans/pro/entitlements/sso"), 400, "EditAllowedOnDraftPackageOnlyError");
		isRefusal(await patch(ours, "sso", { type: "FEATURE" }), 400, "EditAllowedOnDraftPackageOnlyError");
		isRefusal(await patch(ours, "calls", { type: "FEATURE" }), 404, "FeatureNotFound");
	});
});

test("an anchor is folded only from the configuration of its own period", () => {
	const anchors = {
		YEAR: ["SubscriptionStart"],
		MONTH: ["SubscriptionStart", "StartOfTheMonth"],
		WEEK: ["SubscriptionStart", "EveryMonday"],
	} as const;
	const configuration = <T extends string>(values: readonly T[]) =>
		fc.option(fc.record({ accordingTo: fc.constantFrom(...values) }, { requiredKeys: [] }));
	fc.assert(
		fc.property(
			fc.option(fc.constantFrom("YEAR", "MONTH", "WEEK", "DAY", "HOUR"), { nil: undefined }),
			configuration(anchors.YEAR),
			configuration(anchors.MONTH),
			configuration(anchors.WEEK),
			(resetPeriod, yearly, monthly, weekly) => {
				const byPeriod: Record<string, { accordingTo?: string } | null> = {
					YEAR: yearly,
					MONTH: monthly,
					WEEK: weekly,
				};
				const fold = () =>
					resetOf({
						...(resetPeriod && { resetPeriod }),
						yearlyResetPeriodConfiguration: yearly,
						monthlyResetPeriodConfiguration: monthly,
						weeklyResetPeriodConfiguration: weekly,
					});
				const anchored = resetPeriod !== undefined && resetPeriod in byPeriod;
				return expect(fold() as { resetPeriod: string | null; resetAnchor: string | null }).toEqual({
					resetPeriod: resetPeriod ?? null,
					resetAnchor: anchored ? (byPeriod[resetPeriod]?.accordingTo ?? "SubscriptionStart") : null,
				});
			},
		),
	);
});
