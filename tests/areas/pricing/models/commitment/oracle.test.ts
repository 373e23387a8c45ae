import { expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { add, type Rational, ratio, smaller, times } from "../../../../support/oracle/rational";
import { till } from "../../../subscriptions/billing";
import { findings } from "../../window-cost/findings";
import { committed } from "./committed";

setDefaultTimeout(240_000);

/** A period of four days from 1 January; minute 0 is its start. */
const start = Date.UTC(2026, 0, 1);
const minutes = 4 * 24 * 60;
const dayMinutes = 24 * 60;

const price = fc.record({
	committedBy: fc.constantFrom("amount" as const, "quantity" as const),
	commitment: fc.integer({ min: 0, max: 12 }),
	/** In hundredths. */
	factor: fc.integer({ min: 100, max: 400 }),
	interval: fc.constantFrom("HOUR" as const, "DAY" as const, "THREE_DAYS" as const, "PERIOD" as const),
	isTrueUp: fc.boolean(),
	model: fc.constantFrom("EACH" as const, "GRADUATED" as const, "BLOCKS" as const),
	cents: fc.integer({ min: 1, max: 300 }),
	rest: fc.integer({ min: 0, max: 300 }),
	/** The subscription starts so many minutes after the period. */
	startsAfter: fc.constantFrom(0, 0, 75, 26 * 60 + 15),
	/** It is canceled at a minute; null: the period ends. */
	endsAt: fc.constantFrom(null, null, 40 * 60, 60 * 60 + 20),
});
type Price = typeof price extends fc.Arbitrary<infer Value> ? Value : never;

const uses = fc.array(
	fc.record({
		part: fc.double({ min: 0, max: 0.999, noNaN: true }),
		units: fc.integer({ min: 1, max: 20 }),
		arrives: fc.constantFrom("FIRST" as const, "SECOND" as const, "LATE" as const),
	}),
	{ maxLength: 12 },
);

/** The cost of units in one window, in cents. */
function centsOf({ model, cents, rest }: Price, units: number): number {
	if (model === "EACH") return units * cents;
	if (model === "BLOCKS") return Math.ceil(units / 3) * cents;
	return Math.min(units, 5) * cents + Math.max(0, units - 5) * rest;
}

const lengthOf = { HOUR: 60, DAY: dayMinutes, THREE_DAYS: 3 * dayMinutes, PERIOD: minutes } as const;
const intervalOf = {
	HOUR: { unit: "HOUR", count: 1 },
	DAY: { unit: "DAY", count: 1 },
	THREE_DAYS: { unit: "DAY", count: 3 },
	PERIOD: undefined,
} as const;

/** The cost of the known usage up to a minute, in cents: one window after the other, with nothing of the code under test. */
function costUpTo(terms: Price, known: readonly Use[], until: number, isEnded: boolean): Rational {
	const length = lengthOf[terms.interval];
	const whole = terms.committedBy === "amount" ? terms.commitment * 100 : centsOf(terms, terms.commitment);
	let sum = ratio(0);
	for (let from = 0; from < until; from += length) {
		const [first, last] = [Math.max(from, terms.startsAfter), Math.min(from + length, until)];
		if (first >= last) continue;
		const isOpen = last < from + length && last < minutes && !isEnded;
		const owing = Math.min(isOpen ? from + length : last, minutes) - first;
		const units = known
			.filter(({ minute }) => first <= minute && minute < last)
			.reduce((all, use) => all + use.units, 0);
		const used = ratio(centsOf(terms, units));
		const owed = ratio(BigInt(whole) * BigInt(owing), BigInt(length));
		sum = add(sum, chargeOf(terms, used, owed, isOpen));
	}
	return sum;
}

function chargeOf({ factor, isTrueUp }: Price, used: Rational, owed: Rational, isOpen: boolean): Rational {
	if (smaller(used, owed) === used && !isSame(used, owed)) return isTrueUp && !isOpen ? owed : used;
	return add(owed, times(add(used, times(owed, ratio(-1))), ratio(factor, 100)));
}

const isSame = (one: Rational, other: Rational): boolean => one.over * other.under === other.over * one.under;
const larger = (one: Rational, other: Rational): Rational => (smaller(one, other) === one ? other : one);
const rounded = ({ over, under }: Rational): Rational => ratio((2n * over + under) / (2n * under));

interface Use {
	readonly minute: number;
	readonly units: number;
}

const at = (minute: number): string => new Date(start + minute * 60_000).toISOString();

function bodyOf(terms: Price): object {
	const { committedBy, commitment, factor, interval, isTrueUp, model, cents, rest } = terms;
	const each = { price: { amount: cents / 100 } };
	const unit = (amount: number) => ({ unitPrice: { amount: amount / 100 } });
	const prices = {
		EACH: each,
		BLOCKS: { ...each, blockSize: 3 },
		GRADUATED: { tiers: [{ upTo: 5, ...unit(cents) }, unit(rest)] },
	};
	const length = intervalOf[interval];
	return committed(
		{ [committedBy]: commitment, overageFactor: factor / 100, isTrueUp, ...(length && { interval: length }) },
		{ ...prices[model], billingPeriod: "CUSTOM", billingInterval: { unit: "DAY", count: 4 } },
		model === "GRADUATED" ? { tiersMode: model } : {},
	);
}

test("commitments cost what a loop over the windows finds, in any order of usage and bills", async () => {
	await fc.assert(
		fc.asyncProperty(price, uses, async (terms, sent) => {
			const { startsAfter, endsAt } = terms;
			const end = endsAt ?? minutes;
			const firstBill = startsAfter + Math.floor((end - startsAfter) / 2);
			const ours = await till(at(startsAfter));
			await ours.plan("pro", [bodyOf(terms)]);
			const id = await ours.buy("pro", { billingAnchor: { type: "DATE", date: at(0) } });
			const known: Use[] = [];
			const send = async (arrives: "FIRST" | "SECOND" | "LATE"): Promise<void> => {
				const until = arrives === "FIRST" ? firstBill : end;
				for (const { part, units } of sent.filter((one) => one.arrives === arrives)) {
					const minute = startsAfter + Math.floor(part * (until - startsAfter));
					await ours.use("calls", units, at(minute));
					known.push({ minute, units });
				}
			};
			await ours.advance(at(firstBill));
			await send("FIRST");
			await ours.chargeUsage(id);
			const costs = [costUpTo(terms, known, firstBill, false)];
			await ours.advance(at(end - 1));
			await send("SECOND");
			await ours.advance(at(end));
			if (endsAt !== null) await ours.cancel(id, { cancellationTime: "IMMEDIATE" });
			costs.push(costUpTo(terms, known, end, endsAt !== null));
			await send("LATE");
			// A bill within the first window of the next period, which owes nothing yet; or the check for late usage after an end.
			await ours.advance(at(endsAt === null ? end + 30 : end + 40 * dayMinutes));
			if (endsAt === null) await ours.chargeUsage(id);
			costs.push(costUpTo(terms, known, end, endsAt !== null));

			const billed = (await ours.books()).map((text) => Number(text.split(" ")[1]));
			const cents = billed.reduce((sum, one) => sum + Math.round(one * 100), 0);
			expect(ratio(cents)).toEqual(rounded(costs.reduce(larger)));
			expect(findings(ours)).toEqual([]);
		}),
		{ numRuns: 40 },
	);
});
