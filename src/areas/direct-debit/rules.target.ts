/** A day, such as "2026-02-01". Days in this form sort by time. */
export type Day = string;

const dayMs = 24 * 60 * 60 * 1000;

/** Returns the day of an instant in UTC. */
export const dayOf = (at: number): Day => new Date(at).toISOString().slice(0, 10);

export const addDaysTo = (day: Day, count: number): Day => dayOf(Date.parse(`${day}T00:00:00Z`) + count * dayMs);

/** Returns the later of two days. */
export const laterOf = (one: Day, other: Day): Day => (one < other ? other : one);

/** Returns Easter Sunday of a year by the Gregorian calendar (the method of Meeus, Jones and Butcher). */
function easterOf(year: number): Day {
	const a = year % 19;
	const [b, c] = [Math.floor(year / 100), year % 100];
	const [d, e] = [Math.floor(b / 4), b % 4];
	const g = Math.floor((8 * b + 13) / 25);
	const h = (19 * a + b - d - g + 15) % 30;
	const [i, k] = [Math.floor(c / 4), c % 4];
	const l = (32 + 2 * e + 2 * i - h - k) % 7;
	const m = Math.floor((a + 11 * h + 19 * l) / 433);
	const month = Math.floor((h + l - 7 * m + 90) / 25);
	const day = (h + l - 7 * m + 33 * month + 19) % 32;
	return `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}

/** The fixed closing days of TARGET: New Year, Labour Day, Christmas, and the day after it. */
const closedOn: ReadonlySet<string> = new Set(["01-01", "05-01", "12-25", "12-26"]);

/** Returns whether TARGET is open: not at weekends, on its fixed closing days, Good Friday and Easter Monday. */
export function isBankingDay(day: Day): boolean {
	const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
	if (weekday === 0 || weekday === 6 || closedOn.has(day.slice(5))) return false;
	const easter = easterOf(Number(day.slice(0, 4)));
	return day !== addDaysTo(easter, -2) && day !== addDaysTo(easter, 1);
}

/** Returns the day itself if TARGET is open, or else the next day on which it is. */
export function bankingDayFrom(day: Day): Day {
	let found = day;
	while (!isBankingDay(found)) found = addDaysTo(found, 1);
	return found;
}

/** Returns the banking day that is a number of banking days after a day. */
export function addBankingDays(day: Day, count: number): Day {
	let found = day;
	for (let left = count; left > 0; left -= 1) found = bankingDayFrom(addDaysTo(found, 1));
	return found;
}
