import { from, period, type Sale, type System, total } from "./scenario";

const rate = "openmeter/billing/rating/service/rate";
const usd = (amount: number) => ({ amount, currency: "usd" });
const bounded = (minimumAmount?: number, maximumAmount?: number) => ({
	...(minimumAmount !== undefined && { minimumAmount }),
	...(maximumAmount !== undefined && { maximumAmount }),
});

type Tier = readonly [upTo: number | null, flat: number, unit: number];
const tiers = (tiersMode: "GRADUATED" | "VOLUME", list: readonly Tier[], bounds: object = {}): Sale => ({
	every: "DAY",
	usage: {
		tiersMode,
		tiers: list.map(([upTo, flat, unit]) => ({
			...(upTo !== null && { upTo }),
			unitPrice: usd(unit),
			flatPrice: usd(flat),
		})),
		...bounds,
	},
	usageModel: { chargesFlatPriceUnused: true },
});
const graduated = (last: number, bounds?: object) =>
	tiers(
		"GRADUATED",
		[
			[5, 100, 0],
			[10, 50, 0],
			[15, 0, last === 1 ? 5 : 10],
			[null, 0, last],
		],
		bounds,
	);
const volume = (bounds?: object) =>
	tiers(
		"VOLUME",
		[
			[5, 100, 0],
			[10, 150, 0],
			[15, 0, 10],
			[null, 0, 5],
		],
		bounds,
	);
const unit = (price: number, bounds: object = {}): Sale => ({ every: "DAY", usage: { price: usd(price), ...bounds } });
const packs = (bounds: object = {}): Sale => ({ every: "DAY", usage: { price: usd(15), blockSize: 10, ...bounds } });
const factor = (bounds: object = {}): Sale => unit(1.33333, bounds);

type Used = readonly [id: string, title: string, sale: Sale, quantities: readonly number[], figure: string];

/** Their tests rate the day 2021-01-01. */
const rows = (list: readonly Used[]) =>
	list.map(([id, title, sale, quantities, figure]) =>
		total(
			id,
			title,
			[
				["2021-01-01", "start", sale],
				["2021-01-01", "use", quantities],
			],
			"2021-01-02",
			figure,
		),
	);

export default {
	name: "OpenMeter",
	repository: "https://github.com/openmeterio/openmeter",
	commit: "7e57a394a0283fb210a644685ad1d257f6d5c85c",
	license: "Apache 2.0",
	scenarios: [
		...from(
			`${rate}/tieredgraduated_test.go`,
			...rows([
				["OM-1", "Graduated, nothing used", graduated(5), [], "100.00"],
				["OM-2", "Graduated, 5 of the first tier", graduated(5), [5], "100.00"],
				["OM-3", "Graduated, a thousandth of the second tier", graduated(5), [5.001], "150.00"],
				["OM-4", "Graduated, 7 units", graduated(5), [7], "150.00"],
				["OM-5", "Graduated, 12 units", graduated(5), [12], "170.00"],
				["OM-6", "Graduated, 22 units", graduated(5), [22], "235.00"],
				["OM-7", "Graduated, 22 units at the prices of the other tests", graduated(1), [12, 10], "182.00"],
				["OM-8", "Graduated, a minimum of 1,000.00", graduated(1, bounded(1000)), [2], "1000.00"],
				["OM-9", "Graduated, a maximum of 170.00", graduated(1, bounded(undefined, 170)), [12, 10], "170.00"],
			]),
		),
		...from(
			`${rate}/tieredvolume_test.go`,
			...rows([
				["OM-10", "Volume, nothing used", volume(), [], "100.00"],
				["OM-11", "Volume, 3 units", volume(), [3], "100.00"],
				["OM-12", "Volume, 5 units", volume(), [5], "100.00"],
				["OM-13", "Volume, 14 units", volume(), [14], "140.00"],
				["OM-14", "Volume, 15 units", volume(), [15], "150.00"],
				["OM-15", "Volume, 16 units", volume(), [16], "80.00"],
				["OM-16", "Volume, 100 units", volume(), [100], "500.00"],
				["OM-17", "Volume, nothing used, a minimum of 150.00", volume(bounded(150)), [], "150.00"],
				["OM-18", "Volume, 100 units, a minimum of 100.00", volume(bounded(100)), [100], "500.00"],
				["OM-19", "Volume, 5 units, a minimum of 150.00", volume(bounded(150)), [5], "150.00"],
				["OM-20", "Volume, 5 units, a maximum of 100.00", volume(bounded(undefined, 100)), [5], "100.00"],
				["OM-21", "Volume, 7 units, a maximum of 125.00", volume(bounded(undefined, 125)), [7], "125.00"],
			]),
		),
		...from(
			`${rate}/unit_test.go`,
			...rows([
				["OM-22", "A minimum without usage", unit(10, bounded(100)), [], "100.00"],
				["OM-23", "10 units at 100.00", unit(100), [10], "1000.00"],
				["OM-24", "A maximum that is just reached", unit(10, bounded(undefined, 100)), [10], "100.00"],
				["OM-25", "A maximum that is exceeded", unit(10, bounded(undefined, 100)), [7, 5], "100.00"],
			]),
		),
		...from(
			`${rate}/package_test.go`,
			...rows([
				["OM-26", "One package of 10", packs(), [10], "15.00"],
				["OM-27", "A part of a package", packs(), [5], "15.00"],
				["OM-28", "A third package begins", packs(), [17, 5], "45.00"],
				["OM-29", "11 packages with a maximum of 100.00", packs(bounded(undefined, 100)), [60, 50], "100.00"],
				["OM-30", "A minimum without usage", packs(bounded(100)), [], "100.00"],
			]),
		),
		...from(
			`${rate}/dynamic_test.go`,
			...rows([
				["OM-31", "A factor of 1.33333", factor(), [10], "13.33"],
				["OM-32", "A factor with a maximum of 100.00", factor(bounded(undefined, 100)), [70, 50], "100.00"],
			]),
		),
		...from(
			"pkg/timeutil/recurrence_test.go",
			...(
				[
					["OM-33", "2025-01-31T15:00:00", "2025-08-13T20:00:00", "2025-07-31T15:00 to 2025-08-31T15:00"],
					["OM-34", "2025-01-31T15:00:00", "2025-09-30T15:00:00", "2025-09-30T15:00 to 2025-10-31T15:00"],
					["OM-35", "2025-01-30T15:00:00", "2025-02-13T20:00:00", "2025-01-30T15:00 to 2025-02-28T15:00"],
				] as const
			).map(([id, start, until, figure]) =>
				period(id, "Months of different lengths, from 15:00", [[start, "start", { price: 1 }]], until, figure),
			),
		),
	],
} satisfies System;
