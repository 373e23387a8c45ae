import { bills, from, type Sale, type Scenario, total } from "./scenario";

const advance = "invoice/src/test/java/org/killbill/billing/invoice/proRations/inAdvance";
const integration = "beatrix/src/test/java/org/killbill/billing/beatrix/integration";
const by = (price: number, every: string, anchor?: number | object, more: Partial<Sale> = {}): Sale => ({
	price,
	every,
	...(anchor !== undefined && { anchor }),
	mode: "BY_DAY",
	...more,
});
const day = (dayOfMonth: number, month: number) => ({ type: "DAY", dayOfMonth, month });
const onThe = (dayOfMonth: number) => ({ billingAnchor: { type: "DAY", dayOfMonth } });
const trial = { plan: { defaultTrialConfig: { duration: 30, units: "DAY" } } };

const replaced = (
	rows: ReadonlyArray<
		readonly [
			id: string,
			title: string,
			every: string,
			from: readonly [start: string, day: number | object],
			to: readonly [start: string, day: number | object],
			until: string,
			sum: string,
			ours?: readonly [string, string],
		]
	>,
) =>
	rows.map(([id, title, every, [start, anchor], [at, next], until, sum, ours]) =>
		total(
			id,
			title,
			[
				[start, "start", by(1000, every, anchor)],
				[at, "replace", by(2000, every, next)],
			],
			until,
			sum,
			ours,
		),
	);

