import { beforeEach, describe, expect, test } from "bun:test";
import { exportCatalogue } from "../../../src/areas/catalog/operations.export";
import { writeCatalogue } from "../../../src/areas/catalog/rules.file";
import { viewDifference } from "../../../src/areas/catalog/rules.summary";
import { DomainError } from "../../../src/kernel/errors";
import { type World, world } from "../../support/world";
import { apply, versionNumbers } from "./files";

const start = `
version: 1
products: [{ id: app, displayName: App }]
currencies: [{ id: gold, displayName: Gold, units: { singular: coin, plural: coins } }]
features:
  - { id: sso, displayName: SSO, featureType: BOOLEAN }
  - { id: seats, displayName: Seats, featureType: NUMBER, meterType: FLUCTUATING, featureUnits: seat, featureUnitsPlural: seats }
  - id: calls
    displayName: Calls
    featureType: NUMBER
    meterType: INCREMENTAL
    meter: { aggregation: { function: COUNT }, filters: [] }
addons:
  - id: extra
    productId: app
    displayName: Extra
    charges: { pricingType: PAID, pricingModels: [{ billingModel: FLAT_FEE, pricePeriods: [{ billingPeriod: MONTHLY, price: { amount: 3 } }] }] }
plans:
  - id: base
    productId: app
    displayName: Base
    charges: { pricingType: FREE }
    entitlements: [{ type: FEATURE, id: sso }]
  - id: pro
    productId: app
    displayName: Pro
    parentPlanId: base
    compatibleAddonIds: [extra]
    charges:
      pricingType: PAID
      pricingModels:
        - billingModel: FLAT_FEE
          pricePeriods: [{ billingPeriod: MONTHLY, price: { amount: 10 } }]
        - billingModel: PER_UNIT
          featureId: seats
          pricePeriods: [{ billingPeriod: MONTHLY, price: { amount: 5 } }]
    entitlements: [{ type: FEATURE, id: calls, usageLimit: 100, resetPeriod: MONTH }, { type: CREDIT, id: gold, amount: 5, cadence: MONTH }]
coupons: [{ id: TEN, name: Ten, percentOff: 10 }]
`;

let ours: World;
beforeEach(() => {
	ours = world();
	apply(ours, start);
});

const exported = (): string => writeCatalogue(ours.transactions.read(ours.actor, exportCatalogue), "yaml");

/** The file with a part replaced; a part that is not there is a mistake of the test. */
function edited(...replacements: ReadonlyArray<readonly [from: string, to: string]>): string {
	return replacements.reduce((text, [from, to]) => {
		if (!text.includes(from)) throw new Error(`'${from}' is not in the file`);
		return text.replace(from, to);
	}, start);
}

function refusal(text: string, options: object = {}): { code: string; message: string } {
	try {
		apply(ours, text, options);
	} catch (error) {
		if (error instanceof DomainError) return { code: error.code, message: error.message };
		throw error;
	}
	throw new Error("nothing was refused");
}

