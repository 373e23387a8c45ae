import { describe, expect, test } from "bun:test";
import { world } from "../support/world";

describe("unknown routes and methods", () => {
	test("an unknown route is 404 with code null, a known one with another method 405 with Allow", async () => {
		const { call } = world();
		expect(await call("GET", "/nothing")).toMatchObject({ status: 404, body: { code: null } });
		const wrong = await call("DELETE", "/me");
		expect(wrong).toMatchObject({ status: 405, body: { code: null } });
		expect(wrong.headers.get("allow")).toBe("GET");
	});
});
