import { expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { add, type Rational, ratio, smaller, times } from "../../../../support/oracle/rational";
import { till } from "../../../subscriptions/billing";
import { findings } from "../../window-cost/findings";
import { measured } from "./levels";

setDefaultTimeout(240_000);

/** Second 0 is the start of April, when the subscription starts; June starts at the last one. */
const april = Date.UTC(2026, 3, 1) / 1000;
const [inApril, inMay] = [30 * 86_400, 31 * 86_400];
/** In New York, in these months. */
const zoneSeconds = -4 * 3600;

interface Report {
	readonly second: number;
	readonly value: number;
	readonly behavior: "SET" | "DELTA";
	readonly arrives: "FIRST" | "SECOND" | "LATE";
	readonly isRepeated: boolean;
}

const firstBill = 11 * 86_400;
const endOf = { FIRST: firstBill, SECOND: inApril, LATE: inApril };

const reports = fc.uniqueArray(
	fc
		.record({
			part: fc.double({ min: 0, max: 0.999, noNaN: true }),
			value: fc.integer({ min: 0, max: 25 }),
			change: fc.integer({ min: -8, max: 12 }),
			behavior: fc.constantFrom("SET" as const, "DELTA" as const),
			arrives: fc.constantFrom("FIRST" as const, "SECOND" as const, "LATE" as const),
			isRepeated: fc.boolean(),
		})
		.map(({ part, value, change, behavior, arrives, isRepeated }): Report => {
			// From a week before the subscription on.
			const second = Math.floor(-7 * 86_400 + part * (endOf[arrives] + 7 * 86_400));
			return { second, value: behavior === "SET" ? value : change, behavior, arrives, isRepeated };
		}),
	{ maxLength: 14, selector: ({ second }) => second },
);

const price = fc.record({
	measure: fc.constantFrom("TIME_WEIGHTED", "BY_DAY", "PEAK"),
	model: fc.constantFrom("EACH", "GRADUATED", "VOLUME", "BLOCKS"),
	cents: fc.integer({ min: 1, max: 2000 }),
	rest: fc.integer({ min: 0, max: 2000 }),
	isInZone: fc.boolean(),
});
type Price = typeof price extends fc.Arbitrary<infer Value> ? Value : never;

const bodyOf = ({ measure, model, cents, rest }: Price): object => {
	const unit = (amount: number) => ({ unitPrice: { amount: amount / 100 } });
	const more = measure === "BY_DAY" ? { prorationMode: "BY_DAY" } : {};
	const by = measure === "BY_DAY" ? "TIME_WEIGHTED" : measure;
	if (model === "EACH") return measured(by, { price: { amount: cents / 100 } }, more);
	if (model === "BLOCKS") return measured(by, { price: { amount: cents / 100 }, blockSize: 5 }, more);
	return measured(by, { tiers: [{ upTo: 10, ...unit(cents) }, unit(rest)] }, { ...more, tiersMode: model });
};

/** The cost of a level for a whole window, in cents. */
function centsOf({ model, cents, rest }: Price, level: number): number {
	if (model === "EACH") return level * cents;
	if (model === "BLOCKS") return Math.ceil(level / 5) * cents;
	if (model === "VOLUME") return level * (level <= 10 ? cents : rest);
	return Math.min(level, 10) * cents + Math.max(0, level - 10) * rest;
}

/** Finds the level of every second up to the end of May, with nothing of the code under test. */
function levelsBy(known: readonly Report[]): Int32Array {
	const levels = new Int32Array(inApril + inMay);
	const ordered = known.toSorted((one, other) => one.second - other.second);
	let level = 0;
	for (const [at, { second, behavior, value }] of ordered.entries()) {
		level = behavior === "SET" ? value : level + value;
		levels.fill(Math.max(0, level), Math.max(0, second), Math.max(0, ordered[at + 1]?.second ?? levels.length));
	}
	return levels;
}

/** The cost of [from, to) as a part of a window from `from` to `end`, in cents. */
function costOf(terms: Price, levels: Int32Array, from: number, to: number, end: number): Rational {
	if (terms.measure === "PEAK") return ratio(centsOf(terms, peakOf(levels.subarray(from, to))));
	if (terms.measure === "TIME_WEIGHTED") {
		let sum = 0n;
		for (const [level, seconds] of secondsOf(levels.subarray(from, to)))
			sum += BigInt(centsOf(terms, level)) * BigInt(seconds);
		return ratio(sum, BigInt(end - from));
	}
	const shift = terms.isInZone ? zoneSeconds : 0;
	const dayOf = (second: number) => Math.floor((second + shift) / 86_400);
	let sum = 0;
	for (let day = dayOf(from); day < dayOf(to); day += 1) {
		const start = day * 86_400 - shift;
		sum += centsOf(terms, Math.max(0, ...uniqueOf(levels.subarray(Math.max(0, start), start + 86_400))));
	}
	return ratio(sum, dayOf(end) - dayOf(from));
}

function secondsOf(levels: Int32Array): Map<number, number> {
	const seconds = new Map<number, number>();
	for (let from = 0, to = 0; from < levels.length; from = to) {
		const level = levels[from] ?? 0;
		while (levels[to] === level) to += 1;
		seconds.set(level, (seconds.get(level) ?? 0) + to - from);
	}
	return seconds;
}

const peakOf = (levels: Int32Array): number => Math.max(0, ...uniqueOf(levels));
const uniqueOf = (levels: Int32Array): Iterable<number> => secondsOf(levels).keys();

/**
 * The cost of a window after its bills. A level that was billed and lowered since is not refunded. A higher peak replaces a
 * lower one, also where volume tiers make it cheaper.
 */
function billedOf(terms: Price, bills: readonly { readonly levels: Int32Array; readonly to: number }[]): Rational {
	if (terms.measure === "PEAK")
		return ratio(centsOf(terms, Math.max(...bills.map(({ levels, to }) => peakOf(levels.subarray(0, to))))));
	return bills.map(({ levels, to }) => costOf(terms, levels, 0, to, inApril)).reduce(larger);
}

const larger = (one: Rational, other: Rational): Rational => (smaller(one, other) === one ? other : one);
const rounded = ({ over, under }: Rational): Rational => ratio((2n * over + under) / (2n * under));

test("levels cost what a sum over every second finds, in any order of reports and bills", async () => {
	await fc.assert(
		fc.asyncProperty(price, reports, async (terms, sent) => {
			const ours = await till("2026-04-01T00:00:00Z");
			await ours.plan("pro", [bodyOf(terms)]);
			const id = await ours.buy("pro", terms.isInZone ? { timeZone: "America/New_York" } : {});
			const known: Report[] = [];
			const send = async (arrives: Report["arrives"]): Promise<void> => {
				for (const [at, one] of sent.entries()) {
					if (one.arrives !== arrives) continue;
					const usage = {
						...{ customerId: "acme", featureId: "seats", value: one.value, updateBehavior: one.behavior },
						...{ createdAt: new Date((april + one.second) * 1000).toISOString(), idempotencyKey: `r${at}` },
					};
					const answers = [];
					for (let turns = one.isRepeated ? 2 : 1; turns > 0; turns -= 1)
						answers.push(await ours.call("POST", "/usage", { body: { usages: [usage] } }));
					// A change that would take the level below 0 is refused.
					if (answers[0]?.status === 201) known.push(one);
				}
			};
			const bills: { readonly levels: Int32Array; readonly to: number }[] = [];
			await ours.advance("2026-04-12T00:00:00Z");
			await send("FIRST");
			await ours.chargeUsage(id);
			bills.push({ levels: levelsBy(known), to: firstBill });
			await ours.advance("2026-04-30T23:59:59Z");
			await send("SECOND");
			await ours.advance("2026-05-01T00:00:00Z");
			bills.push({ levels: levelsBy(known), to: inApril });
			await send("LATE");
			await ours.advance("2026-06-01T00:00:00Z");
			const levels = levelsBy(known);
			bills.push({ levels, to: inApril });
			const may = costOf(terms, levels, inApril, inApril + inMay, inApril + inMay);
			const expected = add(rounded(billedOf(terms, bills)), rounded(may));
			const billed = (await ours.books()).map((text) => Number(text.split(" ")[1]));
			const cents = billed.reduce((sum, one) => sum + Math.round(one * 100), 0);
			expect(times(ratio(cents), ratio(1))).toEqual(expected);
			expect(findings(ours)).toEqual([]);
		}),
		{
			numRuns: 25,
			examples: [
				[
					{ measure: "PEAK", model: "VOLUME", cents: 1, rest: 0, isInZone: false },
					[
						{ second: -604_800, value: 11, behavior: "SET", arrives: "LATE", isRepeated: false },
						{ second: 1, value: 1, behavior: "SET", arrives: "FIRST", isRepeated: false },
					],
				],
			],
		},
	);
});
