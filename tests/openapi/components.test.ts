import { expect, test } from "bun:test";
import { SubscriptionPause } from "../../src/areas/subscriptions/schema";
import { Components } from "../../src/openapi/components";
import type { Schema } from "../../src/openapi/schema";

const pause = SubscriptionPause as Schema;

test("two schemas with one name are refused, also if the second one is exported under that name", () => {
	const components = new Components();
	components.refer({ type: "object", properties: { date: { type: "string" } } }, "SubscriptionPause");
	expect(() => components.refer(pause, "PauseBody")).toThrow("named 'SubscriptionPause'");
});

test("a schema that occurs twice is described once", () => {
	const components = new Components();
	const first = components.refer(pause, "PauseBody");
	expect(components.refer(pause, "OtherBody")).toEqual(first);
	expect(first.$ref).toBe("#/components/schemas/SubscriptionPause");
});
