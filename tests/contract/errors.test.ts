import { describe, expect, test } from "bun:test";
import { statusByCode } from "../../src/kernel/error-codes";
import fromInterface from "./error-codes.json";

describe("the error catalogue", () => {
	test("holds every code of the interface's Errors section, under the same status", () => {
		const { DuplicatedEntityNotAllowed, ...ours } = statusByCode;
		expect(ours).toEqual(fromInterface as typeof ours);
		// Named by the interface without a status; the choice is 409.
		expect(DuplicatedEntityNotAllowed).toBe(409);
	});
});
