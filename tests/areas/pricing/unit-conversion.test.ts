import { expect, test } from "bun:test";
import { convertUnits } from "../../../src/areas/pricing/unit-conversion";
import { decimal } from "./samples";

test.each([
	["rounds a started unit up", 1_500_001, "UP", "1501"],
	["keeps whole units when it rounds up", 1_500_000, "UP", "1500"],
	["drops a started unit when it rounds down", 1_999_999, "DOWN", "1999"],
	["converts nothing to nothing", 0, "UP", "0"],
	["rounds the smallest usage up to one unit", "0.001", "UP", "1"],
] as const)("unit conversion by the thousand %s", (_, usage, round, units) => {
	expect(String(convertUnits(decimal(usage), { divide: decimal(1_000), round }))).toBe(units);
});

test("a feature without unit conversion is priced in reported units", () => {
	expect(String(convertUnits(decimal("12.5"), null))).toBe("12.5");
});