describe("a difference", () => {
	test("names what changed, before and after, and makes a version of that package alone", () => {
		const applied = apply(
			ours,
			edited(
				["amount: 10 } }]", "amount: 12 } }, { billingPeriod: ANNUALLY, price: { amount: 120 } }]"],
				["usageLimit: 100", "usageLimit: 250"],
				["displayName: Gold", "displayName: Gold coins"],
				["name: Ten", "name: Ten percent"],
				[", { type: CREDIT, id: gold, amount: 5, cadence: MONTH }", ""],
			),
		);
		expect(viewDifference(applied, true)).toBe(
			[
				"~ currency gold",
				'    ~ displayName: "Gold" → "Gold coins"',
				"~ plan pro",
				'    + charges.pricingModels[FLAT_FEE].pricePeriods[ANNUALLY]: {"billingPeriod":"ANNUALLY","price":"120 usd"}',
				"    ~ charges.pricingModels[FLAT_FEE].pricePeriods[MONTHLY].price: 10 usd → 12 usd",
				"    ~ entitlements[calls].usageLimit: 100 → 250",
				'    - entitlements[credit gold]: {"type":"CREDIT","id":"gold","amount":5,"cadence":"MONTH"}',
				"~ coupon TEN",
				'    ~ name: "Ten" → "Ten percent"',
				"",
				"0 added, 3 changed, 0 archived.",
			].join("\n"),
		);
		expect(versionNumbers(ours)).toEqual(["PLAN pro 2", "PLAN base 1", "ADDON extra 1"]);
	});

	test("is none where the same is written in another way", () => {
		const same = edited(
			["version: 1", "version: 1\n$schema: ../docs/catalogue.schema.json"],
			["charges: { pricingType: FREE }", "charges: { pricingType: FREE, pricingModels: [], minimumSpend: null }"],
			["{ amount: 10 }", "{ currency: usd, amount: 10.0 }"],
			[
				"[{ type: FEATURE, id: sso }]",
				"[{ id: sso, type: FEATURE, isGranted: true, behavior: Increment, description: '' }]",
			],
			[
				"resetPeriod: MONTH }",
				"resetPeriod: MONTH, monthlyResetPeriodConfiguration: { accordingTo: SubscriptionStart }, weeklyResetPeriodConfiguration: { accordingTo: EveryFriday } }",
			],
		);
		expect(apply(ours, same)).toEqual({ changes: [], kept: [], taskIds: [] });
	});

	test("goes back to the default what the file no longer states", () => {
		const before = exported();
		apply(
			ours,
			edited(
				[
					"id: app, displayName: App",
					"id: app, displayName: App, description: The app, multipleSubscriptions: true, portalSettings: { cancel: false, changePlan: true }, metadata: { a: b }",
				],
				["id: sso, displayName: SSO", "id: sso, displayName: SSO, description: Sign-on, metadata: { a: b }"],
				["displayName: Gold,", "displayName: Gold, symbol: G, description: Coins,"],
				["parentPlanId: base", "parentPlanId: base\n    billingId: b-1\n    description: Much\n    metadata: { a: b }"],
				["displayName: Extra", "displayName: Extra\n    maxQuantity: 3"],
				["percentOff: 10", "percentOff: 10, description: A tenth, metadata: { a: b }"],
			),
		);
		expect(exported()).not.toBe(before);
		expect(apply(ours, start).changes.map(({ id }) => id)).toEqual(["app", "gold", "sso", "extra", "pro", "TEN"]);
		expect(exported()).toBe(before);
	});
});

describe("entries that are not in the file", () => {
	const less = edited(
		["  - { id: sso, displayName: SSO, featureType: BOOLEAN }\n", ""],
		["    entitlements: [{ type: FEATURE, id: sso }]\n", ""],
		["coupons: [{ id: TEN, name: Ten, percentOff: 10 }]", "coupons: [{ id: TWO, name: Two, percentOff: 2 }]"],
	);

	test("stay, and are reported", () => {
		const applied = apply(ours, less);
		expect(applied.kept.map(({ list, id }) => [list, id])).toEqual([
			["features", "sso"],
			["coupons", "TEN"],
		]);
		expect(viewDifference(applied, true)).toEndWith(
			"Not in the file, and left as it is: feature sso, coupon TEN. With --prune it is archived.",
		);
		expect(exported()).toContain("id: TEN");
	});

	test("are archived on request, whatever their references", () => {
		const nothing = "version: 1\n";
		const { changes, kept } = apply(ours, nothing, { prune: true });
		expect(changes.map(({ action, id }) => `${action} ${id}`)).toEqual(
			["app", "gold", "calls", "seats", "sso", "extra", "base", "pro", "TEN"].map((id) => `archive ${id}`),
		);
		expect(kept).toEqual([]);
		expect(exported()).toBe(nothing);
		expect(apply(ours, nothing, { prune: true }).changes).toEqual([]);
	});

	test("base plans go after the plans that are based on them, also when their product stays", () => {
		const { changes } = apply(ours, "version: 1\nproducts: [{ id: app, displayName: App }]", { prune: true });
		expect(changes.filter(({ list }) => list === "plans").map(({ id }) => id)).toEqual(["base", "pro"]);
		expect(exported()).toBe("version: 1\nproducts:\n  - id: app\n    displayName: App\n");
	});

	test("features, currencies and products come back when a later file has them; plans, addons and coupons cannot", () => {
		apply(ours, "version: 1", { prune: true });
		const back = start.slice(0, start.indexOf("addons:"));
		expect(apply(ours, back).changes.map(({ action, id }) => `${action} ${id}`)).toEqual(
			["app", "gold", "calls", "seats", "sso"].map((id) => `add ${id}`),
		);
		expect(refusal(start)).toEqual({
			code: "EntityIsArchivedError",
			message: "addons[0] (line 14), 'extra': The addon 'extra' is archived for good; choose another id.",
		});
		expect(refusal("version: 1\ncoupons: [{ id: TEN, name: Ten, percentOff: 10 }]").code).toBe(
			"DuplicatedEntityNotAllowed",
		);
	});
});

