import { beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { systemActor } from "../../../../src/areas/access/rules.actors";
import { provisionCustomer } from "../../../../src/areas/customers/operations";
import { createFeature } from "../../../../src/areas/features/operations";
import type { LevelTerms } from "../../../../src/areas/pricing/models/level";
import { highestLevel, timedCost } from "../../../../src/areas/usage/operations.levels";
import { recordReport } from "../../../../src/areas/usage/reports/operations";
import type { Instant } from "../../../../src/kernel/clock";
import type { Decimal } from "../../../../src/kernel/decimal";
import { newUuidV7 } from "../../../../src/kernel/ids";
import { openFile } from "../../../../src/kernel/storage/db";
import { NotYetRead, onceHere } from "../../../../src/kernel/storage/failures";
import { openTransactions } from "../../../../src/kernel/storage/transactions";
import type { Work } from "../../../../src/kernel/work";
import { freshFolder, testNow } from "../../../support/world";

const actor = systemActor("env");
const dayMs = 86_400_000;
const start = Date.parse("2026-01-05T00:00:00Z");
const end = start + 3 * dayMs;

/** 3 for each unit up to 1000, 2 for each further one. */
const terms = {
	charge: {
		billingModel: "USAGE_BASED",
		price: null,
		tiersMode: "GRADUATED",
		tiers: [
			{ upTo: "1000", unitPrice: { amount: "3", currency: "usd" } },
			{ unitPrice: { amount: "2", currency: "usd" } },
		],
		blockSize: null,
		priceTerms: { usageMeasure: "TIME_WEIGHTED" },
	},
} as unknown as LevelTerms;

type Change = readonly [at: number, delta: number];

/** No sequence of changes takes the level below 0. */
const first: Change = [start - 2 * dayMs, 1000];

function ground() {
	const db = openFile(freshFolder(), "main", ["usage", "events"]);
	const transactions = openTransactions({ db, clock: { now: () => testNow }, newId: newUuidV7, wake: () => {} });
	const { customerId, feature } = transactions.write(actor, (work) => ({
		customerId: provisionCustomer(work, { id: "acme" }).id,
		feature: createFeature(work, {
			...{ id: "seats", displayName: "Seats", featureType: "NUMBER", meterType: "FLUCTUATING" },
		}),
	}));
	const report = (work: Work, [at, delta]: Change) =>
		recordReport(work, {
			...{ feature, customerId, resourceRef: null, value: `${delta}` as Decimal, behavior: "DELTA", at: at as Instant },
			...{ period: null, idempotencyKey: null, dimensions: null, reservationId: null, where: "body" },
		});
	const of = { featureId: feature.id, customerId, resourceId: null };
	const measured = (work: Work, until: number) => {
		const part = { start: start as Instant, end: until as Instant };
		const whole = { start: start as Instant, end: end as Instant };
		const byDay = { ...terms, charge: { ...terms.charge, priceTerms: { countsDays: true } } } as LevelTerms;
		return {
			highest: highestLevel(work, of, part),
			cost: timedCost(work, of, terms, part, { whole, since: whole.start }).cost,
			byDay: timedCost(work, of, byDay, part, { whole, since: whole.start, days: { timeZone: "UTC" } }).cost,
		};
	};
	return {
		write: (changes: readonly Change[]) =>
			transactions.write(actor, (work) => {
				for (const change of changes) report(work, change);
			}),
		undone: (changes: readonly Change[], until: number) => {
			const refusal = new Error("rolled back");
			expect(() =>
				transactions.write(actor, (work) => {
					for (const change of changes) report(work, change);
					measured(work, until);
					throw refusal;
				}),
			).toThrow(refusal);
		},
		atOnce: (until: number) => transactions.read(actor, (work) => measured(work, until)),
		inSlices: async (until: number) => {
			const tries = { count: 0 };
			const result = await onceHere(() =>
				transactions.read(actor, (work) => {
					tries.count += 1;
					return measured(work, until);
				}),
			);
			return { result, tries: tries.count };
		},
		/** Runs as one request that is not repeated, so that the test sees the refusal. */
		refused: (until: number) => {
			let thrown: unknown;
			void onceHere(() => {
				try {
					transactions.read(actor, (work) => measured(work, until));
				} catch (error) {
					thrown = error;
				}
			});
			return thrown;
		},
	};
}

/** The same figures by a loop over the changes, in thousandths of a unit of money. */
function expected(changes: readonly Change[], until: number) {
	const ordered = changes.toSorted(([one], [other]) => one - other);
	const costOf = (level: number) => Math.min(level, 1000) * 3 + Math.max(0, level - 1000) * 2;
	let [level, at, highest, cost] = [0, start, 0, 0n];
	const days = [0, 0, 0];
	const last = (to: number): void => {
		const counted = Math.max(0, level);
		const [from, till] = [Math.max(at, start), Math.min(to, until)];
		if (from >= till) return;
		highest = Math.max(highest, counted);
		cost += BigInt(costOf(counted)) * BigInt(till - from);
		for (const day of days.keys()) {
			const [begins, ends] = [start + day * dayMs, start + (day + 1) * dayMs];
			if (from < ends && till > begins) days[day] = Math.max(days[day] ?? 0, counted);
		}
	};
	for (const [time, delta] of ordered) {
		last(time);
		level += delta;
		at = time;
	}
	last(until);
	const whole = BigInt(end - start);
	const counted = days.slice(0, Math.floor((until - start) / dayMs));
	return {
		highest: `${highest}`,
		thousandths: (cost * 1000n) / whole,
		byDayThousandths: BigInt(Math.floor((counted.reduce((sum, day) => sum + costOf(day), 0) * 1000) / 3)),
	};
}

const thousandthsOf = (amount: string): bigint => {
	const [whole = "0", part = ""] = amount.split(".");
	return BigInt(whole) * 1000n + BigInt(part.padEnd(3, "0").slice(0, 3));
};

const comparable = ({ highest, cost, byDay }: { highest: string; cost: string; byDay: string }) => ({
	...{ highest, thousandths: thousandthsOf(cost), byDayThousandths: thousandthsOf(byDay) },
});

const changesOver = (count: number, from: number, to: number): Change[] =>
	Array.from({ length: count }, (_, at): Change => {
		const step = (to - from) / count;
		return [Math.floor(from + at * step), ((at * 7) % 11) - 5 + (at % 100 === 0 ? 3 : 0)];
	});

test("levels of any changes, also late, simultaneous and rolled back ones, have the figures of a loop over them", () => {
	const change = fc.tuple(fc.integer({ min: start - dayMs, max: end }), fc.integer({ min: -9, max: 15 }));
	fc.assert(
		fc.property(
			fc.array(fc.tuple(fc.array(change, { maxLength: 12 }), fc.boolean(), fc.integer({ min: 1, max: 3 })), {
				maxLength: 6,
			}),
			(steps) => {
				const ours = ground();
				ours.write([first]);
				const written = [first];
				for (const [changes, isUndone, days] of steps) {
					const until = start + days * dayMs;
					if (isUndone) ours.undone(changes, until);
					else {
						ours.write(changes);
						written.push(...changes);
					}
					expect(comparable(ours.atOnce(until))).toEqual(expected(written, until));
				}
			},
		),
		{ numRuns: 15 },
	);
});

describe("a series with thousands of reports", () => {
	let ours: ReturnType<typeof ground>;
	const written = [first, ...changesOver(5_200, start - dayMs / 2, end)];
	beforeAll(() => {
		ours = ground();
		ours.write(written);
	});

	test("is read in time slices ahead of a transaction that is repeated, with the same figures", async () => {
		expect(ours.refused(end)).toBeInstanceOf(NotYetRead);
		const { result, tries } = await ours.inSlices(end);
		expect(tries).toBeGreaterThan(1);
		expect(comparable(result)).toEqual(expected(written, end));
		expect((await ours.inSlices(end)).tries).toBe(1);
		expect(ours.atOnce(end)).toEqual(result);
	});

	test("continues from where it was read when reports follow, and again from before a late one", async () => {
		const before = await ours.inSlices(end - dayMs);
		expect(comparable(before.result)).toEqual(expected(written, end - dayMs));
		for (const late of [end - 5, start + dayMs, start, start - 3]) {
			const changes: Change[] = [
				[late, 4],
				[late, 3],
			];
			ours.write(changes);
			written.push(...changes);
			expect(comparable((await ours.inSlices(end)).result)).toEqual(expected(written, end));
		}
	});

	test("drops what it has read of a write that was rolled back", async () => {
		await ours.inSlices(end);
		ours.undone(changesOver(700, start + dayMs, end - 1), end);
		ours.write([[start + dayMs + 7, 2]]);
		written.push([start + dayMs + 7, 2]);
		expect(comparable((await ours.inSlices(end)).result)).toEqual(expected(written, end));
	});

	test("adds up more changes of one instant than a transaction reads", async () => {
		const changes = Array.from({ length: 2_300 }, (_, at): Change => [start + dayMs + 11, at % 2 === 0 ? 1 : -1]);
		ours.write(changes);
		written.push(...changes);
		const { result, tries } = await ours.inSlices(end);
		expect(comparable(result)).toEqual(expected(written, end));
		expect(tries).toBeLessThan(6);
	});
});
