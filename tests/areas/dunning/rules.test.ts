import { expect, test } from "bun:test";
import { assertMayBecome, nextStates, reminderKind, runningState } from "../../../src/areas/dunning/rules";
import { caseStates } from "../../../src/areas/dunning/schema.values";

const allowed = [
	...[
		"REMINDING FINAL_NOTICE",
		"REMINDING SUSPENDED",
		"REMINDING ENDED",
		"FINAL_NOTICE SUSPENDED",
		"FINAL_NOTICE ENDED",
	],
	...["RETRYING WAITING", "RETRYING FINAL_NOTICE", "RETRYING SUSPENDED", "RETRYING ENDED"],
	...["WAITING RETRYING", "WAITING FINAL_NOTICE", "WAITING SUSPENDED", "WAITING ENDED"],
	...["SUSPENDED SUSPENDED", "SUSPENDED REMINDING", "SUSPENDED FINAL_NOTICE", "SUSPENDED ENDED"],
	...["SUSPENDED RETRYING", "SUSPENDED WAITING"],
	...["ENDED REMINDING", "ENDED FINAL_NOTICE", "ENDED RETRYING", "ENDED WAITING"],
];

test("a case changes between these states only: all pairs", () => {
	for (const from of caseStates)
		for (const to of caseStates) {
			const isAllowed = allowed.includes(`${from} ${to}`);
			expect([from, to, nextStates[from].includes(to)]).toEqual([from, to, isAllowed]);
			if (isAllowed) expect(() => assertMayBecome(from, to)).not.toThrow();
			else expect(() => assertMayBecome(from, to)).toThrow(`is ${from}, so it cannot become ${to}`);
		}
});

test("a reminder's tone follows the day on which it runs", () => {
	const kinds = [9, 10, 11].map((day) => reminderKind({ day, dueDay: 10 }, false));
	expect(kinds).toEqual(["BEFORE_DUE", "DUE", "OVERDUE"]);
	expect(reminderKind({ day: 11, dueDay: 10 }, true)).toBe("FINAL");
	expect(reminderKind({ day: 10, dueDay: 10 }, true)).toBe("DUE");
});

test("after the last reminder the final notice runs", () => {
	expect([0, 1, 2].map((position) => runningState([0, 7], position))).toEqual([
		"REMINDING",
		"REMINDING",
		"FINAL_NOTICE",
	]);
});
