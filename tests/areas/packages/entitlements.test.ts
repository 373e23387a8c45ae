import { beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { resetOf } from "../../../src/areas/packages/rules";
import { longText, type World } from "../../support/world";
import { catalogue, maker } from "./catalogue";
import { isRefusal } from "./guards";

const post = ({ call }: World, ...entitlements: unknown[]) =>
	call("POST", "/plans/pro/entitlements", { body: { entitlements } });
const feature = (id: string, terms: object = {}) => ({ type: "FEATURE", id, ...terms });
const credit = (terms: object = {}) => ({ type: "CREDIT", id: "gold", amount: 100, cadence: "MONTH", ...terms });

const blank = {
	description: null,
	displayNameOverride: null,
	isGranted: true,
	isCustom: null,
	order: null,
	hiddenFromWidgets: [],
	behavior: "Increment",
	createdAt: "2026-01-31T00:00:00.000Z",
	updatedAt: "2026-01-31T00:00:00.000Z",
};
const blankFeature = {
	type: "FEATURE",
	...blank,
	hasSoftLimit: null,
	usageLimit: null,
	hasUnlimitedUsage: null,
	enumValues: null,
	resetPeriod: null,
	resetPeriodConfiguration: null,
};
const blankCredit = { type: "CREDIT", ...blank, hasSoftLimit: false, dependencyFeatureId: null };

describe("POST /plans/{planId}/entitlements", () => {
	test("takes every field of a feature entitlement and folds the reset configurations", async () => {
		const display = {
			description: "All you need",
			isGranted: true,
			isCustom: true,
			order: 2.5,
			hiddenFromWidgets: ["PAYWALL", "CHECKOUT"],
			displayNameOverride: "API calls",
			usageLimit: 1000.5,
			hasUnlimitedUsage: false,
			hasSoftLimit: true,
			behavior: "Increment",
			resetPeriod: "YEAR",
		};
		const answer = await post(
			await catalogue(),
			feature("calls", {
				...display,
				yearlyResetPeriodConfiguration: { accordingTo: "SubscriptionStart" },
				monthlyResetPeriodConfiguration: {},
				weeklyResetPeriodConfiguration: {},
				enumValues: [],
			}),
		);
		expect(answer.status).toBe(201);
		expect(answer.body).toEqual({
			data: [
				{
					...blankFeature,
					...display,
					id: "calls",
					enumValues: [],
					resetPeriodConfiguration: { accordingTo: "SubscriptionStart" },
				},
			],
		});
	});

	test("takes the least of each kind, answers in the order sent, and the plan names them", async () => {
		const ours = await catalogue();
		const answer = await post(
			ours,
			feature("region", { enumValues: ["eu"] }),
			credit({ amount: null }),
			feature("sso"),
		);
		expect(answer.body.data).toEqual([
			{ ...blankFeature, id: "region", enumValues: ["eu"] },
			{ ...blankCredit, id: "gold", amount: null, cadence: "MONTH" },
			{ ...blankFeature, id: "sso" },
		]);
		const refs = [
			{ id: "region", type: "FEATURE" },
			{ id: "gold", type: "CREDIT" },
			{ id: "sso", type: "FEATURE" },
		];
		expect((await ours.call("GET", "/plans/pro")).body.data.entitlements).toEqual(refs);
		const list = await ours.call("GET", "/plans/pro/entitlements");
		expect(list.body).toEqual({ data: answer.body.data, pagination: { next: null, prev: null } });
	});

	test("takes every field of a credit entitlement", async () => {
		const terms = {
			amount: 12.25,
			cadence: "YEAR",
			dependencyFeatureId: "seats",
			hasSoftLimit: true,
			isGranted: false,
			isCustom: false,
			order: 1,
			description: "Gold",
			displayNameOverride: "Coins",
			hiddenFromWidgets: ["CUSTOMER_PORTAL"],
			behavior: "Increment",
		};
		const answer = await post(await catalogue(), credit(terms));
		expect(answer.body.data).toEqual([{ ...blankCredit, ...terms, id: "gold" }]);
	});

	test.each([
		["a year", { resetPeriod: "YEAR" }, "SubscriptionStart"],
		["a month", { resetPeriod: "MONTH", monthlyResetPeriodConfiguration: null }, "SubscriptionStart"],
		["a month, empty", { resetPeriod: "MONTH", monthlyResetPeriodConfiguration: {} }, "SubscriptionStart"],
		[
			"a calendar month",
			{ resetPeriod: "MONTH", monthlyResetPeriodConfiguration: { accordingTo: "StartOfTheMonth" } },
			"StartOfTheMonth",
		],
		["a week", { resetPeriod: "WEEK", weeklyResetPeriodConfiguration: { accordingTo: "EverySunday" } }, "EverySunday"],
		["a day", { resetPeriod: "DAY" }, null],
		["an hour", { resetPeriod: "HOUR", yearlyResetPeriodConfiguration: {} }, null],
	])("folds the reset of %s", async (_, terms, accordingTo) => {
		const answer = await post(await catalogue(), feature("calls", terms));
		expect(answer.body.data[0].resetPeriodConfiguration).toEqual(accordingTo === null ? null : { accordingTo });
	});

	/** What is refused leaves nothing behind, so all refusals are asked of one catalogue. */
	let ours: World;
	beforeAll(async () => {
		ours = await catalogue();
		await maker(ours).entitle("/plans/pro", feature("region"));
	});

	const yearly = { yearlyResetPeriodConfiguration: { accordingTo: "SubscriptionStart" } };
	test.each([
		["no entitlements", [], 400, "BadUserInput", "entitlements"],
		["a text", ["sso"], 400, "BadUserInput", "/entitlements/0"],
		["no type", [{ id: "sso" }], 400, "BadUserInput", "/entitlements/0"],
		["an unknown type", [{ type: "OTHER", id: "sso" }], 400, "BadUserInput", "/entitlements/0"],
		["no id", [{ type: "FEATURE" }], 400, "BadUserInput", "/entitlements/0/id"],
		["an id of another pattern", [feature("a b")], 400, "BadUserInput", "/entitlements/0/id"],
		["an unknown key", [feature("sso"), feature("calls", { limit: 1 })], 400, "BadUserInput", "/entitlements/1/limit"],
		["a limit in quotes", [feature("calls", { usageLimit: "5" })], 400, "BadUserInput", "/entitlements/0/usageLimit"],
		["a limit below nothing", [feature("calls", { usageLimit: -1 })], 400, "BadUserInput", "/usageLimit"],
		[
			"an unknown widget",
			[feature("sso", { hiddenFromWidgets: ["MENU"] })],
			400,
			"BadUserInput",
			"/hiddenFromWidgets/0",
		],
		["an unknown behavior", [feature("sso", { behavior: "Add" })], 400, "BadUserInput", "/behavior"],
		["an unknown period", [feature("calls", { resetPeriod: "DECADE" })], 400, "BadUserInput", "/resetPeriod"],
		["a long description", [feature("sso", { description: longText(4097) })], 400, "BadUserInput", "/description"],
		["credits without cadence", [credit({ cadence: undefined })], 400, "BadUserInput", "/entitlements/0"],
		["credits without amount", [credit({ amount: undefined })], 400, "BadUserInput", "/entitlements/0"],
		["credits with a limit", [credit({ usageLimit: 1 })], 400, "BadUserInput", "/entitlements/0"],
		["credits each week", [credit({ cadence: "WEEK" })], 400, "BadUserInput", "/entitlements/0"],
		["an unknown feature", [feature("sso"), feature("none")], 404, "FeatureNotFound", "'none'"],
		["an unknown currency", [credit({ id: "silver" })], 404, "CustomCurrencyNotFound", "'silver'"],
		["an unknown dependency", [credit({ dependencyFeatureId: "none" })], 404, "FeatureNotFound", "'none'"],
		["a dependency on a boolean", [credit({ dependencyFeatureId: "sso" })], 400, "UnsupportedFeatureType", "'sso'"],
		["the limit of a boolean", [feature("sso", { usageLimit: 5 })], 400, "UnsupportedFeatureType", "usageLimit"],
		[
			"no limit on an enum",
			[feature("region", { hasUnlimitedUsage: true })],
			400,
			"UnsupportedFeatureType",
			"hasUnlimitedUsage",
		],
		["values of a number", [feature("calls", { enumValues: ["eu"] })], 400, "UnsupportedFeatureType", "enumValues"],
		["a value the enum lacks", [feature("region", { enumValues: ["eu", "mars"] })], 400, "BadUserInput", "'mars'"],
		["one value twice", [feature("region", { enumValues: ["eu", "eu"] })], 400, "BadUserInput", "/enumValues"],
		[
			"the reset of a boolean",
			[feature("sso", { resetPeriod: "DAY" })],
			400,
			"MeteringNotAvailableForFeatureType",
			"'sso'",
		],
		[
			"the reset of a setting",
			[feature("depth", { resetPeriod: "DAY" })],
			400,
			"MeteringNotAvailableForFeatureType",
			"'depth'",
		],
		[
			"the reset of a level",
			[feature("seats", { resetPeriod: "DAY" })],
			400,
			"InvalidEntitlementResetPeriod",
			"'seats'",
		],
		[
			"a reset that does not fit",
			[feature("calls", { resetPeriod: "MONTH", ...yearly })],
			400,
			"InvalidEntitlementResetPeriod",
			"yearlyResetPeriodConfiguration",
		],
		["a reset of no period", [feature("calls", yearly)], 400, "InvalidEntitlementResetPeriod", "resetPeriod YEAR"],
		[
			"an anchor of another period",
			[feature("calls", { resetPeriod: "YEAR", yearlyResetPeriodConfiguration: { accordingTo: "EveryMonday" } })],
			400,
			"BadUserInput",
			"/accordingTo",
		],
		["an override", [feature("sso", { behavior: "Override" })], 400, "CannotAddOverrideEntitlementToPlan", "Increment"],
		["the same feature twice", [feature("sso"), feature("sso")], 409, "DuplicatedEntityNotAllowed", "entitlements[1]"],
		["the same credits twice", [credit(), credit()], 409, "DuplicatedEntityNotAllowed", "entitlements[1]"],
		["what is entitled already", [feature("sso"), feature("region")], 409, "DuplicatedEntityNotAllowed", "'region'"],
	] as const)("refuses %s, and keeps nothing of the batch", async (_, entitlements, status, code, message) => {
		isRefusal(await post(ours, ...entitlements), status, code, message);
		expect((await ours.call("GET", "/plans/pro/entitlements")).body.data).toHaveLength(1);
		expect((await ours.call("GET", "/features/sso")).body.data.featureStatus).toBe("NEW");
	});

	test("a feature and a currency of one id are two things", async () => {
		const ours = await catalogue();
		await maker(ours).feature("gold");
		expect((await post(ours, feature("gold"), credit())).status).toBe(201);
		expect((await ours.call("DELETE", "/plans/pro/entitlements/gold")).body.data.type).toBe("FEATURE");
		expect((await ours.call("DELETE", "/plans/pro/entitlements/gold")).body.data.type).toBe("CREDIT");
	});

	test("what is unknown is 404 before what is published is refused", async () => {
		const ours = await catalogue();
		await maker(ours).charge("/plans/pro", { pricingType: "FREE" });
		await maker(ours).publish("/plans/pro");
		isRefusal(await post(ours, feature("none")), 404, "FeatureNotFound");
		isRefusal(await post(ours, feature("sso")), 400, "EditAllowedOnDraftPackageOnlyError", "/draft");
	});

	test("another environment's features and currencies are unknown here", async () => {
		const ours = await catalogue();
		const body = { id: "secret", displayName: "Secret" };
		await ours.call("POST", "/features", { body: { ...body, featureType: "BOOLEAN" }, key: ours.foreignKey });
		await ours.call("POST", "/credits/custom-currencies", { body, key: ours.foreignKey });
		isRefusal(await post(ours, feature("secret")), 404, "FeatureNotFound");
		isRefusal(await post(ours, credit({ id: "secret" })), 404, "CustomCurrencyNotFound");
	});

	test("an archived feature is refused anywhere new", async () => {
		const ours = await catalogue();
		await maker(ours).feature("old", { featureStatus: "SUSPENDED" });
		isRefusal(await post(ours, feature("old")), 400, "EntityIsArchivedError", "'old'");
	});

	test("an addon may override", async () => {
		const ours = await catalogue();
		const entitlements = [feature("calls", { behavior: "Override", usageLimit: 5 })];
		const answer = await ours.call("POST", "/addons/extra/entitlements", { body: { entitlements } });
		expect(answer).toMatchObject({ status: 201, body: { data: [{ behavior: "Override", usageLimit: 5 }] } });
	});

	test("two hundred go into one request, one more does not", async () => {
		const ours = await catalogue();
		const many = Array.from({ length: 201 }, () => feature("sso"));
		isRefusal(await post(ours, ...many), 400, "BadUserInput", "/entitlements");
		isRefusal(await post(ours, ...many.slice(1)), 409, "DuplicatedEntityNotAllowed");
	});
});

const patch = ({ call }: World, id: string, body: object) => call("PATCH", `/plans/pro/entitlements/${id}`, { body });

describe("PATCH /plans/{planId}/entitlements/{id}", () => {
	let unchanged: World;
	beforeAll(async () => {
		unchanged = await withBoth();
	});
	const withBoth = async () => {
		const ours = await catalogue();
		await maker(ours).entitle(
			"/plans/pro",
			feature("calls", {
				usageLimit: 5,
				resetPeriod: "MONTH",
				monthlyResetPeriodConfiguration: { accordingTo: "StartOfTheMonth" },
			}),
			credit({ dependencyFeatureId: "seats" }),
		);
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
			"a reset that does not fit",
			"calls",
			{ type: "FEATURE", weeklyResetPeriodConfiguration: { accordingTo: "EveryMonday" } },
			400,
			"InvalidEntitlementResetPeriod",
			"WEEK",
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
				const stated = Object.keys(byPeriod).filter((period) => byPeriod[period]?.accordingTo !== undefined);
				const fold = () =>
					resetOf("x", {
						...(resetPeriod && { resetPeriod }),
						yearlyResetPeriodConfiguration: yearly,
						monthlyResetPeriodConfiguration: monthly,
						weeklyResetPeriodConfiguration: weekly,
					});
				if (stated.some((period) => period !== resetPeriod)) return expect(fold).toThrow("ResetPeriodConfiguration");
				const anchored = resetPeriod !== undefined && resetPeriod in byPeriod;
				return expect(fold() as { resetPeriod: string | null; resetAnchor: string | null }).toEqual({
					resetPeriod: resetPeriod ?? null,
					resetAnchor: anchored ? (byPeriod[resetPeriod]?.accordingTo ?? "SubscriptionStart") : null,
				});
			},
		),
	);
});
