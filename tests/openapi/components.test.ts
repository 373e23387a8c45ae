import { expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { SubscriptionPause } from "../../src/areas/subscriptions/schema";
import { Components } from "../../src/openapi/components";

test("two schemas with one name are refused, also if the second one is exported under that name", () => {
	const components = new Components();
	components.refer(Type.Object({ date: Type.String() }), "SubscriptionPause");
	expect(() => components.refer(SubscriptionPause, "PauseBody")).toThrow("named 'SubscriptionPause'");
});

test("a schema that occurs twice is described once", () => {
	const components = new Components();
	const first = components.refer(SubscriptionPause, "PauseBody");
	expect(components.refer(SubscriptionPause, "OtherBody")).toEqual(first);
	expect(first.$ref).toBe("#/components/schemas/SubscriptionPause");
});
