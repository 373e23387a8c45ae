import { expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { systemActor } from "../../../src/areas/access/rules.actors";
import { getFeature } from "../../../src/areas/features/operations";
import type { MeterInput } from "../../../src/areas/features/schema";
import { type NewCharge, replaceCharges } from "../../../src/areas/packages/charges/store";
import { createPlan } from "../../../src/areas/plans/operations";
import { segmentationOf } from "../../../src/areas/pricing/models/segment";
import { createProduct } from "../../../src/areas/products/operations";
import { segmentsIn } from "../../../src/areas/usage/operations";
import { compileSegments } from "../../../src/areas/usage/rules.segments";
import type { Period } from "../../../src/kernel/period";
import { openFile } from "../../../src/kernel/storage/db";
import { folderOfTest } from "../../support/folders";
import { slowRuns } from "../../support/runs";
import { eraseAcme } from "./erasing/erase";
import { at, count, event, ground, type SentEvent, sumOf } from "./ground";
import { recountUsage } from "./recounted";

setDefaultTimeout(120_000);

const unpriced = { price: null, tiers: null, tiersMode: null, blockSize: null };
const segments = {
	variants: [
		{ id: "large", match: { model: ["large"] }, ...unpriced },
		{ id: "any", match: { model: ["*"], region: ["eu", "us"] }, ...unpriced },
	],
	groupBy: ["team"],
};
const segmentation = segmentationOf(segments);

const charge = {
	...({
		isOverage: false,
		billingModel: "USAGE_BASED",
		billingCadence: "RECURRING",
		billingPeriod: "MONTHLY",
	} as const),
	...{ billingCountryCode: null, overageCurrencyId: null, topUpCurrencyId: null, price: null, tiersMode: null },
	...{ tiers: null, blockSize: null, minUnitQuantity: null, maxUnitQuantity: null, creditAmount: null },
	...{
		creditCurrencyId: null,
		creditCostFormula: null,
		creditGrantCadence: null,
		resetPeriod: null,
		resetAnchor: null,
	},
	...{ prorationMode: null, refundsUnusedTime: true, paymentTime: null, key: null, taxes: null },
} satisfies Omit<NewCharge, "featureId" | "priceTerms">;

const meters: Readonly<Record<string, MeterInput>> = {
	sum: sumOf("n"),
	count,
	users: { aggregation: { function: "UNIQUE", field: "user" }, filters: [] },
	most: { aggregation: { function: "MAX", field: "n" }, filters: [] },
};

/** A site whose meters have a price with variants and groups. */
function site() {
	const ours = ground();
	const acme = ours.customer("acme");
	for (const [id, meter] of Object.entries(meters)) ours.meter(id, meter);
	ours.transactions.write(systemActor("env"), (work) => {
		createProduct(work, { id: "app", displayName: "App" });
		const { id: versionId } = createPlan(work, { id: "pro", productId: "app", displayName: "Pro" });
		replaceCharges(
			work,
			versionId,
			Object.keys(meters).map((featureId) => ({
				...charge,
				featureId: getFeature(work, featureId).id,
				priceTerms: { segments },
			})),
		);
	});
	const used = (featureId: string, period: Period, resourceId: string | null = null) =>
		ours.transactions.read(systemActor("env"), (work) => {
			const { id } = getFeature(work, featureId);
			const of = { featureId: id, customerId: acme, resourceId };
			return segmentsIn(work, of, segmentation, period).map(
				({ variantId, dimensions, quantity }) => `${variantId ?? ""}/${dimensions.team}=${quantity}`,
			);
		});
	return { ...ours, acme, used };
}

const dimensions = fc.record(
	{
		n: fc.integer({ min: 1, max: 5 }),
		model: fc.constantFrom("large", "small", 7),
		region: fc.constantFrom("eu", "us", "mars"),
		team: fc.constantFrom("red", "blue", 3, "3", "t".repeat(80)),
		user: fc.constantFrom("ann", "bob"),
	},
	{ requiredKeys: ["n"] },
);
const events = fc.array(
	fc.record({
		minute: fc.integer({ min: 0, max: 3000 }),
		dimensions,
		isCanceled: fc.boolean(),
		step: fc.integer({ min: 0, max: 3 }),
	}),
	{ maxLength: 40 },
);

const start = Date.UTC(2026, 0, 26);
const sent = ({ minute, dimensions: of }: { minute: number; dimensions: object }, index: number): SentEvent =>
	event({
		idempotencyKey: `k${index}`,
		timestamp: new Date(start + minute * 60_000).toISOString(),
		dimensions: of as NonNullable<SentEvent["dimensions"]>,
	});

/** Divides and adds up the events one by one. */
function bruteForce(
	name: string,
	of: ReadonlyArray<{ readonly dimensions: Readonly<Record<string, unknown>> }>,
): string[] {
	const groups = new Map<string, Readonly<Record<string, unknown>>[]>();
	for (const { dimensions: one } of of) {
		const isNamed = one.region === "eu" || one.region === "us";
		// A named value of one dimension equals a named value of another; then more values of any kind decide.
		const id = isNamed && one.model !== undefined ? "any" : one.model === "large" ? "large" : "";
		const team = one.team === undefined ? "" : String(one.team);
		const key = `${id}/${team.length > 64 ? "#" : team}`;
		groups.set(key, [...(groups.get(key) ?? []), one]);
	}
	const measures: Readonly<Record<string, (of: readonly Readonly<Record<string, unknown>>[]) => number>> = {
		sum: (ones) => ones.reduce((sum, { n }) => sum + Number(n), 0),
		count: (ones) => ones.length,
		users: (ones) => new Set(ones.flatMap(({ user }) => (user === undefined ? [] : [user]))).size,
		most: (ones) => Math.max(...ones.map(({ n }) => Number(n))),
	};
	return [...groups].map(([key, ones]) => `${key}=${measures[name]?.(ones)}`).filter((text) => !text.endsWith("=0"));
}

const hidden = (texts: readonly string[]) => texts.map((text) => text.replace(/#[^=]+=*(?==)/, "#")).sort();

test("segments are counted like brute force, over any period, after late and canceled events and a crash", () => {
	fc.assert(
		fc.property(events, fc.integer({ min: 0, max: 1500 }), fc.integer({ min: 1, max: 1500 }), (all, from, length) => {
			const ours = site();
			for (const step of [0, 1, 2, 3]) {
				const now = all.flatMap((one, index) => (one.step === step ? [sent(one, index)] : []));
				if (now.length > 0) ours.take(now);
				ours.jobs.aggregator.run();
				if (step === 1) ours.crash();
			}
			const gone = all.flatMap((one, index) => (one.isCanceled ? [sent(one, index)] : []));
			if (gone.length > 0)
				ours.cancel(
					gone.map(({ eventName, customerId, idempotencyKey }) => ({ eventName, customerId, idempotencyKey })),
				);
			ours.jobs.aggregator.run();
			const period = { start: start + from * 60_000, end: start + (from + length) * 60_000 } as Period;
			const kept = all.filter(({ minute, isCanceled }) => !isCanceled && minute >= from && minute < from + length);
			for (const name of Object.keys(meters))
				expect([name, ...hidden(ours.used(name, period))]).toEqual([name, ...hidden(bruteForce(name, kept))]);
			expect(recountUsage(ours.folder, folderOfTest())).toEqual([]);
			ours.close();
		}),
		slowRuns(12),
	);
});

test("the check finds a changed total of a segment, and names the feature and the customer", () => {
	const ours = site();
	ours.take([event({ timestamp: "2026-01-29T10:30:00Z", dimensions: { n: 3, model: "large", team: "red" } })]);
	ours.jobs.aggregator.run();
	ours.jobs.aggregator.close();
	const { $client } = openFile(ours.folder, "usage");
	expect(recountUsage(ours.folder, folderOfTest())).toEqual([]);
	$client.run(
		"UPDATE usage_totals SET state = '4' WHERE subject_id IN (SELECT id FROM usage_segments) AND state = '3'",
	);
	expect(recountUsage(ours.folder, folderOfTest())[0]).toContain("feature 'sum' for customer 'acme'");
});

test("an erasure replaces the values of groups by tokens, and keeps the usage of each segment", async () => {
	const ours = site();
	for (const [index, team] of ["ann@acme.example", "bob@acme.example", "ann@acme.example"].entries())
		ours.take([
			event({
				idempotencyKey: `e${index}`,
				timestamp: "2026-01-29T10:00:00Z",
				dimensions: { n: 2, model: "large", team },
			}),
		]);
	ours.jobs.aggregator.run();
	const period = { start: at("2026-01-29T00:00:00Z"), end: at("2026-01-30T00:00:00Z") };
	expect(ours.used("sum", period)).toEqual(["large/ann@acme.example=4", "large/bob@acme.example=2"]);
	await eraseAcme(ours, ours.acme);
	const after = ours.used("sum", period);
	expect(after.map((text) => text.replace(/erased-[0-9a-f]{24}/, "token")).sort()).toEqual([
		"large/token=2",
		"large/token=4",
	]);
	expect(
		JSON.stringify(openFile(ours.folder, "usage").$client.query("SELECT name FROM usage_segments").all()),
	).not.toContain("@");
	ours.jobs.aggregator.run();
	expect(recountUsage(ours.folder, folderOfTest())).toEqual([]);
	expect(ours.used("sum", period)).toEqual(after);
});

const texts = fc.oneof(
	fc.constant(["*"]),
	fc.uniqueArray(fc.constantFrom("a", "b", "5", "true", ""), { minLength: 1 }),
);
const matched = fc.dictionary(fc.constantFrom("x", "y", "eventName"), texts, { minKeys: 1 });
const value = fc.constantFrom("a", "b", "c", 5, "5", true, "", undefined);

/** The place of the best variant, by trying all of them. */
function bestByTrying(
	variants: ReadonlyArray<Readonly<Record<string, readonly string[]>>>,
	of: Readonly<Record<string, unknown>>,
): number {
	let best = { place: -1, named: -1, any: -1 };
	for (const [place, match] of variants.entries()) {
		let [named, any] = [0, 0];
		const fits = Object.entries(match).every(([dimension, allowed]) => {
			if (allowed[0] === "*") any += 1;
			else named += 1;
			return of[dimension] !== undefined && (allowed[0] === "*" || allowed.some((text) => text === `${of[dimension]}`));
		});
		if (fits && (named > best.named || (named === best.named && any > best.any))) best = { place, named, any };
	}
	return best.place;
}

test("the segment of an event is that of the variant that trying all of them finds, and of its groups", () => {
	const seen = fc.array(fc.record({ x: value, y: value, g: value, eventName: fc.constantFrom("a", "call") }));
	fc.assert(
		fc.property(fc.array(matched, { maxLength: 12 }), fc.subarray(["g", "x"]), seen, (matches, groupBy, events) => {
			const variants = matches.map((match, at) => ({ id: `v${at}`, match }));
			const { nameOf } = compileSegments({ variants, groupBy }, "id");
			for (const one of events) {
				const place = bestByTrying(matches, one);
				const groups = groupBy.map((name) => String(one[name as "g" | "x"] ?? ""));
				const name = nameOf((dimension) => one[dimension as keyof typeof one]);
				expect(name).toBe(`id ${JSON.stringify([place < 0 ? "" : `v${place}`, ...groups])}`);
			}
		}),
		{ numRuns: 300 },
	);
});
