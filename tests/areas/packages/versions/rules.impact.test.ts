import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { PackageEntitlementTerms } from "../../../../src/areas/packages/entitlements/schema";
import { type Difference, differences, isLoss } from "../../../../src/areas/packages/versions/rules.impact";

const shown = {
	id: "f",
	description: null,
	displayNameOverride: null,
	isGranted: true,
	isCustom: null,
	order: null,
	hiddenFromWidgets: [],
	behavior: "Increment" as const,
	hasSoftLimit: null,
};
type FeatureTerms = Extract<PackageEntitlementTerms, { type: "FEATURE" }>;
type CreditTerms = Extract<PackageEntitlementTerms, { type: "CREDIT" }>;
const feature = (terms: Partial<FeatureTerms> = {}): FeatureTerms => ({
	...shown,
	type: "FEATURE",
	usageLimit: null,
	hasUnlimitedUsage: null,
	enumValues: null,
	resetPeriod: null,
	resetPeriodConfiguration: null,
	...terms,
});
const credit = (terms: Partial<CreditTerms> = {}): CreditTerms => ({
	...shown,
	type: "CREDIT",
	amount: 10,
	cadence: "MONTH",
	dependencyFeatureId: null,
	...terms,
});

const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });
const anyFeature = fc
	.record({
		isGranted: fc.boolean(),
		usageLimit: orNull(fc.integer({ min: 0, max: 3 })),
		hasUnlimitedUsage: orNull(fc.boolean()),
		hasSoftLimit: orNull(fc.boolean()),
		enumValues: orNull(fc.uniqueArray(fc.constantFrom("a", "b"))),
		resetPeriod: orNull(fc.constantFrom("HOUR" as const, "MONTH" as const, "YEAR" as const)),
		order: orNull(fc.integer()),
	})
	.map(feature);
const anyCredit = fc
	.record({
		isGranted: fc.boolean(),
		amount: orNull(fc.integer({ min: 0, max: 3 })),
		cadence: fc.constantFrom("MONTH" as const, "YEAR" as const),
		hasSoftLimit: fc.boolean(),
	})
	.map(credit);
const anyTerms: fc.Arbitrary<PackageEntitlementTerms> = fc.oneof(anyFeature, anyCredit);
const anyGrants = fc
	.dictionary(fc.constantFrom("a", "b", "c", "d"), anyTerms, { noNullPrototype: true })
	.map((grants) => new Map(Object.entries(grants)));

/** Another way to tell what a list of differences says: each done by hand, one after the other. */
function applied<Terms>(before: ReadonlyMap<string, Terms>, found: readonly Difference<Terms>[]): Map<string, Terms> {
	const result = new Map(before);
	for (const { key, change, before: was, after } of found) {
		expect(Bun.deepEquals(result.get(key) ?? null, was)).toBe(true);
		expect(change).toBe(was === null ? "ADDED" : after === null ? "REMOVED" : "CHANGED");
		if (after === null) result.delete(key);
		else result.set(key, after);
	}
	return result;
}

const sorted = <Terms>(grants: ReadonlyMap<string, Terms>) => [...grants].sort(([a], [b]) => a.localeCompare(b));

describe("the differences of two versions", () => {
	test("between a version and itself are none", () => {
		fc.assert(
			fc.property(anyGrants, (grants) => {
				expect(differences(grants, structuredClone(grants))).toEqual([]);
			}),
			{ numRuns: 200 },
		);
	});

	test("done to the one give the other, each key at most once", () => {
		fc.assert(
			fc.property(anyGrants, anyGrants, (before, after) => {
				const found = differences(before, after);
				expect(sorted(applied(before, found))).toEqual(sorted(after));
				expect(new Set(found.map(({ key }) => key)).size).toBe(found.length);
			}),
			{ numRuns: 300 },
		);
	});

	test("are those of the other way round, turned round", () => {
		fc.assert(
			fc.property(anyGrants, anyGrants, (before, after) => {
				const keys = (found: readonly Difference<unknown>[]) => found.map(({ key }) => key).sort();
				expect(keys(differences(before, after))).toEqual(keys(differences(after, before)));
			}),
			{ numRuns: 200 },
		);
	});
});

describe("a loss", () => {
	test.each<[string, PackageEntitlementTerms | null, PackageEntitlementTerms | null, boolean]>([
		["what is gone", feature(), null, true],
		["what is new", null, feature(), false],
		["what was not granted", feature({ isGranted: false }), null, false],
		["what is granted no more", feature(), feature({ isGranted: false }), true],
		["another kind of thing", feature(), credit(), true],
		["a lower limit", feature({ usageLimit: 10 }), feature({ usageLimit: 9 }), true],
		["a higher limit", feature({ usageLimit: 10 }), feature({ usageLimit: 11 }), false],
		["a limit on what had none", feature(), feature({ usageLimit: 1e9 }), true],
		["a limit on what was unlimited", feature({ hasUnlimitedUsage: true }), feature({ usageLimit: 1 }), true],
		["no limit any more", feature({ usageLimit: 10 }), feature({ hasUnlimitedUsage: true }), false],
		["a lower limit that is soft", feature({ usageLimit: 10 }), feature({ usageLimit: 9, hasSoftLimit: true }), false],
		["a soft limit that is hard", feature({ usageLimit: 9, hasSoftLimit: true }), feature({ usageLimit: 9 }), true],
		["a value less", feature({ enumValues: ["a", "b"] }), feature({ enumValues: ["a"] }), true],
		["a value more", feature({ enumValues: ["a"] }), feature({ enumValues: ["b", "a"] }), false],
		[
			"a limit that has to last longer",
			feature({ usageLimit: 10, resetPeriod: "MONTH" }),
			feature({ usageLimit: 10, resetPeriod: "YEAR" }),
			true,
		],
		[
			"a limit that comes back sooner",
			feature({ usageLimit: 10, resetPeriod: "MONTH" }),
			feature({ usageLimit: 10, resetPeriod: "DAY" }),
			false,
		],
		[
			"a limit that never comes back",
			feature({ usageLimit: 1, resetPeriod: "YEAR" }),
			feature({ usageLimit: 1 }),
			true,
		],
		["another name and place", feature(), feature({ displayNameOverride: "F", order: 1 }), false],
		["fewer credits", credit(), credit({ amount: 9 }), true],
		["more credits", credit(), credit({ amount: 11 }), false],
		["the credits of a month for a year", credit(), credit({ cadence: "YEAR" }), true],
		["an open amount of credits", credit(), credit({ amount: null }), true],
	])("%s", (_, before, after, expected) => {
		expect(isLoss(before, after)).toBe(expected);
	});

	test("nobody loses to what they have, and nobody who has nothing loses", () => {
		fc.assert(
			fc.property(anyTerms, orNull(anyTerms), (terms, other) => {
				expect(isLoss(terms, structuredClone(terms))).toBe(false);
				expect(isLoss(null, other)).toBe(false);
				expect(isLoss(terms, null)).toBe(terms.isGranted);
			}),
			{ numRuns: 300 },
		);
	});

	test("no loss twice in a row is no loss in the end", () => {
		let reported = 0;
		fc.assert(
			fc.property(anyFeature, anyFeature, anyFeature, (first, second, third) => {
				if (isLoss(first, second) || isLoss(second, third)) return;
				reported += 1;
				expect(isLoss(first, third)).toBe(false);
			}),
			{ numRuns: 1000 },
		);
		expect(reported).toBeGreaterThan(50);
	});
});
