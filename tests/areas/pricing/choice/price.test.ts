import { describe, expect, test } from "bun:test";
import { type OfferedCharge, offeredPeriods } from "../../../../src/areas/pricing/choice/price";
import { price } from "./offered";

describe("the billing periods that a version is offered by", () => {
	const monthly = price(null, "usd");
	const annual = price(null, "usd", "ANNUALLY");
	const seats = { billingModel: "PER_UNIT", featureId: "seats" } as const;
	const calls = { billingModel: "USAGE_BASED", featureId: "calls" } as const;
	const credits = { billingModel: "CREDIT_BASED", creditCurrencyId: "gold" } as const;
	const once = { billingCadence: "ONE_OFF", featureId: "setup" } as const;

	test.each<[string, OfferedCharge[], string[]]>([
		["those of its fee", [annual, monthly], ["MONTHLY", "ANNUALLY"]],
		["only those for which all else is priced", [monthly, annual, { ...annual, ...seats }], ["ANNUALLY"]],
		["those of its prices, where each lacks something", [annual, { ...monthly, ...seats }], ["MONTHLY", "ANNUALLY"]],
		["usage by the month goes with a fee by the year", [annual, { ...monthly, ...calls }], ["ANNUALLY"]],
		["usage by the year does not go with a fee by the month", [monthly, annual, { ...annual, ...calls }], ["ANNUALLY"]],
		["usage decides where nothing is paid in advance", [{ ...monthly, ...calls }], ["MONTHLY"]],
		["credits do not decide next to a fee", [annual, { ...monthly, ...credits }], ["ANNUALLY"]],
		["one-time charges do not decide next to a fee", [annual, { ...monthly, ...once }], ["ANNUALLY"]],
		[
			"a fee by the month is not needed for what is paid once",
			[monthly, annual, { ...annual, ...once }],
			["MONTHLY", "ANNUALLY"],
		],
		["nothing is priced", [], []],
	])("%s", (_, charges, periods) => {
		expect(offeredPeriods(charges)).toEqual(periods as ReturnType<typeof offeredPeriods>);
	});
});