export const changes: Scenario[] = [
	...from(
		`${advance}/monthly/TestProRation.java`,
		...replaced([
			["KB-53", "Half a month each", "MONTH", ["2011-02-10", 10], ["2011-02-24", 10], "2011-03-06", "1500.00"],
			["KB-54", "And the next month", "MONTH", ["2011-02-03", 3], ["2011-02-17", 3], "2011-03-03", "3500.00"],
			["KB-55", "To a later day", "MONTH", ["2011-02-01", 1], ["2011-02-15", 15], "2011-03-01", "2500.00"],
			["KB-56", "To an earlier day", "MONTH", ["2011-02-20", 20], ["2011-03-06", 6], "2011-03-09", "2500.00"],
			["KB-57", "To the 27th", "MONTH", ["2011-02-01", 1], ["2011-02-14", 27], "2011-03-01", "3303.00"],
			[
				"KB-58",
				"To the 31st",
				"MONTH",
				["2011-02-01", 1],
				["2011-02-14", 31],
				"2011-03-01",
				"3367.51",
				["3464.29", "BOUNDARIES"],
			],
			["KB-59", "Before the first renewal", "MONTH", ["2011-02-07", 7], ["2011-02-15", 15], "2011-04-21", "6285.71"],
			["KB-60", "At a renewal", "MONTH", ["2011-02-07", 7], ["2011-03-07", 15], "2011-04-21", "5571.43"],
			["KB-61", "After a renewal", "MONTH", ["2011-02-07", 7], ["2011-03-10", 15], "2011-04-21", "5453.91"],
			["KB-62", "After a first part", "MONTH", ["2011-01-31", 7], ["2011-03-10", 15], "2011-04-21", "5679.72"],
		]),
		total(
			"KB-63",
			"Two days of a fourth month",
			[
				["2010-12-15", "start", by(1000, "MONTH", 15)],
				["2011-03-17", "end"],
			],
			"2011-03-18",
			"3064.52",
		),
		total(
			"KB-64",
			"14 days of a leap year's February",
			[
				["2012-02-01", "start", by(1000, "MONTH", 1)],
				["2012-02-15", "end"],
			],
			"2012-02-19",
			"482.76",
		),
	),
	...from(
		`${advance}/quarterly/TestProRation.java`,
		...replaced([
			["KB-65", "14 and 75 days", "3 MONTH", ["2011-02-10", 10], ["2011-02-24", 10], "2011-03-06", "1842.69"],
			["KB-66", "To the 27th", "3 MONTH", ["2011-02-01", 1], ["2011-02-14", 27], "2011-05-01", "2428.68"],
			[
				"KB-67",
				"To the 31st",
				"3 MONTH",
				["2011-02-01", 1],
				["2011-02-14", 31],
				"2011-03-01",
				"2450.42",
				["2457.18", "BOUNDARIES"],
			],
			["KB-68", "After a renewal", "3 MONTH", ["2011-02-07", 7], ["2011-05-10", 15], "2011-09-21", "5144.97"],
		]),
		bills(
			"KB-69",
			"On the 7th, from the 31st",
			[["2011-01-31", "start", by(1000, "3 MONTH", 7)]],
			"2011-05-01",
			"2011-01-31 733.33, 2011-04-07 1000.00",
			["2011-01-31 76.09, 2011-02-07 1000.00", "FIRST_DAY"],
		),
		bills(
			"KB-70",
			"The same on 7 January",
			[["2011-01-31", "start", by(1000, "3 MONTH", day(7, 1))]],
			"2011-05-01",
			"2011-01-31 733.33, 2011-04-07 1000.00",
		),
	),
	...from(
		`${integration}/TestInvoiceFixedProration.java`,
		bills(
			"KB-71",
			"19.95 in months of 30 days, with a first and a last part",
			[
				["2023-05-15", "start", by(19.95, "MONTH", 23, { mode: "THIRTY_DAY_MONTH" })],
				["2023-06-15", "end"],
			],
			"2023-06-16",
			"2023-05-15 5.32, 2023-05-23 19.95, 2023-06-15 -5.32",
		),
		bills(
			"KB-72",
			"The other side of the month",
			[
				["2023-05-23", "start", by(19.95, "MONTH", 15, { mode: "THIRTY_DAY_MONTH" })],
				["2023-06-23", "end"],
			],
			"2023-06-24",
			"2023-05-23 14.63, 2023-06-15 19.95, 2023-06-23 -14.63",
		),
	),
	...from(
		`${integration}/TestWithInArrearSubscriptions.java`,
		bills(
			"KB-73",
			"In arrears, paused for five days",
			[
				["2020-01-01", "start", by(100, "MONTH", 1, { inArrears: true })],
				["2020-01-15", "pause"],
				["2020-01-20", "resume"],
			],
			"2020-02-01",
			"2020-01-15 45.16, 2020-02-01 38.71",
		),
		bills(
			"KB-74",
			"In arrears, ended after ten days",
			[
				["2012-04-01", "start", by(1000, "MONTH", 1, { inArrears: true })],
				["2012-04-11", "end"],
			],
			"2012-05-01",
			"2012-04-11 333.33",
		),
		bills(
			"KB-75",
			"In arrears, ended in the second month",
			[
				["2012-04-01", "start", by(900, "MONTH", 1, { inArrears: true })],
				["2012-05-11", "end"],
			],
			"2012-06-01",
			"2012-05-01 900.00, 2012-05-11 290.32",
		),
	),
	...from(
		`${integration}/TestInArrearChangeCancel.java`,
		bills(
			"KB-76",
			"In arrears on the 11th, ended on the 20th",
			[
				["2023-08-11", "start", by(900, "MONTH", 11, { inArrears: true })],
				["2023-08-20", "end"],
			],
			"2023-09-11",
			"2023-08-20 261.29",
		),
		bills(
			"KB-77",
			"In arrears on the 31st, as months of 30 and 31 days",
			[["2025-03-31", "start", by(900, "MONTH", 31, { inArrears: true })]],
			"2025-05-31",
			"2025-04-30 900.00, 2025-05-31 900.00",
		),
	),
	...from(
		`${integration}/TestIntegrationWithDifferentBillingPeriods.java`,
		bills(
			"KB-78",
			"A month to a year on 1 May",
			[
				["2012-05-01", "start", by(249.95, "MONTH", 1)],
				["2012-05-12", "replace", by(2399.95, "YEAR", day(1, 5))],
			],
			"2012-06-30",
			"2012-05-01 249.95, 2012-05-12 2166.36",
		),
		bills(
			"KB-79",
			"A month on the 10th to a year",
			[
				["2016-07-01", "start", by(249.95, "MONTH", 10)],
				["2016-08-01", "replace", by(2399.95, "YEAR")],
			],
			"2016-09-30",
			"2016-07-01 74.99, 2016-07-10 249.95, 2016-08-01 2327.38",
			["2016-07-01 74.99, 2016-07-10 249.95, 2016-08-01 -13.55, 2016-08-10 2399.95", "ANCHOR_CARRIES_OVER"],
		),
		bills(
			"KB-80",
			"The same, with a year that counts from the change",
			[
				["2016-07-01", "start", by(249.95, "MONTH", 10)],
				["2016-08-01", "replace", by(2399.95, "YEAR", { type: "SUBSCRIPTION_START" })],
			],
			"2016-09-30",
			"2016-07-01 74.99, 2016-07-10 249.95, 2016-08-01 2327.38",
		),
		bills(
			"KB-81",
			"A month to a quarter on 1 May",
			[
				["2012-05-01", "start", by(29.95, "MONTH", 1)],
				["2012-05-12", "replace", by(69.95, "3 MONTH", day(1, 5))],
			],
			"2012-08-01",
			"2012-05-01 29.95, 2012-05-12 42.27, 2012-08-01 69.95",
		),
		bills(
			"KB-82",
			"A year, paused for 23 days",
			[
				["2012-05-01", "start", by(2399.95, "YEAR", 1)],
				["2012-05-12", "pause"],
				["2012-06-04", "resume"],
			],
			"2012-07-01",
			"2012-05-01 2399.95, 2012-05-12 -2327.62, 2012-06-04 2380.22",
			["2012-05-01 2399.95, 2012-05-12 -2327.62, 2012-06-04 2176.39", "PAUSE_KEEPS_CYCLE"],
		),
		bills(
			"KB-83",
			"A year to another year on the 15th",
			[
				["2015-01-01", "start", by(2399.95, "YEAR", 1)],
				["2015-03-15", "replace", by(5999.95, "YEAR")],
			],
			"2015-06-01",
			"2015-01-01 2399.95, 2015-03-15 3850.48",
			["2015-01-01 2399.95, 2015-03-15 2880.00", "PLAN_KEEPS_CYCLE"],
		),
	),
	...from(
		`${integration}/TestWithBCDUpdate.java`,
		bills(
			"KB-84",
			"The 15th, chosen during a trial of 30 days",
			[
				["2016-04-01", "start", by(249.95, "MONTH", undefined, trial)],
				["2016-04-04", "change", onThe(15)],
			],
			"2016-05-15",
			"2016-05-01 116.64, 2016-05-15 249.95",
		),
		bills(
			"KB-85",
			"The day moved twice",
			[
				["2016-05-01", "start", by(249.95, "MONTH", 1)],
				["2016-05-01", "change", onThe(15)],
				["2016-06-15", "change", onThe(10)],
			],
			"2016-07-16",
			"2016-05-01 249.95, 2016-06-01 112.88, 2016-06-15 249.95, 2016-07-15 209.64",
		),
		bills(
			"KB-86",
			"The 10th together with another plan",
			[
				["2016-05-01", "start", by(249.95, "MONTH", 1)],
				["2016-05-05", "replace", by(599.95, "MONTH", 10)],
			],
			"2016-05-10",
			"2016-05-01 249.95, 2016-05-05 -117.71, 2016-05-10 599.95",
		),
		bills(
			"KB-87",
			"The 10th after another plan",
			[
				["2016-05-01", "start", by(249.95, "MONTH", 1)],
				["2016-05-05", "replace", by(599.95, "MONTH", 1)],
				["2016-05-05", "change", onThe(10)],
			],
			"2016-06-01",
			"2016-05-01 249.95, 2016-05-05 304.84, 2016-06-01 174.18",
		),
		bills(
			"KB-88",
			"A year moved to the 10th",
			[
				["2016-05-01", "start", by(2399.95, "YEAR", 1)],
				["2016-05-01", "change", onThe(10)],
			],
			"2017-05-10",
			"2016-05-01 2399.95, 2017-05-01 59.18, 2017-05-10 2399.95",
		),
	),
	...from(
		`${integration}/TestWithTimeZones.java`,
		bills(
			"KB-89",
			"Los Angeles, 23:30, after a trial of 30 days into summer time",
			[
				[
					"2017-03-02T07:30:00",
					"start",
					by(29.95, "MONTH", undefined, { ...trial, zone: "America/Los_Angeles", mode: "BY_DAY" }),
				],
			],
			"2017-05-02",
			"2017-03-31 29.95, 2017-04-30 29.95",
			["2017-04-01 29.95, 2017-05-01 29.95", "TRIAL_DAYS_OF_24_HOURS"],
		),
		bills(
			"KB-90",
			"Los Angeles, 00:30, after a trial of 30 days out of summer time",
			[["2017-11-01T07:30:00", "start", by(29.95, "MONTH", 1, { ...trial, zone: "America/Los_Angeles" })]],
			"2018-01-02",
			"2017-12-01 29.95, 2018-01-01 29.95",
			["2017-11-30 1.00, 2017-12-01 29.95, 2018-01-01 29.95", "TRIAL_DAYS_OF_24_HOURS"],
		),
		bills(
			"KB-91",
			"Juneau, months across the end of summer time",
			[["2015-09-01T08:01:01", "start", by(249.95, "MONTH", undefined, { ...trial, zone: "America/Juneau" })]],
			"2016-01-03",
			"2015-10-01 249.95, 2015-11-01 249.95, 2015-12-01 249.95, 2016-01-01 249.95",
		),
	),
	...from(
		`${integration}/TestIntegrationInvoice.java`,
		bills(
			"KB-92",
			"From nothing to 29.95 in mid-February",
			[
				["2017-02-01", "start", by(0, "MONTH", 1)],
				["2017-02-15", "replace", by(29.95, "MONTH", 1)],
			],
			"2017-04-01",
			"2017-02-15 14.98, 2017-03-01 29.95, 2017-04-01 29.95",
		),
	),
];
