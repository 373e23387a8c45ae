import { changes } from "./kill-bill.changes";
import { bills, boundary, from, type Sale, type Scenario, type System, total } from "./scenario";

const invoice = "invoice/src/test/java/org/killbill/billing/invoice";
const advance = `${invoice}/proRations/inAdvance`;
const by = (every: string, anchor: number | object | undefined, more: Partial<Sale> = {}): Sale => ({
	price: 1000,
	every,
	...(anchor !== undefined && { anchor }),
	mode: "BY_DAY",
	...more,
});
const day = (dayOfMonth: number, month: number) => ({ type: "DAY", dayOfMonth, month });

const firstParts: Scenario[] = [
	...from(
		`${advance}/monthly/TestLeadingProRation.java`,
		bills(
			"KB-1",
			"By the month on the 13th, from the 1st",
			[["2011-02-01", "start", by("MONTH", 13)]],
			"2011-04-13",
			"2011-02-01 387.10, 2011-02-13 1000.00, 2011-03-13 1000.00, 2011-04-13 1000.00",
		),
	),
	...from(
		`${advance}/quarterly/TestLeadingProRation.java`,
		bills(
			"KB-2",
			"By the quarter on the 13th, from the 1st",
			[["2011-02-01", "start", by("3 MONTH", 13)]],
			"2011-06-13",
			"2011-02-01 130.43, 2011-02-13 1000.00, 2011-05-13 1000.00",
		),
	),
	...from(
		`${advance}/annual/TestLeadingProRation.java`,
		bills(
			"KB-3",
			"By the year on the 13th, from the 1st",
			[["2011-02-01", "start", by("YEAR", 13)]],
			"2011-04-13",
			"2011-02-01 32.88, 2011-02-13 1000.00",
		),
	),
	...from(
		`${advance}/annual/TestProRation.java`,
		bills(
			"KB-4",
			"By the year on the 15th, from the 31st",
			[["2011-01-31", "start", by("YEAR", 15)]],
			"2011-02-24",
			"2011-01-31 956.16",
			["2011-01-31 41.10, 2011-02-15 1000.00", "FIRST_DAY"],
		),
		bills(
			"KB-5",
			"The same on 15 January",
			[["2011-01-31", "start", by("YEAR", day(15, 1))]],
			"2011-02-24",
			"2011-01-31 956.16",
		),
		bills(
			"KB-6",
			"By the year on 4 December, from 15 December",
			[["2010-12-15", "start", by("YEAR", day(4, 12))]],
			"2012-01-13",
			"2010-12-15 969.86, 2011-12-04 1000.00",
		),
		total(
			"KB-7",
			"A first and a last part of a year, the last in a leap year",
			[
				["2011-01-10", "start", by("YEAR", 17)],
				["2012-03-04", "end"],
			],
			"2012-04-05",
			"1147.60",
		),
	),
	...from(
		`${invoice}/generator/TestInvoiceDateUtilsWithoutFixedProration.java`,
		...(
			[
				["KB-8", "2023-05-23", "2023-06-15", "741.94"],
				["KB-9", "2023-06-23", "2023-07-15", "733.33"],
				["KB-10", "2023-02-23", "2023-03-15", "714.29"],
				["KB-11", "2024-02-23", "2024-03-15", "724.14"],
			] as const
		).map(([id, start, first, amount]) =>
			bills(
				id,
				"On the 15th, from the 23rd, by the days of the month",
				[[start, "start", by("MONTH", 15)]],
				first,
				`${start} ${amount}, ${first} 1000.00`,
			),
		),
	),
	...from(
		`${invoice}/generator/TestInvoiceDateUtilsWithFixedProration.java`,
		...(
			[
				["KB-12", 15, "2023-05-23", "2023-06-15", "733.33"],
				["KB-13", 15, "2023-06-23", "2023-07-15", "733.33"],
				["KB-14", 15, "2023-02-23", "2023-03-15", "733.33"],
				["KB-15", 15, "2024-02-23", "2024-03-15", "733.33"],
				["KB-16", 23, "2023-05-15", "2023-05-23", "266.67"],
				["KB-17", 23, "2023-06-15", "2023-06-23", "266.67"],
			] as const
		).map(([id, anchor, start, first, amount]) =>
			bills(
				id,
				"The first part of months that count as 30 days",
				[[start, "start", by("MONTH", anchor, { mode: "THIRTY_DAY_MONTH" })]],
				first,
				`${start} ${amount}, ${first} 1000.00`,
			),
		),
		bills(
			"KB-18",
			"The first part of months that count as 28 days",
			[["2023-05-23", "start", by("MONTH", 15, { mode: "THIRTY_DAY_MONTH" })]],
			"2023-05-24",
			"2023-05-23 714.29",
			["2023-05-23 733.33", "MONTH_OF_30_DAYS"],
		),
	),
];

