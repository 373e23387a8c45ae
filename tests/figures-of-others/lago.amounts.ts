import { bills, from, last, type Sale, type Scenario, total } from "./scenario";

const scenarios = "spec/scenarios";
const models = "spec/services/charge_models";
const calendar = { anchor: { type: "CALENDAR" } };
const usd = (amount: number) => ({ amount, currency: "usd" });
const taxed = (taxPercentage: number) => ({ terms: { billingInformation: { taxPercentage } } });

const fees: Scenario[] = [
	...from(
		`${scenarios}/subscriptions/upgrade_proration_spec.rb`,
		last(
			"L-52",
			"A calendar quarter in arrears, from 20 May to 20 June: 32 of 91 days",
			[
				[
					"2024-05-20T10:00:00",
					"start",
					{ price: 910, every: "3 MONTH", inArrears: true, mode: "BY_DAY", ...calendar },
				],
				["2024-06-20T10:00:00", "end"],
			],
			"2024-06-21",
			"2024-06-20 320.00",
		),
		last(
			"L-53",
			"The same days after a cheaper plan",
			[
				["2024-01-15T10:00:00", "start", { price: 455, every: "3 MONTH", inArrears: true, mode: "BY_DAY" }],
				["2024-05-20T10:00:00", "replace", { price: 910, every: "3 MONTH", inArrears: true, mode: "BY_DAY" }],
				["2024-06-20T10:00:00", "end"],
			],
			"2024-06-21",
			"2024-06-20 320.00",
		),
	),
	...from(
		`${scenarios}/subscriptions/upgrade_spec.rb`,
		bills(
			"L-54",
			"A month to a year on the day before the renewal",
			[
				["2023-06-29T12:12:00", "start", { price: 10, mode: "BY_DAY" }],
				["2023-09-28T05:00:00", "replace", { price: 120, every: "YEAR", mode: "BY_DAY" }],
			],
			"2023-10-01",
			"2023-06-29 10.00, 2023-07-29 10.00, 2023-08-29 10.00, 2023-09-28 89.84",
			["2023-06-29 10.00, 2023-07-29 10.00, 2023-08-29 10.00, 2023-09-28 119.68", "NEW_PERIOD_NEW_CYCLE"],
		),
	),
	...from(
		`${scenarios}/subscriptions/upgrade_spec.rb`,
		bills(
			"L-103",
			"The same, with the days of the first plan",
			[
				["2023-06-29T12:12:00", "start", { price: 10, mode: "BY_DAY" }],
				[
					"2023-09-28T05:00:00",
					"replace",
					{ price: 120, every: "YEAR", mode: "BY_DAY", anchor: { type: "DATE", date: "2023-06-29T12:12:00Z" } },
				],
			],
			"2023-10-01",
			"2023-06-29 10.00, 2023-07-29 10.00, 2023-08-29 10.00, 2023-09-28 89.84",
		),
	),
	...from(
		`${scenarios}/subscriptions/downgrade_spec.rb`,
		last(
			"L-104",
			"A month to a year at the end of the month: 243 of 366 days",
			[
				["2023-07-19T12:12:00", "start", { price: 129, mode: "BY_DAY" }],
				[
					"2023-11-09",
					"replace",
					{ price: 1188, every: "YEAR", mode: "BY_DAY", terms: { scheduleStrategy: "END_OF_BILLING_PERIOD" } },
				],
			],
			"2023-11-20",
			"2023-11-19 788.75",
			["2023-11-19 1188.00", "NEW_PERIOD_NEW_CYCLE"],
		),
	),
	...from(
		`${scenarios}/subscriptions/terminate_manually_spec.rb`,
		bills(
			"L-55",
			"100.00 with 20 % tax from 8 February, ended on the 21st",
			[
				["2025-02-08", "start", { price: 100, mode: "BY_DAY", ...calendar, ...taxed(20) }],
				["2025-02-21T10:00:00", "end"],
			],
			"2025-03-01",
			"2025-02-08 90.00, 2025-02-21 -30.00",
		),
		bills(
			"L-56",
			"Ended on the day of the start",
			[
				["2025-02-08", "start", { price: 100, mode: "BY_DAY", ...calendar, ...taxed(20) }],
				["2025-02-08T05:00:00", "end"],
			],
			"2025-03-01",
			"2025-02-08 4.28",
		),
	),
	...from(
		`${scenarios}/terminate_pay_in_advance_spec.rb`,
		...(
			[
				["L-57", "UTC", calendar, "2023-02-08 2.15"],
				["L-58", "Asia/Tokyo", calendar, "2023-02-08 2.15"],
				["L-59", "America/Los_Angeles", calendar, "2023-02-07 2.15"],
				["L-60", "UTC", {}, "2023-02-08 2.15"],
				["L-61", "Asia/Tokyo", {}, "2023-02-08 2.15"],
			] as const
		).map(([id, zone, anchor, figure]) =>
			bills(
				id,
				"50.00 with 20 % tax, ended on the day of the start",
				[
					["2023-02-08", "start", { price: 50, mode: "BY_DAY", zone, ...anchor, ...taxed(20) }],
					["2023-02-08T01:00:00", "end"],
				],
				"2023-03-01",
				figure,
			),
		),
	),
	...from(
		`${scenarios}/invoices/invoices_spec.rb`,
		...(
			[
				["L-62", "2023-06-16T05:00:00", "America/Denver", "2023-06-15 4.00"],
				["L-63", "2023-06-16T05:00:00", "America/Halifax", "2023-06-16 3.00"],
				["L-64", "2023-06-16T20:00:00", "Europe/Paris", "2023-06-16 3.00"],
				["L-65", "2023-06-16T20:00:00", "Asia/Karachi", "2023-06-17 2.00"],
			] as const
		).map(([id, start, zone, figure]) =>
			bills(
				id,
				"The rest of a week from Monday",
				[[start, "start", { price: 7, every: "WEEK", mode: "BY_DAY", zone, ...calendar }]],
				"2023-06-18",
				figure,
			),
		),
	),
	...from(
		`${scenarios}/subscriptions/free_trial_billing_spec.rb`,
		bills(
			"L-66",
			"A trial of ten days within a calendar month",
			[
				[
					"2024-03-05T12:12:00",
					"start",
					{ price: 50_000, mode: "BY_DAY", ...calendar, plan: { defaultTrialConfig: { duration: 10, units: "DAY" } } },
				],
			],
			"2024-03-16",
			"2024-03-15 27419.35",
		),
	),
	...from(
		`${scenarios}/spending_minimum_spec.rb`,
		last(
			"L-67",
			"Usage of 8.00 with a minimum of 10.00, and a fee of 50.00, ended on 25 February",
			[
				[
					"2023-01-08T08:00:00",
					"start",
					{
						price: 50,
						usage: { price: usd(8), minimumAmount: 10 },
						charges: { prorationMode: "BY_DAY" },
						...calendar,
						...taxed(20),
					},
				],
				["2023-02-10", "use", [1]],
				["2023-02-25T06:00:00", "end"],
			],
			"2023-03-01",
			"2023-02-25 4.29",
		),
	),
	...from(
		`${scenarios}/subscriptions/billing_boundaries_spec.rb`,
		bills(
			"L-68",
			"In arrears from the 31st, 01:00",
			[["2024-01-31T01:00:00", "start", { price: 1, inArrears: true }]],
			"2024-05-01",
			"2024-02-29 1.00, 2024-03-31 1.00, 2024-04-30 1.00",
		),
		bills(
			"L-69",
			"In advance from the 30th",
			[["2024-01-30", "start", { price: 1 }]],
			"2024-05-01",
			"2024-01-30 1.00, 2024-02-29 1.00, 2024-03-30 1.00, 2024-04-30 1.00",
		),
		bills(
			"L-70",
			"By the year in arrears from the 31st",
			[["2024-01-31T01:00:00", "start", { price: 1, every: "YEAR", inArrears: true }]],
			"2025-02-01",
			"2025-01-31 1.00",
		),
	),
];

