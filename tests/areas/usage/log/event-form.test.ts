import { expect, test } from "bun:test";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import fc from "fast-check";
import { checkEvents } from "../../../../src/areas/usage/log/event-check";
import { isEventReport } from "../../../../src/areas/usage/log/event-form";
import { EventReport } from "../../../../src/areas/usage/schema";
import { longText, testNow } from "../../../support/world";
import { event } from "../ground";

const schema = TypeCompiler.Compile(EventReport);

/** Values at the limits of a field, as JSON writes them. */
const scalar = fc.oneof(
	fc.constantFrom<unknown>("", "a", "a|b", "a@b", "a/b", "é", "a\n", "\n", "\ud800", 0, -0, 1.5, true, false, null),
	fc.constantFrom<unknown>("constructor", "__proto__", "2026-01-30T00:00:00Z", "2026-02-30T00:00:00Z", [], {}, [1]),
	fc.constantFrom(...[64, 65, 255, 256].map((length) => longText(length))),
	fc.string({ maxLength: 5 }),
	fc.double(),
);
const key = fc.oneof(
	fc.constantFrom("a", "", "a\nb", "\u2028", "__proto__", "constructor", "toString", "1", "0"),
	fc.string({ maxLength: 4 }),
);
/** `__proto__` is a key like any other in JSON, but not in an assignment. */
const objectOf = (value: fc.Arbitrary<unknown>, maxLength: number) =>
	fc.array(fc.tuple(key, value), { maxLength }).map((entries) => Object.fromEntries(entries));

const fields = ["eventName", "customerId", "idempotencyKey", "resourceId", "timestamp", "dimensions"] as const;
const good = {
	eventName: fc.constantFrom<unknown>("api.call", "a", longText(255)),
	customerId: fc.constantFrom<unknown>("acme", "bob@b.example", longText(255)),
	idempotencyKey: fc.constantFrom<unknown>("k", "ключ 🔑"),
	resourceId: fc.constantFrom<unknown>("r1", null),
	timestamp: fc.constantFrom<unknown>("2026-01-30T00:00:00.000Z", "2026-01-30T00:00:00+01:00"),
	dimensions: objectOf(fc.constantFrom<unknown>("eu", 1, 0.5, true), 3),
};
/** A valid event in which a few fields are missing or arbitrary, with or without an additional field. */
const nearly = fc
	.tuple(
		fc.record(good),
		fc.dictionary(fc.constantFrom(...fields), fc.oneof(scalar, objectOf(scalar, 2)), { maxKeys: 1 }),
		fc.subarray([...fields], { maxLength: 2 }),
		fc.oneof({ weight: 5, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: objectOf(scalar, 1) }),
	)
	.map(([all, instead, left, more]) =>
		Object.fromEntries(
			Object.entries({ ...all, ...instead, ...more }).filter(([name]) => !left.includes(name as never)),
		),
	);
const list = fc.oneof(
	{
		weight: 8,
		arbitrary: fc.array(fc.oneof({ weight: 9, arbitrary: nearly }, { weight: 1, arbitrary: scalar }), { maxLength: 3 }),
	},
	{ weight: 1, arbitrary: scalar },
);
const body = fc.oneof(
	{ weight: 8, arbitrary: list.map((events) => ({ events })) },
	{ weight: 1, arbitrary: fc.tuple(list, objectOf(scalar, 1)).map(([events, more]) => ({ events, ...more })) },
	{ weight: 1, arbitrary: fc.jsonValue() },
);

/** Returns the message for a body: the schema's first error, with its path. */
function worded(value: unknown): string | undefined {
	const error = schema.Errors(value).First();
	if (!error) return undefined;
	const { expects } = error.schema;
	const expectation =
		typeof expects === "string" ? expects : error.message.charAt(0).toLowerCase() + error.message.slice(1);
	return `body${error.path}: ${expectation}.`;
}

test("the fast validation accepts exactly the values that the schema accepts, and the schema words the refusal", () => {
	let taken = 0;
	fc.assert(
		fc.property(body, (made) => {
			const text = JSON.stringify(made);
			const value: unknown = JSON.parse(text);
			const isTaken = schema.Check(value);
			if (isTaken) taken += 1;
			expect([text, isEventReport(value)]).toEqual([text, isTaken]);
			const checked = checkEvents(text, testNow);
			if (!isTaken && (worded(value)?.length ?? 0) < 200)
				expect(checked).toEqual({ kind: "refused", code: "BadUserInput", message: worded(value) ?? "" });
		}),
		{ numRuns: 3000 },
	);
	expect(taken).toBeGreaterThan(100);
});

test.each([
	["a dimension's name may hold a line break", { dimensions: { "a\nb": 1 } }, true],
	["whose value is a value like any other", { dimensions: { "a\nb": { c: 1 } } }, false],
	["or none", { dimensions: { "\u2028": null } }, false],
])("%s", (_, more, isTaken) => {
	const value = { events: [{ ...event(), ...more }] };
	expect([schema.Check(value), isEventReport(value)]).toEqual([isTaken, isTaken]);
});

test("accepts a thousand events, but neither none nor a thousand and one", () => {
	for (const [count, isTaken] of [
		[0, false],
		[1, true],
		[1000, true],
		[1001, false],
	] as const) {
		const value = { events: Array.from({ length: count }, (_, at) => event({ idempotencyKey: `${at}` })) };
		expect([schema.Check(value), isEventReport(value)]).toEqual([isTaken, isTaken]);
	}
});
