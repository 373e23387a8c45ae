import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
	type FeatureTerms,
	promotionalSource,
	type Source,
	sourcesOf,
} from "../../../src/areas/entitlement-sources/rules.sources";
import { type CreditState, decideCredits } from "../../../src/areas/entitlements/credits";
import { type Candidate, type DecidedFeature, decide } from "../../../src/areas/entitlements/rules";
import { convertUnits } from "../../../src/areas/pricing/unit-conversion";
import type { Instant } from "../../../src/kernel/clock";
import { type Decimal, toDecimal } from "../../../src/kernel/decimal";

const at = (ms: number) => ms as Instant;
const number = { featureType: "NUMBER", isMetered: true } as const;

const source = (changes: Partial<Source> = {}): Source => ({
	isPromotional: false,
	isTrial: false,
	isRevoked: false,
	isUnlimited: false,
	usageLimit: null,
	isSoft: false,
	enumValues: [],
	resetPeriod: null,
	resetAnchor: null,
	usageAnchorAt: at(0),
	updatedAt: at(0),
	...changes,
});
const limited = (limit: number, usage: number, changes: Partial<Source> = {}): Candidate => ({
	source: source({ usageLimit: toDecimal(limit), ...changes }),
	period: null,
	usage: toDecimal(usage),
});
const terms = (changes: Partial<FeatureTerms> = {}): FeatureTerms => ({
	isGranted: true,
	usageLimit: null,
	hasUnlimitedUsage: null,
	hasSoftLimit: null,
	resetPeriod: null,
	resetAnchor: null,
	enumValues: null,
	updatedAt: at(0),
	...changes,
});
const limit = (value: number, changes: Partial<FeatureTerms> = {}) =>
	terms({ usageLimit: toDecimal(value), ...changes });
const grant = (changes: Partial<Parameters<typeof sourcesOf>[0]>) =>
	sourcesOf({ plan: [], addons: [], purchased: null, own: null, usageAnchorAt: at(5), updatedAt: at(7), ...changes });
const increment = (value: number, quantity: number) => ({
	terms: limit(value),
	behavior: "Increment" as const,
	quantity,
});
const override = (value: number, quantity = 1) => ({ terms: limit(value), behavior: "Override" as const, quantity });

describe("the sources of one subscription", () => {
	const cases: Array<[string, Parameters<typeof grant>[0], string | null]> = [
		["the plan's own", { plan: [limit(10)] }, "10"],
		["the base plan's is added", { plan: [limit(10), limit(5)] }, "15"],
		["addons, times their quantity", { plan: [limit(10)], addons: [increment(5, 3), increment(1, 1)] }, "26"],
		["addons alone", { addons: [increment(5, 2)] }, "10"],
		["an override takes the plan's place", { plan: [limit(10)], addons: [override(4)] }, "4"],
		[
			"the largest override, and no increment",
			{ plan: [limit(10)], addons: [override(4), increment(9, 9), override(6, 5)] },
			"6",
		],
		["units bought are the plan's limit", { plan: [limit(10)], purchased: toDecimal(3) }, "3"],
		["units bought, and an addon", { purchased: toDecimal(3), addons: [increment(2, 2)] }, "7"],
		["unlimited beats any number", { plan: [limit(10), terms({ hasUnlimitedUsage: true })] }, null],
		["what states no limit adds none", { plan: [limit(10), terms()] }, "10"],
		["exact decimals", { plan: [limit(0.1), limit(0.2)] }, "0.3"],
	];
	test.each(cases)("%s", (_, given, expected) => {
		const sources = grant(given);
		expect(sources.map(({ usageLimit }) => usageLimit)).toEqual([expected as Decimal | null]);
	});

	test("its own entitlement is a separate source", () => {
		expect(grant({ plan: [limit(10)], own: limit(3) }).map(({ usageLimit }) => usageLimit)).toEqual([
			toDecimal(10),
			toDecimal(3),
		]);
		expect(grant({})).toEqual([]);
	});

	test("a revocation in any package revokes", () => {
		expect(grant({ plan: [terms({ isGranted: false }), limit(5)] })[0]?.isRevoked).toBe(true);
		expect(
			grant({ plan: [limit(5)], addons: [{ ...increment(1, 1), terms: terms({ isGranted: false }) }] })[0]?.isRevoked,
		).toBe(true);
		expect(grant({ plan: [limit(5)] })[0]?.isRevoked).toBe(false);
	});

	test("reset period and soft limit come from the first that states them; values are combined", () => {
		const [one] = grant({
			plan: [
				terms({ enumValues: ["b"] }),
				terms({ resetPeriod: "MONTH", resetAnchor: "StartOfTheMonth", enumValues: ["a", "b"] }),
			],
			addons: [{ terms: terms({ resetPeriod: "DAY", hasSoftLimit: true }), behavior: "Increment", quantity: 1 }],
		});
		expect(one).toMatchObject({
			resetPeriod: "MONTH",
			resetAnchor: "StartOfTheMonth",
			isSoft: true,
			enumValues: ["a", "b"],
		});
		expect(one).toMatchObject({ usageAnchorAt: 5, updatedAt: 7 });
	});
});