const lastParts: Scenario[] = [
	...from(
		`${advance}/monthly/TestTrailingProRation.java`,
		bills(
			"KB-19",
			"An end that is known at the start",
			[
				["2010-06-17", "start", by("MONTH", 17)],
				["2010-06-17", "end on", "2010-07-25"],
			],
			"2010-07-30",
			"2010-06-17 1000.00, 2010-07-17 258.06",
			["2010-06-17 1000.00, 2010-07-17 1000.00, 2010-07-25 -741.94", "END_CREDITS"],
		),
		total(
			"KB-20",
			"The same, as a sum",
			[
				["2010-06-17", "start", by("MONTH", 17)],
				["2010-06-17", "end on", "2010-07-25"],
			],
			"2010-07-30",
			"1258.06",
		),
	),
	...from(
		`${advance}/quarterly/TestTrailingProRation.java`,
		total(
			"KB-21",
			"Eight days of the second quarter",
			[
				["2010-06-17", "start", by("3 MONTH", 17)],
				["2010-09-25", "end"],
			],
			"2010-09-30",
			"1087.91",
		),
	),
	...from(
		`${advance}/annual/TestTrailingProRation.java`,
		total(
			"KB-22",
			"Eight days of the second year, which has a leap day",
			[
				["2010-06-17", "start", by("YEAR", 17)],
				["2011-06-25", "end"],
			],
			"2011-07-30",
			"1021.86",
		),
	),
	...from(
		`${advance}/monthly/TestDoubleProRation.java`,
		total(
			"KB-23",
			"A first and a last part",
			[
				["2011-01-01", "start", by("MONTH", 15)],
				["2011-02-27", "end"],
			],
			"2011-03-07",
			"1880.18",
		),
		bills(
			"KB-24",
			"A first part and two whole months",
			[["2011-01-01", "start", by("MONTH", 15)]],
			"2011-02-26",
			"2011-01-01 451.61, 2011-01-15 1000.00, 2011-02-15 1000.00",
		),
	),
	...from(
		`${advance}/quarterly/TestDoubleProRation.java`,
		total(
			"KB-25",
			"A first and a last part of quarters",
			[
				["2011-01-01", "start", by("3 MONTH", 15)],
				["2011-04-27", "end"],
			],
			"2011-05-07",
			"1284.04",
		),
	),
	...from(
		`${advance}/annual/TestDoubleProRation.java`,
		total(
			"KB-26",
			"A first and a last part of years",
			[
				["2011-01-01", "start", by("YEAR", 15)],
				["2012-01-27", "end"],
			],
			"2012-03-07",
			"1071.15",
		),
		bills(
			"KB-27",
			"A first part and two whole years",
			[["2011-01-01", "start", by("YEAR", 15)]],
			"2012-02-26",
			"2011-01-01 38.36, 2011-01-15 1000.00, 2012-01-15 1000.00",
		),
	),
	...from(
		`${advance}/GenericProRationTestBase.java`,
		...(
			[
				["KB-28", "MONTH", "451.61"],
				["KB-29", "3 MONTH", "155.56"],
				["KB-30", "YEAR", "38.36"],
			] as const
		).map(([id, every, amount]) =>
			total(
				id,
				"Ended after 14 days of the first period",
				[
					["2011-01-01", "start", by(every, 1)],
					["2011-01-15", "end"],
				],
				"2011-04-05",
				amount,
			),
		),
		bills(
			"KB-31",
			"A year of months from the 31st",
			[["2011-01-31", "start", by("MONTH", 31, { price: 1 })]],
			"2012-01-31",
			["01-31", "02-28", "03-31", "04-30", "05-31", "06-30", "07-31", "08-31", "09-30", "10-31", "11-30", "12-31"]
				.map((date) => `2011-${date} 1.00, `)
				.join("")
				.concat("2012-01-31 1.00"),
		),
		bills(
			"KB-32",
			"A year of quarters from the 31st",
			[["2011-01-31", "start", by("3 MONTH", 31)]],
			"2012-01-31",
			"2011-01-31 1000.00, 2011-04-30 1000.00, 2011-07-31 1000.00, 2011-10-31 1000.00, 2012-01-31 1000.00",
		),
		bills(
			"KB-33",
			"From 15 February of a leap year",
			[["2012-02-15", "start", by("MONTH", 15)]],
			"2012-03-15",
			"2012-02-15 1000.00, 2012-03-15 1000.00",
		),
	),
];