const used = (
	id: string,
	title: string,
	usage: Sale,
	quantities: readonly number[],
	figure: string,
	ours?: readonly [string, string],
) =>
	total(
		id,
		title,
		[
			["2022-03-01", "start", usage],
			["2022-03-02", "use", quantities],
		],
		"2022-04-01",
		figure,
		ours,
	);

const tiers = (
	tiersMode: "GRADUATED" | "VOLUME",
	...list: ReadonlyArray<readonly [number | null, number, number]>
): Sale => ({
	usage: {
		tiersMode,
		tiers: list.map(([upTo, unit, flat]) => ({
			...(upTo !== null && { upTo }),
			unitPrice: usd(unit),
			flatPrice: usd(flat),
		})),
	},
	usageModel: { chargesFlatPriceUnused: true },
});
const graduated = tiers("GRADUATED", [10, 10, 2], [20, 5, 3], [null, 5, 3]);
const volume = tiers("VOLUME", [100, 2, 10], [200, 1, 0], [null, 0.5, 50]);
const shares = tiers("GRADUATED", [10, 0.01, 200], [20, 0.02, 300], [null, 0.03, 400]);
const percent = (price: object): Sale => ({ usage: { transactionPrice: { currency: "usd", ...price } } });
const four = [50, 100, 250, 400];
const bounds = { percentRate: 2.99, minimum: 1.75, maximum: 12 };

