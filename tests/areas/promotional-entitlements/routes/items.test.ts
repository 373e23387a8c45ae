import { beforeAll, describe, expect, test } from "bun:test";
import { isRefusal } from "../../packages/guards";
import { filledIn } from "../../packages/terms";
import { grant, granted, item, list } from "../grants";
import { begin, features, ours } from "./three-features";

describe("POST …/promotional-entitlements, item by item", () => {
	beforeAll(begin);

	test("answers 201 with every key of the contract, in the order of the input", async () => {
		const calls = item("calls", {
			usageLimit: 500,
			hasUnlimitedUsage: false,
			hasSoftLimit: true,
			isVisible: false,
			period: "6 month",
			resetPeriod: "WEEK",
			weeklyResetPeriodConfiguration: { accordingTo: "EveryMonday" },
		});
		const answer = await grant(ours, calls, item("region", { enumValues: ["eu"], period: "lifetime" }));
		const common = {
			id: expect.stringMatching(/^[0-9a-f-]{36}$/),
			environmentId: ours.environmentId,
			description: null,
			featureGroupIds: null,
			status: "Active",
			startDate: "2026-01-31T00:00:00.000Z",
			createdAt: "2026-01-31T00:00:00.000Z",
			updatedAt: "2026-01-31T00:00:00.000Z",
		};
		expect(answer).toMatchObject({ status: 201 });
		expect(answer.body).toEqual({
			data: [
				{
					...common,
					featureId: "calls",
					period: "6 month",
					endDate: "2026-07-31T00:00:00.000Z",
					usageLimit: 500,
					hasUnlimitedUsage: false,
					hasSoftLimit: true,
					enumValues: null,
					isVisible: false,
					resetPeriod: "WEEK",
					resetPeriodConfiguration: { accordingTo: "EveryMonday" },
				},
				{
					...common,
					featureId: "region",
					period: "lifetime",
					endDate: null,
					usageLimit: null,
					hasUnlimitedUsage: null,
					hasSoftLimit: null,
					enumValues: ["eu"],
					isVisible: true,
					resetPeriod: null,
					resetPeriodConfiguration: null,
				},
			],
		});
	});

	const good: Array<[string, object, object]> = [
		["a boolean by its name alone", item("sso"), {}],
		["a boolean, with the keys that say nothing", item("sso", { hasSoftLimit: false, enumValues: [] }), {}],
		["a setting", item("depth", { usageLimit: 0.5 }), { usageLimit: 0.5 }],
		["nothing at all", item("calls", { usageLimit: 0 }), { usageLimit: 0 }],
		["less than nothing", item("calls", { usageLimit: -1 }), { usageLimit: -1 }],
		["without a limit", item("seats", { hasUnlimitedUsage: true }), { hasUnlimitedUsage: true, usageLimit: null }],
		[
			"a reset with its default anchor",
			item("calls", { usageLimit: 1, resetPeriod: "MONTH" }),
			{ resetPeriodConfiguration: { accordingTo: "SubscriptionStart" } },
		],
		[
			"a reset with empty configurations",
			item("calls", { usageLimit: 1, resetPeriod: "YEAR", monthlyResetPeriodConfiguration: {} }),
			{ resetPeriodConfiguration: { accordingTo: "SubscriptionStart" } },
		],
		[
			"a week, ignoring the configurations of other periods",
			item("calls", { usageLimit: 1, resetPeriod: "WEEK", ...filledIn }),
			{ resetPeriod: "WEEK", resetPeriodConfiguration: { accordingTo: "EveryFriday" } },
		],
		[
			"a day, ignoring the configurations of other periods",
			item("calls", { usageLimit: 1, resetPeriod: "DAY", ...filledIn }),
			{ resetPeriod: "DAY", resetPeriodConfiguration: null },
		],
		[
			"no reset, ignoring all configurations",
			item("calls", { usageLimit: 1, ...filledIn }),
			{ resetPeriod: null, resetPeriodConfiguration: null },
		],
		[
			"a daily reset, which has no anchor",
			item("calls", { usageLimit: 1, resetPeriod: "DAY" }),
			{ resetPeriod: "DAY", resetPeriodConfiguration: null },
		],
		[
			"until a date of its own",
			item("sso", { period: "custom", customEndDate: "2026-01-31T01:00:00+00:30" }),
			{ period: "custom", endDate: "2026-01-31T00:30:00.000Z" },
		],
	];
	test.each(good)("takes %s", async (_, given, shown) => {
		expect(await granted(ours, given)).toMatchObject([shown]);
	});

	const soft = { hasSoftLimit: true };
	const bad: Array<[string, object, string, string]> = [
		["a limit of a boolean", item("sso", { usageLimit: 1 }), "UnsupportedFeatureType", "'usageLimit'"],
		["no limit of a boolean", item("sso", { hasUnlimitedUsage: true }), "UnsupportedFeatureType", "BOOLEAN"],
		["a soft limit of an enum", item("region", soft), "UnsupportedFeatureType", "'hasSoftLimit'"],
		["values of a boolean", item("sso", { enumValues: ["eu"] }), "UnsupportedFeatureType", "'enumValues'"],
		["values of a number", item("calls", { usageLimit: 1, enumValues: ["eu"] }), "UnsupportedFeatureType", "NUMBER"],
		["a value that the feature lacks", item("region", { enumValues: ["eu", "asia"] }), "BadUserInput", "'asia'"],
		["one value twice", item("region", { enumValues: ["eu", "eu"] }), "BadUserInput", "/enumValues"],
		["a number that says nothing", item("calls"), "BadUserInput", "needs its limit"],
		["a number that is not unlimited", item("depth", { hasUnlimitedUsage: false }), "BadUserInput", "needs its limit"],
		[
			"both a limit and none",
			item("calls", { usageLimit: 1, hasUnlimitedUsage: true }),
			"BadUserInput",
			"a limit or none",
		],
		["a limit in words", item("calls", { usageLimit: "one" }), "BadUserInput", "/usageLimit"],
		["a limit beyond all numbers", item("calls", { usageLimit: 1e16 }), "BadUserInput", "/usageLimit"],
		[
			"a reset of a boolean",
			item("sso", { resetPeriod: "DAY" }),
			"MeteringNotAvailableForFeatureType",
			"'resetPeriod'",
		],
		[
			"a reset of a setting",
			item("depth", { usageLimit: 1, resetPeriod: "DAY" }),
			"MeteringNotAvailableForFeatureType",
			"'depth'",
		],
		[
			"a reset of what goes up and down",
			item("seats", { usageLimit: 1, resetPeriod: "DAY" }),
			"InvalidEntitlementResetPeriod",
			"'seats'",
		],
		[
			"an unknown anchor in a configuration that is ignored",
			item("calls", { usageLimit: 1, weeklyResetPeriodConfiguration: { accordingTo: "EveryMonth" } }),
			"BadUserInput",
			"/accordingTo",
		],
		["an unknown reset", item("calls", { usageLimit: 1, resetPeriod: "MINUTE" }), "BadUserInput", "/resetPeriod"],
		["an unknown period", item("sso", { period: "2 weeks" }), "BadUserInput", "/period"],
		["GraphQL's spelling of a period", item("sso", { period: "ONE_WEEK" }), "BadUserInput", "/period"],
		["custom without a date", item("sso", { period: "custom" }), "BadUserInput", "'customEndDate'"],
		[
			"custom that ends now",
			item("sso", { period: "custom", customEndDate: "2026-01-31T00:00:00Z" }),
			"BadUserInput",
			"not in the future",
		],
		[
			"a date in addition to a period",
			item("sso", { period: "lifetime", customEndDate: "2027-01-31T00:00:00Z" }),
			"BadUserInput",
			"'lifetime'",
		],
		["a date that is none", item("sso", { period: "custom", customEndDate: "soon" }), "BadUserInput", "/customEndDate"],
		["an unknown key", item("sso", { description: "A gift" }), "BadUserInput", "description"],
		["an id that is none", item("a b"), "BadUserInput", "/featureId"],
		["a feature that nobody has", item("nope"), "FeatureNotFound", "'nope'"],
	];
	test.each(bad)("refuses %s, and with it everything else of the call", async (_, given, code, says) => {
		const before = await list(ours);
		isRefusal(await grant(ours, item("audit"), given), code === "FeatureNotFound" ? 404 : 400, code, says);
		expect(await list(ours)).toEqual(before);
		expect(features(before)).not.toContain("audit");
	});

	test.each(Object.keys(item("sso")))("refuses an item without '%s'", async (key) => {
		isRefusal(await grant(ours, item("sso", { [key]: undefined })), 400, "BadUserInput", key);
	});

	test.each(["featureId", "period"])("refuses null for '%s'", async (key) => {
		isRefusal(await grant(ours, item("sso", { [key]: null })), 400, "BadUserInput", key);
	});
});