describe("the source of a promotional entitlement", () => {
	test("has its own terms, from its own start", () => {
		const given = limit(7, { resetPeriod: "WEEK", resetAnchor: "EveryFriday", hasSoftLimit: true, updatedAt: at(9) });
		expect(promotionalSource(given, at(3))).toEqual(
			source({
				isPromotional: true,
				usageLimit: toDecimal(7),
				isSoft: true,
				resetPeriod: "WEEK",
				resetAnchor: "EveryFriday",
				usageAnchorAt: at(3),
				updatedAt: at(9),
			}),
		);
		expect(promotionalSource(terms({ hasUnlimitedUsage: true }), at(3))).toMatchObject({
			isUnlimited: true,
			usageLimit: null,
		});
	});

	const shown = (...candidates: Candidate[]) => decide(number, candidates, {}).shown?.source.isPromotional;
	const promotional = { isPromotional: true };
	test.each<[string, boolean, Candidate, Candidate]>([
		["the larger one", true, limited(10, 0), limited(11, 0, promotional)],
		["the larger one", false, limited(10, 0), limited(9, 0, promotional)],
		["one without a limit", true, limited(10, 0), limited(0, 0, { ...promotional, isUnlimited: true })],
		["the soft one of equal limits", true, limited(10, 0), limited(10, 0, { ...promotional, isSoft: true })],
		[
			"the subscription's of equal limits, regardless of the reset period",
			false,
			limited(10, 0),
			limited(10, 0, { ...promotional, resetPeriod: "HOUR" }),
		],
		["the one below its limit", true, limited(10, 10), limited(5, 0, { ...promotional, resetPeriod: "HOUR" })],
	])("next to a subscription, the answer shows %s", (_, isPromotional, sold, given) => {
		expect(shown(sold, given)).toBe(isPromotional);
		expect(shown(given, sold)).toBe(isPromotional);
	});
});

describe("the decision", () => {
	const cases: Array<[string, DecidedFeature, Candidate[], object, string | null]> = [
		["nothing granted", number, [], {}, "NoFeatureEntitlementInSubscription"],
		["room for one more", number, [limited(10, 9)], {}, null],
		["a full quota", number, [limited(10, 10)], {}, "RequestedUsageExceedingLimit"],
		["a full quota, nothing asked", number, [limited(10, 10)], { requestedUsage: "0" }, null],
		["room for less than asked", number, [limited(10, 9)], { requestedUsage: "2" }, "RequestedUsageExceedingLimit"],
		["parts of a unit", number, [limited(10, 9.5)], { requestedUsage: "0.5" }, null],
		["a soft limit passed", number, [limited(10, 50, { isSoft: true })], {}, null],
		["no limit", number, [limited(1, 50, { isUnlimited: true })], {}, null],
		[
			"a small soft limit next to a large hard one",
			number,
			[limited(100, 200), limited(10, 200, { isSoft: true })],
			{},
			null,
		],
		["another window that has room", number, [limited(100, 100), limited(10, 0, { resetPeriod: "DAY" })], {}, null],
		["a configuration value", { ...number, isMetered: false }, [limited(0, 0)], {}, null],
		["a revocation next to a grant", number, [limited(10, 0), limited(5, 0, { isRevoked: true })], {}, "Revoked"],
		["values of a number", number, [limited(10, 0)], { requestedValues: ["a"] }, "FeatureTypeMismatch"],
	];
	test.each(cases)("%s", (_, feature, candidates, request, reason) => {
		expect(decide(feature, candidates, request)).toMatchObject({ isGranted: reason === null, reason });
	});

	const values = (...enumValues: string[]): Candidate => ({
		source: source({ enumValues }),
		period: null,
		usage: toDecimal(0),
	});
	test("an enum allows the values of all sources, and no others", () => {
		const feature = { featureType: "ENUM", isMetered: false } as const;
		expect(decide(feature, [values("eu"), values("us")], { requestedValues: ["eu", "us"] }).isGranted).toBe(true);
		expect(decide(feature, [values("eu")], { requestedValues: ["eu", "us"] }).reason).toBe("RequestedValuesMismatch");
		expect(decide(feature, [values("eu")], {}).isGranted).toBe(true);
		expect(decide(feature, [values("eu")], { requestedUsage: "1" as Decimal }).reason).toBe("FeatureTypeMismatch");
	});

	test("any source grants a boolean", () => {
		const feature = { featureType: "BOOLEAN", isMetered: false } as const;
		expect(decide(feature, [values()], {})).toMatchObject({ isGranted: true, reason: null });
		expect(decide(feature, [values()], { requestedUsage: "1" as Decimal }).reason).toBe("FeatureTypeMismatch");
	});
});

