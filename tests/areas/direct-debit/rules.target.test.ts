import { expect, test } from "bun:test";
import { addBankingDays, bankingDayFrom, isBankingDay } from "../../../src/areas/direct-debit/rules.target";

test("TARGET is closed at weekends, on four fixed days, on Good Friday and Easter Monday", () => {
	// The calendars of the European Central Bank.
	const closed = [
		...["2026-01-01", "2026-04-03", "2026-04-06", "2026-05-01", "2026-12-25"],
		...["2027-01-01", "2027-03-26", "2027-03-29", "2024-03-29", "2024-04-01", "2038-04-23", "2038-04-26"],
		...["2026-02-21", "2026-02-22", "2026-12-26"],
	];
	expect(closed.filter(isBankingDay)).toEqual([]);
	const open = ["2026-01-02", "2026-04-02", "2026-04-07", "2026-05-04", "2026-12-24", "2026-05-14", "2026-06-04"];
	expect(open.filter((day) => !isBankingDay(day))).toEqual([]);
	// 255 days of 2026, as that calendar counts them.
	const days = Array.from({ length: 365 }, (_, at) => new Date(Date.UTC(2026, 0, 1 + at)).toISOString().slice(0, 10));
	expect(days.filter(isBankingDay)).toHaveLength(256);
});

test("counts banking days over Easter and the turn of the year", () => {
	expect(bankingDayFrom("2026-04-03")).toBe("2026-04-07");
	expect(addBankingDays("2026-04-02", 1)).toBe("2026-04-07");
	expect(addBankingDays("2026-12-24", 2)).toBe("2026-12-29");
	expect(addBankingDays("2026-12-31", 1)).toBe("2027-01-04");
	expect(addBankingDays("2026-02-20", 0)).toBe("2026-02-20");
});
