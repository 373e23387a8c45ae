import { expect, test } from "bun:test";
import { judge, type Sample } from "./memory";

/** An hour of samples, one every ten seconds. */
const hour = (residentMiBAt: (minute: number) => number): Sample[] =>
	Array.from({ length: 360 }, (_, at) => {
		const minute = (at + 1) / 6;
		return { minute, residentMiB: residentMiBAt(minute), anonymousMiB: 0, requests: 0, cpuSeconds: 0 };
	});

test("calls memory flat that only moves up and down, and that grew in the first half", () => {
	const { isFlat, text } = judge(hour((minute) => Math.min(300, 200 + 10 * minute) + 20 * Math.sin(minute)));
	expect(isFlat).toBe(true);
	expect(text).toMatch(/^flat: -?[0-5]\.\d MiB an hour over the last 30 minutes/);
});

test("says how much an hour memory grows that does not stop growing", () => {
	const { isFlat, text } = judge(hour((minute) => 200 + minute));
	expect(isFlat).toBe(false);
	expect(text).toStartWith("grows: 60.0 MiB an hour");
});