const boundaries: Scenario[] = [
	...from(
		`${invoice}/generator/TestInAdvanceBillingIntervalDetail.java`,
		...(
			[
				["KB-34", "MONTH", 17, "2012-01-16", "2012-01-17"],
				["KB-35", "YEAR", 17, "2012-01-16", "2012-01-17"],
				["KB-36", "MONTH", 30, "2012-02-16", "2012-02-29"],
				["KB-37", "YEAR", 30, "2012-02-16", "2012-02-29"],
				["KB-38", "MONTH", 30, "2012-01-31", "2012-02-29"],
				["KB-39", "YEAR", day(30, 1), "2012-01-31", "2013-01-30"],
				["KB-40", "MONTH", 15, "2012-07-16", "2012-08-15"],
				["KB-41", "MONTH", 3, "2012-03-02", "2012-03-03"],
				["KB-42", "MONTH", 3, "2012-03-04", "2012-04-03"],
				["KB-43", "MONTH", 31, "2012-04-30", "2012-05-31"],
				["KB-44", "30 DAY", undefined, "2012-01-31", "2012-03-01"],
			] as const
		).map(([id, every, anchor, start, end]) =>
			boundary(id, "The end of the first period", [[start, "start", by(every, anchor)]], start, end),
		),
		boundary(
			"KB-45",
			"By the year on the 30th, from 31 January",
			[["2012-01-31", "start", by("YEAR", 30)]],
			"2012-01-31",
			"2013-01-30",
			["2012-02-29", "FIRST_DAY"],
		),
	),
	...from(
		`${invoice}/generator/TestInvoiceDateUtils.java`,
		...(
			[
				["KB-46", "MONTH", "04-08 05-08 06-08 07-08 08-08 09-08 10-08 11-08"],
				["KB-47", "30 DAY", "04-08 05-08 06-07 07-07 08-06 09-05 10-05 11-04"],
				["KB-48", "WEEK", "04-08 04-15 04-22 04-29 05-06 05-13 05-20 05-27"],
			] as const
		).map(([id, every, dates]) =>
			bills(
				id,
				"Seven periods ahead",
				[["2016-04-08", "start", by(every, undefined)]],
				`2016-${dates.slice(-5)}`,
				dates
					.split(" ")
					.map((date) => `2016-${date} 1000.00`)
					.join(", "),
			),
		),
	),
	...from(
		`${invoice}/generator/TestInArrearBillingIntervalDetail.java`,
		...(
			[
				["KB-49", 13, "2012-01-17", "2012-02-13"],
				["KB-50", 16, "2012-01-19", "2012-02-16"],
				["KB-51", 25, "2012-01-19", "2012-01-25"],
				["KB-52", 18, "2012-01-25", "2012-02-18"],
			] as const
		).map(([id, anchor, at, runs]) =>
			boundary(
				id,
				"The date of the next bill in arrears",
				[["2012-01-16", "start", by("MONTH", anchor, { inArrears: true })]],
				at,
				runs,
			),
		),
	),
];

export default {
	name: "Kill Bill",
	repository: "https://github.com/killbill/killbill",
	commit: "cb60779c171391be558cd7aebb1eafea60ad2b82",
	license: "Apache 2.0",
	scenarios: [...firstParts, ...lastParts, ...boundaries, ...changes],
} satisfies System;