/** Packages beyond a limit of each month. */
const beyond = (usageLimit: number): Sale => ({
	price: 0,
	charges: {
		overagePricingModels: [
			{
				billingModel: "USAGE_BASED",
				featureId: "calls",
				entitlement: {
					featureId: "calls",
					usageLimit,
					resetPeriod: "MONTH",
					monthlyResetPeriodConfiguration: { accordingTo: "SubscriptionStart" },
				},
				pricePeriods: [{ billingPeriod: "MONTHLY", blockSize: 10, price: usd(100) }],
			},
		],
	},
});

const prices: Scenario[] = [
	...from(
		`${models}/graduated_service_spec.rb`,
		...(
			[
				["L-71", 0, "2.00"],
				["L-72", 1, "12.00"],
				["L-73", 10, "102.00"],
				["L-74", 11, "110.00"],
				["L-75", 12, "115.00"],
				["L-76", 21, "163.00"],
			] as const
		).map(([id, n, figure]) =>
			used(id, `Graduated tiers with flat amounts, ${n} units`, graduated, n ? [n] : [], figure),
		),
	),
	...from(
		`${models}/volume_service_spec.rb`,
		...(
			[
				["L-77", 0, "10.00"],
				["L-78", 1, "12.00"],
				["L-79", 100, "210.00"],
				["L-80", 100.5, "100.50"],
				["L-81", 101, "101.00"],
				["L-82", 200, "200.00"],
				["L-83", 300, "200.00"],
			] as const
		).map(([id, n, figure]) => used(id, `Volume tiers with flat amounts, ${n} units`, volume, n ? [n] : [], figure)),
	),
	...from(
		`${models}/package_service_spec.rb`,
		used(
			"L-84",
			"Packages of 10 at 100.00, 121 units",
			{ usage: { price: usd(100), blockSize: 10 } },
			[121],
			"1300.00",
		),
		used("L-101", "The same with 10 free units", beyond(10), [121], "1200.00"),
		used("L-102", "The same with 200 free units", beyond(200), [121], "0.00"),
	),
	...from(
		`${models}/percentage_service_spec.rb`,
		used("L-85", "A percentage with a fee", percent({ percentRate: 1.3, fixedFee: 2 }), four, "18.40"),
		used("L-86", "3 free transactions", percent({ percentRate: 1.3, fixedFee: 2, freeTransactions: 3 }), four, "7.20"),
		used("L-87", "250.00 free", percent({ percentRate: 1.3, fixedFee: 2, freeAmount: 250 }), four, "11.15"),
		used(
			"L-88",
			"Both, the amount ends first",
			percent({ percentRate: 1.3, fixedFee: 2, freeTransactions: 3, freeAmount: 250 }),
			four,
			"11.15",
		),
		used(
			"L-89",
			"Both, the number ends first",
			percent({ percentRate: 1.3, fixedFee: 2, freeTransactions: 3, freeAmount: 500 }),
			four,
			"7.20",
		),
		used("L-90", "2.9 % of 4.00", percent({ percentRate: 2.9 }), [4], "0.12"),
		used(
			"L-91",
			"More free transactions than used",
			percent({ percentRate: 1.3, freeTransactions: 5 }),
			[50, 100, 250],
			"0.00",
		),
		used("L-92", "A least and a greatest cost", percent(bounds), [10, 80, 10_000], "16.14"),
		used("L-93", "The same with a fee", percent({ ...bounds, fixedFee: 2 }), [10, 80, 10_000], "18.69"),
		used(
			"L-94",
			"The same with 2 free transactions",
			percent({ ...bounds, freeTransactions: 2 }),
			[10, 80, 10_000],
			"12.00",
		),
		used("L-95", "The same with 30.00 free", percent({ ...bounds, freeAmount: 30 }), [10, 80, 10_000], "13.79"),
		used(
			"L-96",
			"The same with both",
			percent({ ...bounds, freeTransactions: 3, freeAmount: 10_000 }),
			[10, 80, 10_000],
			"2.69",
		),
	),
	...from(
		`${models}/graduated_percentage_service_spec.rb`,
		...(
			[
				["L-97", 0, "200.00"],
				["L-98", 1, "200.01"],
				["L-99", 10, "200.10"],
				["L-100", 11, "500.12"],
			] as const
		).map(([id, n, figure]) =>
			used(id, `Percentages by tier with flat amounts, of ${n}`, shares, n ? [n] : [], figure),
		),
	),
];

export const amounts: Scenario[] = [...fees, ...prices];