describe("the whole file or nothing", () => {
	test("a refusal at the end leaves nothing of what came before it", () => {
		const before = exported();
		const { message } = refusal(
			edited(
				["displayName: Gold", "displayName: Silver"],
				["amount: 10 } }]", "amount: 1 } }]"],
				["id: calls, usage", "id: nothing, usage"],
			),
		);
		expect(message).toBe(
			"plans[1] (line 24), 'pro': There is no feature 'nothing' in this environment; create it first.",
		);
		expect(exported()).toBe(before);
		expect(versionNumbers(ours).every((version) => version.endsWith(" 1"))).toBe(true);
	});

	const fixed: ReadonlyArray<readonly [from: string, to: string, says: string]> = [
		[
			"displayName: SSO, featureType: BOOLEAN",
			"displayName: SSO, featureType: NUMBER",
			"feature 'sso' has another 'featureType'",
		],
		["meterType: FLUCTUATING", "meterType: INCREMENTAL", "feature 'seats' has another 'meterType'"],
		[", featureUnits: seat, featureUnitsPlural: seats", "", "feature 'seats' has another 'featureUnits'"],
		["    meter: { aggregation: { function: COUNT }, filters: [] }\n", "", "feature 'calls' has another 'meter'"],
		[", units: { singular: coin, plural: coins }", "", "currency 'gold' has another 'units'"],
		["percentOff: 10", "percentOff: 11", "coupon 'TEN' has another 'percentOff'"],
		["percentOff: 10", "percentOff: 10, durationInMonths: 2", "coupon 'TEN' has another 'durationInMonths'"],
	];
	test.each(fixed)("refuses what no operation can change: %s → %s", (from, to, says) => {
		const { code, message } = refusal(edited([from, to]));
		expect(code).toBe("BadUserInput");
		expect(message).toContain(says);
	});

	test("a plan cannot move to another product", () => {
		const { code, message } = refusal(
			edited(
				["displayName: App }", "displayName: App }, { id: other, displayName: Other }"],
				["id: base\n    productId: app", "id: base\n    productId: other"],
			),
		);
		expect(code).toBe("BadUserInput");
		expect(message).toContain("plan 'base' has another 'productId'");
	});

	test("somebody's open draft is never taken over", async () => {
		await ours.call("POST", "/plans/base/draft");
		expect(apply(ours, start).changes).toEqual([]);
		const { code, message } = refusal(edited(["displayName: Base", "displayName: Basic"]));
		expect(code).toBe("DraftAlreadyExists");
		expect(message).toStartWith("plans[0] (line 19), 'base': ");
		await ours.call("POST", "/plans", { body: { id: "new", displayName: "New", productId: "app" } });
		expect(exported()).not.toContain("id: new");
		const another = "plans: [{ id: new, productId: app, displayName: New, charges: { pricingType: FREE } }]";
		expect(refusal(`version: 1\n${another}`).code).toBe("DraftAlreadyExists");
	});

	test("plans may swap their bases, and a circle is refused", () => {
		const swapped = edited(
			["displayName: Base", "displayName: Base\n    parentPlanId: pro"],
			["    parentPlanId: base\n", ""],
		);
		expect(apply(ours, swapped).changes.map(({ id }) => id)).toEqual(["base", "pro"]);
		expect(apply(ours, swapped).changes).toEqual([]);
		expect(refusal(edited(["displayName: Base", "displayName: Base\n    parentPlanId: pro"])).code).toBe(
			"PlansCircularDependencyError",
		);
	});

	test("a product's journey may name plans of the same file, and they cannot be pruned while it does", () => {
		const journey = edited([
			"id: app, displayName: App",
			"id: app, displayName: App, productSettings: { subscriptionStartSetup: FREE_PLAN, subscriptionStartPlanId: base, subscriptionEndSetup: CANCEL_SUBSCRIPTION, subscriptionCancellationTime: IMMEDIATE }, usageResetCutoffRule: { behavior: NEVER_RESET }",
		]);
		expect(apply(ours, journey).changes.map(({ list, id }) => `${list} ${id}`)).toEqual(["products app"]);
		expect(apply(ours, journey).changes).toEqual([]);
		expect(refusal(`version: 1\n${/^products:.*$/m.exec(journey)?.[0]}`, { prune: true }).code).toBe(
			"PlanIsUsedAsDefaultStartPlan",
		);
	});
});

