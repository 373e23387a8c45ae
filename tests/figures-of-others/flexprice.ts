import { bills, boundary, from, type Sale, type System } from "./scenario";

const proration = "internal/domain/proration/calculator_test.go";
const march = (sale: Sale): Sale => ({ mode: "BY_DAY", ...sale });
const date = (at: string) => ({ type: "DATE", date: at });

export default {
	name: "Flexprice",
	repository: "https://github.com/flexprice/flexprice",
	commit: "e4b5303fde24581003faf0b05c08feb605c2ef93",
	license: "AGPL 3.0 (facts only)",
	scenarios: [
		...from(
			proration,
			bills(
				"F-1",
				"10.00 to 20.00, for 17 of 31 days",
				[
					["2024-03-01", "start", march({ price: 10 })],
					["2024-03-15", "replace", march({ price: 20 })],
				],
				"2024-03-31",
				"2024-03-01 10.00, 2024-03-15 5.49",
			),
			bills(
				"F-2",
				"5 to 10 seats, for 17 of 31 days",
				[
					["2024-03-01", "start", march({ seatPrice: 10 }), 5],
					["2024-03-15", "seats", 10],
				],
				"2024-03-31",
				"2024-03-01 50.00, 2024-03-15 27.42",
			),
			bills(
				"F-3",
				"2 at 50.00 to 1 at 30.00, for 17 of 31 days",
				[
					["2024-03-01", "start", march({ seatPrice: 50 }), 2],
					["2024-03-15", "replace", march({ seatPrice: 30 }), 1],
				],
				"2024-03-31",
				"2024-03-01 100.00, 2024-03-15 -38.39",
			),
			bills(
				"F-4",
				"40.00 ended, for 17 of 31 days",
				[
					["2024-03-01", "start", march({ price: 40 })],
					["2024-03-15", "end"],
				],
				"2024-03-31",
				"2024-03-01 40.00, 2024-03-15 -21.94",
			),
		),
		...from(
			"internal/types/billing_anchor_scenarios_test.go",
			...(
				[
					["F-5", "DAY", "2024-03-10T10:00:00", undefined, "2024-03-11T10:00"],
					["F-6", "WEEK", "2024-03-06T14:30:00", undefined, "2024-03-13T14:30"],
					["F-7", "WEEK", "2024-03-04T10:00:00", "2024-01-03T14:00:00Z", "2024-03-06T14:00"],
					["F-8", "MONTH", "2024-04-15T10:00:00", "2024-01-15T10:00:00Z", "2024-05-15T10:00"],
					["F-9", "MONTH", "2024-04-01", "2024-01-15T12:00:00Z", "2024-04-15T12:00"],
					["F-10", "3 MONTH", "2024-04-01", "2024-04-01T00:00:00Z", "2024-07-01"],
					["F-11", "3 MONTH", "2024-02-15", "2024-04-01T00:00:00Z", "2024-04-01"],
					["F-12", "6 MONTH", "2024-07-01", "2024-07-01T00:00:00Z", "2025-01-01"],
					["F-13", "6 MONTH", "2024-03-15", "2024-07-01T00:00:00Z", "2024-07-01"],
					["F-14", "YEAR", "2024-05-15T10:00:00", "2024-05-15T10:00:00Z", "2025-05-15T10:00"],
				] as const
			).map(([id, every, start, anchor, figure]) =>
				boundary(
					id,
					"The end of the first period",
					[[start, "start", { price: 1, every, ...(anchor && { anchor: date(anchor) }) }]],
					start,
					figure,
				),
			),
			boundary(
				"F-15",
				"Daily, an anchor later in the day",
				[["2024-03-10T08:00:00", "start", { price: 1, every: "DAY", anchor: date("2024-01-01T14:30:00Z") }]],
				"2024-03-10T08:00:00",
				"2024-03-11T14:30",
				["2024-03-10T14:30", "NEXT_BOUNDARY"],
			),
			boundary(
				"F-16",
				"Yearly, an anchor later in the year",
				[["2024-01-15", "start", { price: 1, every: "YEAR", anchor: date("2024-06-15T12:00:00Z") }]],
				"2024-01-15",
				"2025-06-15T12:00",
				["2024-06-15T12:00", "NEXT_BOUNDARY"],
			),
		),
	],
} satisfies System;
