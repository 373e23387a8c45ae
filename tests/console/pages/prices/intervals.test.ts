import { expect, test } from "bun:test";
import { intervalWithin, sharedInterval } from "../../../../src/console/pages/prices/intervals";

const month = { unit: "MONTH", count: 1 } as const;
const row = (billingPeriod: "ANNUALLY" | "HALF_YEARLY" | "MONTHLY", chargeInterval?: typeof month) => ({
	billingPeriod,
	...(chargeInterval && { chargeInterval }),
});

test("the form edits one interval for all periods other than itself", () => {
	expect(sharedInterval([row("ANNUALLY", month), row("HALF_YEARLY", month), row("MONTHLY")])).toBe("MONTHLY");
	expect(sharedInterval([row("ANNUALLY"), row("MONTHLY")])).toBeUndefined();
	expect(intervalWithin("ANNUALLY", "MONTHLY")).toEqual(month);
	expect(intervalWithin("MONTHLY", "MONTHLY")).toBeUndefined();
});

test("the form does not edit intervals that differ by period", () => {
	expect(sharedInterval([row("ANNUALLY", month), row("HALF_YEARLY")])).toBe("several");
});
