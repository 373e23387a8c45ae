import { beforeAll, describe, expect, test } from "bun:test";
import { longText, type World } from "../../../../support/world";
import { catalogue, maker } from "../../catalogue";
import { isRefusal } from "../../guards";
import { credit, feature, filledIn, post } from "../../terms";

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
		["a year, and no other period", { resetPeriod: "YEAR", ...filledIn }, "SubscriptionStart"],
		["a month, and no other period", { resetPeriod: "MONTH", ...filledIn }, "StartOfTheMonth"],
		["a week, and no other period", { resetPeriod: "WEEK", ...filledIn }, "EveryFriday"],
		[
			"a month without its own configuration",
			{ resetPeriod: "MONTH", ...filledIn, monthlyResetPeriodConfiguration: null },
			"SubscriptionStart",
		],
		["a day, which has no anchor", { resetPeriod: "DAY", ...filledIn }, null],
		["no period", filledIn, null],
	])("folds the reset of %s, for plans and addons", async (_, terms, accordingTo) => {
		const ours = await catalogue();
		const shown = {
			resetPeriod: "resetPeriod" in terms ? terms.resetPeriod : null,
			resetPeriodConfiguration: accordingTo === null ? null : { accordingTo },
		};
		expect((await post(ours, feature("calls", terms))).body.data).toMatchObject([shown]);
		expect(await maker(ours).entitle("/addons/extra", feature("calls", terms))).toMatchObject([shown]);
	});

	test("ignores the reset configurations of a feature that never resets", async () => {
		const never = { resetPeriod: null, resetPeriodConfiguration: null };
		const answer = await post(await catalogue(), feature("sso", filledIn), feature("seats", filledIn));
		expect(answer.body.data).toMatchObject([never, never]);
	});

	/** Refusals leave no trace, so all refusals share one catalogue. */
	let ours: World;
	beforeAll(async () => {
		ours = await catalogue();
		await maker(ours).entitle("/plans/pro", feature("region"));
	});

	test.each([
		["no entitlements", [], 400, "BadUserInput", "entitlements"],
		["a text", ["sso"], 400, "BadUserInput", "/entitlements/0"],
		["no type", [{ id: "sso" }], 400, "BadUserInput", "/entitlements/0"],
		["an unknown type", [{ type: "OTHER", id: "sso" }], 400, "BadUserInput", "/entitlements/0"],
		["no id", [{ type: "FEATURE" }], 400, "BadUserInput", "/entitlements/0/id"],
		["an id of another pattern", [feature("a b")], 400, "BadUserInput", "/entitlements/0/id"],
		["an unknown key", [feature("sso"), feature("calls", { limit: 1 })], 400, "BadUserInput", "/entitlements/1/limit"],
		["a limit in words", [feature("calls", { usageLimit: "five" })], 400, "BadUserInput", "/entitlements/0/usageLimit"],
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
			"an unknown anchor in a configuration that is ignored",
			[feature("calls", { resetPeriod: "MONTH", weeklyResetPeriodConfiguration: { accordingTo: "EveryMonth" } })],
			400,
			"BadUserInput",
			"/accordingTo",
		],
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

	test("404 for unknown features precedes the refusal of a published plan", async () => {
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