describe("overage", () => {
	const withOverage = (model: string, entitlements: string): string => `
version: 1
products: [{ id: app, displayName: App }]
currencies: [{ id: gold, displayName: Gold, units: { singular: coin, plural: coins } }]
plans:
  - id: over
    productId: app
    displayName: Over
    charges:
      pricingType: PAID
      overagePricingModels: [{ billingModel: USAGE_BASED, ${model}, pricePeriods: [{ billingPeriod: MONTHLY, price: { amount: 1 } }] }]
    entitlements: [${entitlements}]
`;
	const one = (): unknown =>
		ours.transactions.read(
			ours.actor,
			(work) => exportCatalogue(work).plans?.find(({ id }) => id === "over")?.entitlements,
		);

	const cases: ReadonlyArray<readonly [model: string, entitlements: string, becomes: object]> = [
		[
			"featureId: calls",
			"{ type: FEATURE, id: calls, usageLimit: 5 }",
			{ type: "FEATURE", id: "calls", usageLimit: 5, hasSoftLimit: true },
		],
		[
			"entitlement: { featureId: calls, usageLimit: 7, resetPeriod: WEEK, weeklyResetPeriodConfiguration: { accordingTo: EveryMonday } }",
			"",
			{
				type: "FEATURE",
				id: "calls",
				usageLimit: 7,
				hasSoftLimit: true,
				resetPeriod: "WEEK",
				weeklyResetPeriodConfiguration: { accordingTo: "EveryMonday" },
			},
		],
		[
			"featureId: calls, entitlement: { featureId: calls, usageLimit: 9, monthlyResetPeriodConfiguration: {} }",
			"{ type: FEATURE, id: calls, usageLimit: 5, resetPeriod: MONTH, monthlyResetPeriodConfiguration: { accordingTo: StartOfTheMonth } }",
			{
				type: "FEATURE",
				id: "calls",
				usageLimit: 9,
				hasSoftLimit: true,
				resetPeriod: "MONTH",
				monthlyResetPeriodConfiguration: { accordingTo: "StartOfTheMonth" },
			},
		],
		[
			"featureId: calls, entitlement: { featureId: calls, weeklyResetPeriodConfiguration: { accordingTo: EveryMonday } }",
			"{ type: FEATURE, id: calls, usageLimit: 5, resetPeriod: MONTH, monthlyResetPeriodConfiguration: { accordingTo: StartOfTheMonth } }",
			{
				type: "FEATURE",
				id: "calls",
				usageLimit: 5,
				hasSoftLimit: true,
				resetPeriod: "MONTH",
				monthlyResetPeriodConfiguration: { accordingTo: "StartOfTheMonth" },
			},
		],
		[
			"featureId: calls, entitlement: { featureId: calls, resetPeriod: DAY }",
			"{ type: FEATURE, id: calls, usageLimit: 5, resetPeriod: MONTH, monthlyResetPeriodConfiguration: { accordingTo: StartOfTheMonth } }",
			{ type: "FEATURE", id: "calls", usageLimit: 5, hasSoftLimit: true, resetPeriod: "DAY" },
		],
		[
			"currencyId: gold, creditEntitlement: { amount: 3, cadence: YEAR, customCurrencyId: gold }",
			"",
			{ type: "CREDIT", id: "gold", amount: 3, cadence: "YEAR", hasSoftLimit: true },
		],
		[
			"currencyId: gold, creditEntitlement: { amount: 3, cadence: YEAR, customCurrencyId: gold }",
			"{ type: CREDIT, id: gold, amount: 8, cadence: MONTH }",
			{ type: "CREDIT", id: "gold", amount: 8, cadence: "MONTH", hasSoftLimit: true },
		],
	];
	test.each(cases)("%s and an entitlement [%s]", (model, entitlements, becomes) => {
		const text = withOverage(model, entitlements);
		apply(ours, text);
		expect(one()).toEqual([becomes]);
		expect(apply(ours, text).changes).toEqual([]);
		expect(apply(ours, exported()).changes).toEqual([]);
	});
});

test("groups of features are exported, added, changed, archived and brought back, with the features that are there", () => {
	const groups = (features: string, name = "Core") =>
		`version: 1\nfeatureGroups:\n  - { id: core, displayName: ${name}, featureIds: [${features}] }\n`;
	expect(viewDifference(apply(ours, groups("sso, calls")), false)).toContain('+ feature group core  "Core"');
	expect(exported()).toContain("featureGroups:");
	// The order is the caller's.
	expect(viewDifference(apply(ours, groups("calls, sso", "All")), false)).toContain(
		'~ featureIds: ["sso","calls"] → ["calls","sso"]',
	);
	expect(viewDifference(apply(ours, exported()), false)).toContain("no changes");
	const without = exported().replace(/featureGroups:[\s\S]*?(?=addons:)/, "");
	expect(viewDifference(apply(ours, without), false)).not.toContain("core");
	expect(viewDifference(apply(ours, without, { prune: true }), false)).toContain("- feature group core");
	expect(exported()).not.toContain("featureGroups");
	apply(ours, groups("sso"));
	expect(exported()).toContain("featureGroups:");
	expect(() => apply(ours, groups("none"))).toThrow("none");
	// Elsewhere, from nothing.
	const file = exported();
	const other = world();
	apply(other, file);
	expect(writeCatalogue(other.transactions.read(other.actor, exportCatalogue), "yaml")).toBe(file);
});
