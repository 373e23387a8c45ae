import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Charge, ItemTerms } from "../../../../src/areas/billing/rules.charge";
import { creditFor } from "../../../../src/areas/billing/rules.credit";
import { groupIntoInvoices } from "../../../../src/areas/billing/rules.invoices";
import { countPeriods, dueAt, paidUntil, periodsDue } from "../../../../src/areas/billing/rules.periods";
import { lateUsage, ratePeriod } from "../../../../src/areas/billing/rules.rate";
import { rowModels } from "../../../../src/areas/pricing/models/contract-rows";
import { wholePeriod } from "../../../../src/areas/pricing/proration";
import { sumTotals } from "../../../../src/areas/pricing/totals";
import type { Instant } from "../../../../src/kernel/clock";
import { exact, sum, toDecimal, zero } from "../../../../src/kernel/decimal";
import type { Interval } from "../../../../src/kernel/period";
import { add, compare, type Rational, ratio } from "../../../support/oracle/rational";

const dayMs = 86_400_000;
const forever = Number.POSITIVE_INFINITY as Instant;
const after = (at: number, ms: number) => (at + ms) as Instant;

const instants = fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2032, 0, 1) }).map((at) => at as Instant);
const intervals: fc.Arbitrary<Interval> = fc.record({
	unit: fc.constantFrom("DAY", "MONTH"),
	count: fc.integer({ min: 1, max: 13 }),
});

const terms: ItemTerms = {
	price: { model: "flat", isPayAsYouGo: false, rows: [] },
	unitTransformation: null,
	currency: "usd",
	discount: null,
	taxPercentage: null,
};

/** A charge whose anchor stands up to two years before its start, and whose end cuts its last period. */
const charges: fc.Arbitrary<Charge> = fc
	.record({
		anchorAt: instants,
		interval: intervals,
		startMs: fc.integer({ min: 0, max: 730 * dayMs }),
		lengthMs: fc.integer({ min: 1, max: 900 * dayMs }),
		prorationMode: fc.constantFrom("BY_TIME", "NONE"),
		paymentTime: fc.constantFrom("IN_ADVANCE", "IN_ARREARS"),
	})
	.map(({ startMs, lengthMs, ...rest }) => {
		const startsAt = after(rest.anchorAt, startMs);
		return { key: "key", terms, ...rest, startsAt, endsAt: after(startsAt, lengthMs), billedUntil: null };
	});

const all = (charge: Charge) => [...periodsDue(charge, forever)];

/** The calendar by itself: months clamp to their last day, counted from the anchor. */
function stepFrom(anchor: number, { unit, count }: Interval, steps: number): number {
	if (unit === "DAY") return anchor + steps * count * dayMs;
	const at = new Date(anchor);
	const month = at.getUTCFullYear() * 12 + at.getUTCMonth() + steps * count;
	const lastDay = new Date(Date.UTC(Math.floor(month / 12), (month % 12) + 1, 0)).getUTCDate();
	return Date.UTC(Math.floor(month / 12), month % 12, Math.min(at.getUTCDate(), lastDay)) + (anchor % dayMs);
}

test("periods tile the time of a charge, and begin where the calendar counts from the anchor", () => {
	fc.assert(
		fc.property(charges, (charge) => {
			const periods = all(charge);
			expect(periods).toHaveLength(countPeriods(charge));
			expect(periods[0]?.start).toBe(charge.startsAt);
			expect(periods.at(-1)?.end).toBe(charge.endsAt);
			const starts = new Set<number>();
			for (let step = 0; Math.max(0, ...starts) < charge.endsAt; step += 1)
				starts.add(stepFrom(charge.anchorAt, charge.interval as Interval, step));
			for (const [at, { start, end }] of periods.entries()) {
				expect(start).toBeLessThan(end);
				if (at === 0) continue;
				expect(start).toBe(periods[at - 1]?.end as Instant);
				expect(starts).toContain(start);
			}
			const inside = [...starts].filter((at) => at > charge.startsAt && at < charge.endsAt);
			expect(periods).toHaveLength(inside.length + 1);
		}),
	);
});

test("a run that is split at any instant bills the periods of the whole run", () => {
	fc.assert(
		fc.property(charges, instants, (charge, until) => {
			const first = [...periodsDue(charge, until)];
			const billedUntil = first.at(-1)?.end ?? null;
			expect([...first, ...all({ ...charge, billedUntil })]).toEqual(all(charge));
			for (const period of first) expect(dueAt(charge, period)).toBeLessThanOrEqual(until);
		}),
	);
});

test("two charges that follow each other at any instant share each period by time, without a rest", () => {
	fc.assert(
		fc.property(charges, fc.double({ min: 0.01, max: 0.99, noNaN: true }), (charge, part) => {
			const { startsAt, endsAt } = charge;
			const cut = after(startsAt, Math.floor((endsAt - startsAt) * part));
			fc.pre(cut > startsAt);
			const prorated = { ...charge, prorationMode: "BY_TIME" as const };
			const shares = (one: Charge): Rational =>
				all(one)
					.map(({ share }) => ratio(share.partMs, share.wholeMs))
					.reduce(add, ratio(0));
			const parts = [shares({ ...prorated, endsAt: cut }), shares({ ...prorated, startsAt: cut })] as const;
			expect(compare(add(...parts), shares(prorated))).toBe(0n);
		}),
	);
});

