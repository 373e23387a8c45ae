import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { longText, world } from "../support/world";
import { isError } from "./refusal";

const here = world();
const call: typeof here.call = (method, path, options) => {
	here.limitClock.ms += 60_000;
	return here.call(method, path, options);
};

describe("path parameters", () => {
	const tail = fc.constantFrom(..."abcXYZ019_|.@-");
	const likely = fc.string({ unit: tail, maxLength: 12 });
	// Segments that a URL itself would normalize are no path parameters at all.
	const anything = fc
		.oneof(likely, fc.string({ unit: "binary", maxLength: 12 }), fc.string({ unit: "grapheme-ascii", maxLength: 12 }))
		.filter((id) => id !== "" && id !== "." && id !== ".." && id.isWellFormed());
	const long = fc
		.tuple(fc.integer({ min: 250, max: 260 }), fc.constantFrom("a", "b"))
		.map(([length, letter]) => letter.repeat(length));
	const ids = fc.oneof({ weight: 4, arbitrary: anything }, long);

	const customerId = /^[a-zA-Z0-9][a-zA-Z0-9_|.@-]*$/;
	const planId = /^[a-zA-Z0-9][a-zA-Z0-9_|.-]*$/;
	const body = { entitlements: [{ type: "FEATURE", id: "calls" }] };
	test.each<[string, string, (id: string) => string, RegExp]>([
		["endpoint 1: id", "GET", (id) => `/customers/${id}/invoices/i/pdf/status`, customerId],
		["endpoint 2: id", "POST", (id) => `/customers/${id}/invoices/i/pdf/generate`, customerId],
		["endpoint 3: planId", "POST", (id) => `/plans/${id}/entitlements`, planId],
	])(
		"%s is refused with 400 exactly when it is not of the pattern, or not 1 to 255 long",
		async (_, method, path, pattern) => {
			await fc.assert(
				fc.asyncProperty(ids, async (id) => {
					const sent = method === "POST" && path("").startsWith("/plans") ? { body } : {};
					const answer = await call(method, path(encodeURIComponent(id)), sent);
					const valid = pattern.test(id) && id.length <= 255;
					if (valid) expect(answer.status).not.toBe(400);
					else isError(answer, 400, "BadUserInput");
				}),
				{ numRuns: 200 },
			);
		},
	);

	test.each<[string, string, (ref: string) => string]>([
		["endpoint 1: invoiceRef", "GET", (ref) => `/customers/nobody/invoices/${ref}/pdf/status`],
		["endpoint 2: invoiceRef", "POST", (ref) => `/customers/nobody/invoices/${ref}/pdf/generate`],
		["endpoint 7: id", "DELETE", (id) => `/contracts/${id}/billing/items/fee/rows/0`],
		["endpoint 7: itemRef", "DELETE", (ref) => `/contracts/C-2/billing/items/${ref}/rows/0`],
	])("%s is any text of up to 255 characters", async (_, method, path) => {
		for (const ref of ["x", "-x", "a b", "ключ/🔑?", longText(255)])
			expect((await call(method, path(encodeURIComponent(ref)))).status).toBe(404);
		isError(await call(method, path(longText(256))), 400, "BadUserInput");
	});

	test("endpoint 7: rowIndex is a whole number of at least 0", async () => {
		for (const index of ["-1", "1.5", "1e1", "+1", "0x1", "one", "%20"])
			isError(await call("DELETE", `/contracts/C-1/billing/items/fee/rows/${index}`), 400, "BadUserInput", "rowIndex");
	});
});
