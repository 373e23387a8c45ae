import { expect, test } from "bun:test";
import { type ComparedTotals, TotalsSum, weightOfHour } from "../../../../src/areas/usage/recount/totals-checksum";
import { spans } from "../../../../src/areas/usage/table.usage";

const all: ComparedTotals = { isWhole: true, firstHour: 0 };

type Total = readonly [subject: number, bucket: number, events: number, state: string | number];

function sumOfDays(totals: readonly Total[], compared = all): TotalsSum {
	const sum = new TotalsSum(compared);
	for (const [subject, bucket, events, state] of totals) sum.add(subject, spans.day, bucket, events, state);
	return sum;
}

const same: ReadonlyArray<readonly [Total[], Total[]]> = [
	[
		[[1, 5, 3, "0.3"]],
		[
			[1, 5, 1, "0.1"],
			[1, 5, 2, "0.2"],
		],
	],
	[
		[[1, 5, 2, "-7.25"]],
		[
			[1, 5, 1, -8],
			[1, 5, 1, "0.75"],
		],
	],
	[
		[[1, 5, 2, "123456789012345678901234567890.5"]],
		[
			[1, 5, 1, "123456789012345678901234567890"],
			[1, 5, 1, "0.5"],
		],
	],
	[
		[
			[1, 5, 1, 1],
			[2, 5, 1, "2"],
		],
		[
			[2, 5, 1, 2],
			[1, 5, 1, "1"],
		],
	],
];

test.each(same)("totals %j and their parts %j have the same checksum", (one, other) => {
	expect(sumOfDays(one).equals(sumOfDays(other))).toBe(true);
});

test.each([
	["another amount", [[1, 5, 2, "8"]]],
	["an amount that differs by a multiple of one of the primes", [[1, 5, 2, 7 + 67_108_859]]],
	["another number of events", [[1, 5, 3, "7"]]],
	["another day", [[1, 6, 2, "7"]]],
	["another subject", [[2, 5, 2, "7"]]],
	[
		"a day more",
		[
			[1, 5, 2, "7"],
			[1, 6, 1, "0"],
		],
	],
	["an amount in another writing", [[1, 5, 2, "7.0"]]],
	["an amount that is no number", [[1, 5, 2, ""]]],
	[
		"a day without events",
		[
			[1, 5, 2, "7"],
			[1, 6, 0, "0"],
		],
	],
] satisfies Array<[string, Total[]]>)("%s has another checksum", (_, totals: Total[]) => {
	expect(sumOfDays(totals).equals(sumOfDays([[1, 5, 2, "7"]]))).toBe(false);
});

test("an event counts for its hour, its day and the whole", () => {
	const ofEvents = new TotalsSum(all);
	const weight = weightOfHour(all, 1, 49);
	ofEvents.addWeighted(weight, 1, 1);
	ofEvents.addWeighted(weight, 1, "0.5");
	const rows = new TotalsSum(all);
	rows.add(1, spans.hour, 49, 2, "1.5");
	rows.add(1, spans.day, 2, 2, "1.5");
	rows.add(1, spans.ever, 0, 2, "1.5");
	expect(ofEvents.equals(rows)).toBe(true);
});

test("totals that hold events which are left out do not count", () => {
	const later = { isWhole: false, firstHour: 48 };
	expect(
		sumOfDays(
			[
				[1, 1, 9, "9"],
				[1, 2, 2, "7"],
			],
			later,
		).equals(sumOfDays([[1, 2, 2, "7"]], later)),
	).toBe(true);
	expect(sumOfDays([[1, 2, 9, "9"]], later).equals(sumOfDays([[1, 2, 2, "7"]], later))).toBe(false);
});
