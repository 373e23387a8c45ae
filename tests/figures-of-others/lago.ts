import { amounts } from "./lago.amounts";
import { boundary, from, opening, period, type Sale, type Scenario, type System } from "./scenario";

const dates = "spec/services/subscriptions/dates";
const newYork = "America/New_York";
const calendar = { anchor: { type: "CALENDAR" } };

type Dated = readonly [
	id: string,
	title: string,
	form: typeof period,
	start: string,
	terms: Partial<Sale>,
	until: string,
	figure: string,
	ours?: readonly [string, string],
];

const rows = (every: string, list: readonly Dated[]) =>
	list.map(([id, title, form, start, terms, until, figure, ours]) =>
		form(id, title, [[start, "start", { price: 1, every, ...terms }]], until, figure, ours),
	);

const feb2 = "2021-02-02";

const periods: Scenario[] = [
	...from(
		`${dates}/weekly_service_spec.rb`,
		...rows("WEEK", [
			["L-1", "Weeks from Monday", period, feb2, calendar, "2022-03-06", "2022-02-28 to 2022-03-07"],
			["L-2", "The next week", period, feb2, calendar, "2022-03-07", "2022-03-07 to 2022-03-14"],
			[
				"L-3",
				"Weeks from Monday in New York",
				period,
				feb2,
				{ ...calendar, zone: newYork },
				"2022-02-27",
				"2022-02-21 to 2022-02-28",
			],
			["L-4", "Weeks from the start", period, feb2, {}, "2022-03-07", "2022-03-01 to 2022-03-08"],
			["L-5", "The next week from the start", period, feb2, {}, "2022-03-09", "2022-03-08 to 2022-03-15"],
			[
				"L-6",
				"A first part of a week",
				opening,
				"2022-03-01T05:00:00",
				calendar,
				"2022-03-02",
				"2022-03-01",
				["2022-02-28", "WHOLE_PERIOD_SHOWN"],
			],
		]),
	),
	...from(
		`${dates}/monthly_service_spec.rb`,
		...rows("MONTH", [
			["L-7", "Calendar months", period, feb2, calendar, "2022-02-28", "2022-02-01 to 2022-03-01"],
			["L-8", "The next calendar month", period, feb2, calendar, "2022-03-01", "2022-03-01 to 2022-04-01"],
			[
				"L-9",
				"Calendar months in New York",
				period,
				feb2,
				{ ...calendar, zone: newYork },
				"2022-02-01",
				"2022-01-01 to 2022-02-01",
			],
			["L-10", "Months from the 2nd", period, feb2, {}, "2022-03-01", "2022-02-02 to 2022-03-02"],
			["L-11", "The next month from the 2nd", period, feb2, {}, "2022-03-02", "2022-03-02 to 2022-04-02"],
			["L-12", "The end of December's month", boundary, feb2, {}, "2022-01-01", "2022-01-02"],
			["L-13", "From the 31st, in March", opening, "2021-03-31", {}, "2022-03-29", "2022-02-28"],
			["L-14", "From the 27th, in January", opening, "2021-03-27", {}, "2022-01-26", "2021-12-27"],
			["L-15", "From 31 March, on 30 April", opening, "2021-03-31", {}, "2021-04-30", "2021-04-30"],
			["L-16", "From 31 January, on 29 February", opening, "2020-01-31", {}, "2020-02-29", "2020-02-29"],
			["L-17", "From 31 March, before 30 April", opening, "2021-03-31", {}, "2021-04-29", "2021-03-31"],
			["L-18", "From 30 April, before 30 March", opening, "2019-04-30", {}, "2020-03-29", "2020-02-29"],
			["L-19", "From 31 January, in February", boundary, "2022-01-31", {}, "2022-02-27", "2022-02-28"],
			["L-20", "From 30 January, in February", boundary, "2022-01-30", {}, "2022-02-27", "2022-02-28"],
			["L-21", "From 1 January, in February", boundary, "2022-01-01", {}, "2022-02-28", "2022-03-01"],
		]),
	),
	...from(
		`${dates}/quarterly_service_spec.rb`,
		...rows("3 MONTH", [
			["L-22", "Calendar quarters", period, feb2, calendar, "2022-06-30", "2022-04-01 to 2022-07-01"],
			[
				"L-23",
				"A quarter in New York, with a clock change",
				period,
				feb2,
				{ ...calendar, zone: newYork },
				"2022-04-01",
				"2022-01-01 to 2022-04-01",
			],
			["L-24", "The next calendar quarter", boundary, feb2, calendar, "2022-07-01", "2022-10-01"],
			["L-25", "Quarters from 2 February", period, feb2, {}, "2022-05-01", "2022-02-02 to 2022-05-02"],
			["L-26", "Across a new year", period, feb2, {}, "2022-02-01", "2021-11-02 to 2022-02-02"],
			["L-27", "From 28 February, after 28 May", opening, "2021-02-28", {}, "2022-05-27", "2022-02-28"],
			["L-28", "From 30 May, in May", opening, "2021-05-30", {}, "2022-05-29", "2022-02-28"],
			["L-29", "From 28 February, in February", opening, "2021-02-28", {}, "2022-02-27", "2021-11-28"],
			["L-30", "From 31 January, on 30 April", opening, "2021-01-31", {}, "2021-04-30", "2021-04-30"],
			["L-31", "From 6 April, on 8 August", opening, "2023-04-06", {}, "2023-08-08", "2023-07-06"],
			["L-32", "From 30 November, in February", boundary, "2021-11-30", {}, "2022-02-27", "2022-02-28"],
		]),
	),
	...from(
		`${dates}/semiannual_service_spec.rb`,
		...rows("6 MONTH", [
			["L-33", "Calendar half-years", period, feb2, calendar, "2022-06-30", "2022-01-01 to 2022-07-01"],
			[
				"L-34",
				"A half-year in New York",
				period,
				feb2,
				{ ...calendar, zone: newYork },
				"2022-01-01",
				"2021-07-01 to 2022-01-01",
			],
			["L-35", "Half-years from 2 November", period, "2021-11-02", {}, "2022-05-01", "2021-11-02 to 2022-05-02"],
			["L-36", "The next one", boundary, "2021-11-02", {}, "2022-05-02", "2022-11-02"],
			["L-37", "From 30 November, in May", period, "2021-11-30", {}, "2022-05-29", "2021-11-30 to 2022-05-30"],
			["L-38", "From 30 May, in May", opening, "2021-05-30", {}, "2022-05-29", "2021-11-30"],
			["L-39", "From 28 February, in February", opening, "2021-02-28", {}, "2022-02-27", "2021-08-28"],
			["L-40", "From 31 January, in April", opening, "2021-01-31", {}, "2021-04-30", "2021-01-31"],
			["L-41", "From 6 January, on 4 August", opening, "2023-01-06", {}, "2023-08-04", "2023-07-06"],
			["L-42", "From 1 October, in March", boundary, "2021-10-01", {}, "2022-03-31", "2022-04-01"],
		]),
	),
	...from(
		`${dates}/yearly_service_spec.rb`,
		...rows("YEAR", [
			["L-43", "Calendar years", period, "2019-02-02", calendar, "2021-12-31", "2021-01-01 to 2022-01-01"],
			[
				"L-44",
				"A year in New York",
				period,
				"2019-02-02",
				{ ...calendar, zone: newYork },
				"2021-01-01",
				"2020-01-01 to 2021-01-01",
			],
			["L-45", "Years from 2 February", period, feb2, {}, "2022-02-01", "2021-02-02 to 2022-02-02"],
			["L-46", "The next year", boundary, feb2, {}, "2022-02-02", "2023-02-02"],
			[
				"L-47",
				"From 29 February, a year that ends in 2025",
				period,
				"2020-02-29",
				{},
				"2025-02-27",
				"2024-02-29 to 2025-02-28",
			],
			["L-48", "From 29 February, in March 2022", opening, "2020-02-29", {}, "2022-03-28", "2022-02-28"],
			["L-49", "From 29 February, before 28 February 2022", boundary, "2020-02-29", {}, "2022-02-27", "2022-02-28"],
			["L-50", "From 29 March, in March", opening, "2023-03-29", {}, "2024-03-15", "2023-03-29"],
			["L-51", "From 1 December", boundary, "2022-12-01", {}, "2023-11-30", "2023-12-01"],
		]),
	),
];

export default {
	name: "Lago",
	repository: "https://github.com/getlago/lago-api",
	commit: "1b1c24a6a6c321d7900b05906bf1b20f706c97c2",
	license: "AGPL 3.0 (facts only)",
	scenarios: [...periods, ...amounts],
} satisfies System;
