import { expect, test } from "bun:test";
import { intervalWithin, sharedInterval } from "../../../../src/console/pages/prices/intervals";

const quarter = { unit: "MONTH", count: 3 } as const;
const row = (billingPeriod: "ANNUALLY" | "HALF_YEARLY" | "MONTHLY", chargeInterval?: typeof quarter) => ({
	billingPeriod,
	...(chargeInterval && { chargeInterval }),
});

test("the form edits one interval for all periods of which it is a part", () => {
	expect(sharedInterval([row("ANNUALLY", quarter), row("HALF_YEARLY", quarter), row("MONTHLY")])).toBe("QUARTERLY");
	expect(sharedInterval([row("ANNUALLY"), row("MONTHLY")])).toBeUndefined();
	expect(intervalWithin("ANNUALLY", "QUARTERLY")).toEqual(quarter);
	expect(intervalWithin("MONTHLY", "QUARTERLY")).toBeUndefined();
});

test("the form does not edit intervals that differ by period", () => {
	expect(sharedInterval([row("ANNUALLY", quarter), row("HALF_YEARLY")])).toBe("several");
});