const anyCandidate = fc
	.record({
		usageLimit: fc.option(fc.integer({ min: 0, max: 20 })),
		isPromotional: fc.boolean(),
		isUnlimited: fc.boolean(),
		isSoft: fc.boolean(),
		enumValues: fc.subarray(["a", "b", "c"]),
		resetPeriod: fc.constantFrom("YEAR", "MONTH", "DAY", null),
		usageAnchorAt: fc.integer({ min: 0, max: 3 }),
		updatedAt: fc.integer({ min: 0, max: 3 }),
		usage: fc.integer({ min: 0, max: 25 }),
	})
	.map(
		({ usage, usageLimit, usageAnchorAt, updatedAt, ...rest }): Candidate => ({
			source: source({
				...rest,
				usageLimit: usageLimit === null ? null : toDecimal(usageLimit),
				usageAnchorAt: at(usageAnchorAt),
				updatedAt: at(updatedAt),
			}),
			period: null,
			// Usage depends on the usage period only, so sources with the same period have the same usage.
			usage: toDecimal(rest.resetPeriod === "DAY" ? Math.floor(usage / 5) : usage % 7),
		}),
	);
const anyFeature = fc.constantFrom<DecidedFeature>(
	number,
	{ featureType: "NUMBER", isMetered: false },
	{ featureType: "ENUM", isMetered: false },
	{ featureType: "BOOLEAN", isMetered: false },
);
const anyRequest = fc.record(
	{ requestedUsage: fc.integer({ min: 0, max: 10 }).map(toDecimal), requestedValues: fc.subarray(["a", "b", "c"]) },
	{ requiredKeys: [] },
);

describe("properties", () => {
	test("the order of sources does not matter", () => {
		fc.assert(
			fc.property(
				anyFeature,
				fc.array(anyCandidate, { maxLength: 5 }),
				anyRequest,
				fc.nat(),
				(feature, candidates, request, by) => {
					const turn = candidates.length === 0 ? 0 : by % candidates.length;
					const turned = [...candidates.slice(turn), ...candidates.slice(0, turn)].reverse();
					const [one, other] = [decide(feature, candidates, request), decide(feature, turned, request)];
					expect({ ...other, shown: other.shown?.source }).toEqual({ ...one, shown: one.shown?.source });
				},
			),
			{ numRuns: 300 },
		);
	});

	test("an additional source never removes access", () => {
		fc.assert(
			fc.property(
				anyFeature,
				fc.array(anyCandidate, { minLength: 1, maxLength: 4 }),
				anyCandidate,
				anyRequest,
				(feature, candidates, more, request) => {
					if (decide(feature, candidates, request).isGranted)
						expect(decide(feature, [...candidates, more], request).isGranted).toBe(true);
				},
			),
			{ numRuns: 300 },
		);
	});

	test("a larger limit never removes access, and more usage never grants it", () => {
		fc.assert(
			fc.property(fc.nat(50), fc.nat(50), fc.nat(10), fc.nat(10), (most, usage, more, requested) => {
				const granted = (allowed: number, used: number) =>
					decide(number, [limited(allowed, used)], { requestedUsage: toDecimal(requested) }).isGranted;
				// The independent calculation uses whole numbers.
				expect(granted(most, usage)).toBe(usage + requested <= most);
				if (granted(most, usage)) expect(granted(most + more, usage)).toBe(true);
				if (!granted(most, usage)) expect(granted(most, usage + more)).toBe(false);
			}),
			{ numRuns: 200 },
		);
	});

	test("an addon of a greater quantity never grants less", () => {
		fc.assert(
			fc.property(fc.nat(100), fc.nat(100), fc.integer({ min: 1, max: 9 }), (own, each, quantity) => {
				const [one] = grant({ plan: [limit(own)], addons: [increment(each, quantity)] });
				expect(one?.usageLimit).toBe(toDecimal(own + each * quantity));
			}),
			{ numRuns: 100 },
		);
	});
});

describe("units", () => {
	const cases: Array<[string, object | null, string]> = [
		["1001", { divide: "1000", round: "UP" }, "2"],
		["1001", { divide: "1000", round: "DOWN" }, "1"],
		["1000", { divide: "1000", round: "UP" }, "1"],
		["0", { divide: "3", round: "UP" }, "0"],
		["7.5", null, "7.5"],
	];
	test.each(cases)("%s with %j shows as %s", (usage, transformation, shown) => {
		expect(convertUnits(usage as Decimal, transformation as never)).toBe(shown as Decimal);
	});
});

describe("credits", () => {
	const plain = { isRevoked: false, isSoft: false };
	const cases: Array<[string, Omit<CreditState, "limit" | "used">, number, number | undefined, string | null]> = [
		["some left", plain, 4, undefined, null],
		["none left", plain, 5, undefined, "InsufficientCredits"],
		["enough for the request", plain, 2, 3, null],
		["too few for the request", plain, 2, 4, "InsufficientCredits"],
		["a soft limit", { ...plain, isSoft: true }, 9, 4, null],
		["revoked", { ...plain, isRevoked: true }, 0, undefined, "Revoked"],
	];
	test.each(cases)("%s", (_, terms, used, requested, reason) => {
		const asked = requested === undefined ? undefined : toDecimal(requested);
		expect(decideCredits({ ...terms, limit: toDecimal(5), used: toDecimal(used) }, asked)).toEqual({
			isGranted: reason === null,
			reason: reason as never,
		});
	});
});