test("time that was charged in full is not charged again when the charge gets a later end", () => {
	fc.assert(
		fc.property(charges, fc.integer({ min: 1, max: 400 * dayMs }), (charge, moreMs) => {
			const whole = { ...charge, prorationMode: "NONE" as const };
			const paid = paidUntil({ ...whole, billedUntil: whole.endsAt });
			const extended = all({ ...whole, endsAt: after(whole.endsAt, moreMs), billedUntil: paid });
			for (const { start, share } of extended) {
				expect(start).toBeGreaterThanOrEqual(whole.endsAt);
				expect(share).toEqual(wholePeriod);
			}
		}),
	);
});

const priced = fc
	.record({
		model: fc.constantFrom(...rowModels),
		prices: fc.array(fc.integer({ min: 0, max: 99_999 }), { minLength: 1, maxLength: 3 }),
		discount: fc.option(fc.constantFrom("10", "12.5", "100")),
		tax: fc.option(fc.constantFrom("19", "7.7")),
		currency: fc.constantFrom("usd", "jpy", "kwd"),
	})
	.map(({ model, prices, discount, tax, currency }): ItemTerms => {
		const rows = prices.map((price, at) => ({
			quantity: toDecimal(3),
			price: toDecimal(exact(price).times("0.001")),
			from: toDecimal(at * 10),
			to: at === prices.length - 1 ? null : toDecimal(at * 10 + 10),
			packageSize: toDecimal(5),
		}));
		return {
			price: { model, isPayAsYouGo: true, rows },
			unitTransformation: null,
			currency,
			discount: discount === null ? null : { percentOff: toDecimal(discount), amountsOff: null },
			taxPercentage: tax === null ? null : toDecimal(tax),
		};
	});

test("usage that is billed in parts, late ones included, costs what it would have cost at once", () => {
	fc.assert(
		fc.property(priced, fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 5 }), (own, totals) => {
			const charge = { key: "key", terms: own };
			let billed = zero;
			const parts = totals.map((reported) => {
				const usage = {
					reported: toDecimal(reported),
					quantity: toDecimal(reported),
					billed,
					unitTransformation: null,
				};
				const { rated, quantity } = lateUsage(charge, usage);
				billed = quantity;
				return rated;
			});
			const most = toDecimal(Math.max(...totals));
			const usage = { reported: most, quantity: most, billed: zero, unitTransformation: null };
			const once = ratePeriod(charge, wholePeriod, usage);
			expect(billed).toBe(most);
			expect(sumTotals(parts).subTotal).toBe(once.subTotal);
		}),
	);
});

test("a charge and its credit sum to zero, and a credited period has nothing left to credit", () => {
	fc.assert(
		fc.property(priced, fc.integer({ min: 0, max: 60 }), (own, used) => {
			const quantity = toDecimal(used);
			const usage = { reported: quantity, quantity, billed: zero, unitTransformation: null };
			const { subTotal, discount, tax, total } = ratePeriod({ key: "key", terms: own }, wholePeriod, usage);
			const period = { startsAt: 0 as Instant, endsAt: 1 as Instant, rated: { subTotal, discount, tax, total } };
			const credit = creditFor(period, []);
			expect(credit).toEqual({ fromAt: period.startsAt, toAt: period.endsAt, rated: period.rated });
			expect(exact(creditFor(period, [credit]).rated.total).eq(0)).toBe(true);
		}),
	);
});

test("the order of lines changes no invoice", () => {
	const lines = fc.array(
		fc.record({
			due: fc.integer({ min: 0, max: 3 }),
			alike: fc.constantFrom("a", "b"),
			cents: fc.integer({ max: 9_999 }),
		}),
		{ minLength: 1, maxLength: 8 },
	);
	fc.assert(
		fc.property(lines, (drawn) => {
			const made = drawn.map(({ due, alike, cents }) => {
				const total = toDecimal(exact(cents).times("0.01"));
				const cycle = { start: due as Instant, end: (due + 1) as Instant };
				return { alike, dueAt: due as Instant, cycle, subTotal: total, discount: zero, tax: zero, total };
			});
			const shown = (of: typeof made) =>
				groupIntoInvoices(of, ({ alike }) => alike)
					.map(({ dueAt: at, total, lines: { length } }) => `${at}: ${length} lines, ${total}`)
					.sort();
			expect(shown(made.toReversed())).toEqual(shown(made));
			const sums = groupIntoInvoices(made, ({ alike }) => alike).map(({ total }) => exact(total));
			expect(sum(sums).eq(sum(made.map(({ total }) => exact(total))))).toBe(true);
		}),
	);
});
