import { expect, test } from "bun:test";
import fc from "fast-check";
import type { RatedLine } from "../../../../src/areas/pricing/line";
import { joinRated, rateInvoice } from "../../../../src/areas/pricing/rate";
import { ratedOtherwise } from "../../../../src/areas/pricing/rerate/rerate";
import { exact, toDecimal } from "../../../../src/kernel/decimal";
import { bills } from "../arbitrary";

const stored = (lines: readonly RatedLine[]): RatedLine[] => JSON.parse(JSON.stringify(lines));

test("rating an issued invoice again from its stored lines yields every figure, however many bills are joined", () => {
	fc.assert(
		fc.property(
			fc.constantFrom("usd", "jpy").chain((currency) => fc.array(bills(currency), { minLength: 1, maxLength: 3 })),
			(parts) => {
				const { lines, currency } = joinRated(parts.map(rateInvoice));
				expect(ratedOtherwise(stored(lines), currency)).toBeUndefined();
			},
		),
		{ numRuns: 400 },
	);
});

test("lines that a fixed discount was shared over may stand on different documents", () => {
	fc.assert(
		fc.property(fc.constantFrom("usd", "jpy").chain(bills), fc.nat(), (bill, nth) => {
			const lines = stored(rateInvoice(bill).lines);
			const left = lines.filter((_, at) => (nth >> at) % 2 === 0);
			expect(ratedOtherwise(left, bill.currency)).toBeUndefined();
		}),
		{ numRuns: 400 },
	);
});

test("a changed figure is reported, with the right one", () => {
	fc.assert(
		fc.property(
			bills("usd"),
			fc.nat(),
			fc.constantFrom("amount", "discount", "tax", "total"),
			fc.integer({ min: 1, max: 500 }),
			(bill, nth, figure, cents) => {
				const lines = stored(rateInvoice(bill).lines);
				const at = lines.length === 0 ? 0 : nth % lines.length;
				const line = lines[at];
				if (!line) return;
				const changed = toDecimal(exact(line[figure]).plus(exact(cents).times("0.01")));
				const reported = ratedOtherwise(lines.with(at, { ...line, [figure]: changed }), "usd");
				expect(reported).toBeDefined();
				// Where lines share a discount, the part of another line may be reported.
				if (figure === "tax") expect(reported).toMatchObject({ at, figure, expected: line.tax, found: changed });
			},
		),
		{ numRuns: 400 },
	);
});
