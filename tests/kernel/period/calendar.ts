/**
 * The oracle's wall clocks: it walks through forty years day by day, with offsets from `Intl.DateTimeFormat` alone.
 */

export const zones = [
	"UTC",
	"Europe/Berlin",
	"America/New_York",
	"Australia/Lord_Howe",
	"Pacific/Apia",
	"Africa/Casablanca",
	"Asia/Kathmandu",
	"Pacific/Kiritimati",
] as const;

const dayMs = 86_400_000;
const [firstYear, lastYear] = [1990, 2029];

interface WalkedDate {
	readonly year: number;
	/** From 1, like `day`. */
	readonly month: number;
	readonly day: number;
	readonly monthLength: number;
	/** The day's midnight, as the milliseconds at which UTC shows it. */
	readonly local: number;
}

const isLeap = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
const monthLengths = (year: number) => [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** All dates of the forty years. 1 January 1970 is followed by 20 years, five of them leap years. */
export const dates: readonly WalkedDate[] = walk();

function walk(): WalkedDate[] {
	const walked: WalkedDate[] = [];
	let number = 20 * 365 + 5;
	for (let year = firstYear; year <= lastYear; year += 1)
		for (const [before, monthLength] of monthLengths(year).entries())
			for (let day = 1; day <= monthLength; day += 1) {
				walked.push({ year, month: before + 1, day, monthLength, local: number * dayMs });
				number += 1;
			}
	return walked;
}

const localOfDate = new Map(dates.map(({ year, month, day, local }) => [`${month}/${day}/${year}`, local]));

/** The time between two clock changes. */
interface Stretch {
	readonly from: number;
	readonly offset: number;
}

export class WallClock {
	readonly #stretches: Stretch[] = [];
	readonly #format: Intl.DateTimeFormat;

	constructor(timeZone: string) {
		this.#format = new Intl.DateTimeFormat("en-US", {
			timeZone,
			hourCycle: "h23",
			year: "numeric",
			month: "numeric",
			day: "numeric",
			hour: "numeric",
			minute: "numeric",
			second: "numeric",
		});
		// The first day of the forty years can be another year's on the wall.
		for (const { local: at } of dates.slice(1)) {
			const offset = this.#offset(at);
			const last = this.#stretches.at(-1);
			if (last?.offset !== offset) this.#stretches.push({ from: last ? this.#change(at, last.offset) : at, offset });
		}
	}

	#offset(at: number): number {
		const [date = "", time = ""] = this.#format.format(at).split(", ");
		const [hour = 0, minute = 0, second = 0] = time.split(":").map(Number);
		const local = localOfDate.get(date);
		if (local === undefined) throw new Error(`the calendar has no ${date}`);
		return local + ((hour * 60 + minute) * 60 + second) * 1000 - at;
	}

	/** Returns the instant of the clock change in the day before `at`. */
	#change(at: number, before: number): number {
		let [low, high] = [(at - dayMs) / 1000, at / 1000];
		while (high - low > 1) {
			const middle = Math.floor((low + high) / 2);
			if (this.#offset(middle * 1000) === before) low = middle;
			else high = middle;
		}
		return high * 1000;
	}

	/** Returns every instant at which the wall shows a time: none if a change skips it, two if one repeats it. */
	showing(local: number): number[] {
		return this.#stretches.flatMap(({ from, offset }, index) => {
			const at = local - offset;
			return at >= from && at < (this.#stretches[index + 1]?.from ?? Number.POSITIVE_INFINITY) ? [at] : [];
		});
	}

	/** Returns the first instant that shows a time; a skipped time counts by the clock before the change. */
	instantOf(local: number): number {
		const [first] = this.showing(local);
		if (first !== undefined) return first;
		const before = this.#stretches.find(({ offset }, index) => {
			const next = this.#stretches[index + 1];
			return next && local - offset >= next.from && local - next.offset < next.from;
		});
		if (!before) throw new Error(`no clock shows ${local}`);
		return local - before.offset;
	}
}
