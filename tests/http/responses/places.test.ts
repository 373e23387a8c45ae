import { describe, expect, test } from "bun:test";
import { HttpRefusal } from "../../../src/http/refusal";
import { Places } from "../../../src/http/responses/places";
import { OpenStreams } from "../../../src/http/responses/streams";

const key = (id: string, environmentId = "one") => ({ environmentId, id });

describe("places", () => {
	test("refuses a caller that has its number, and takes others of its environment", () => {
		const places = new Places("streams", { thread: 9, environment: 9, caller: 2 });
		const release = places.takeFor(key("a"));
		places.takeFor(key("a"));
		expect(() => places.takeFor(key("a"))).toThrow("The caller 'a' has 2 streams open");
		places.takeFor(key("b"));
		places.takeFor(key("a", "other"));
		release();
		release();
		places.takeFor(key("a"));
		expect(() => places.takeFor(key("a"))).toThrow("The caller 'a' has 2 streams open");
	});

	test("refuses an environment that has its number, and takes other environments", () => {
		const places = new Places("streams", { thread: 9, environment: 2, caller: 2 });
		places.takeFor(key("a"));
		const release = places.takeFor(key("b"));
		expect(() => places.takeFor(key("c"))).toThrow("This environment has 2 streams open");
		places.takeFor(key("c", "other"));
		release();
		places.takeFor(key("c"));
	});

	test("refuses everybody when the thread has its number", () => {
		const places = new Places("streams", { thread: 1, environment: 9, caller: 9 });
		const release = places.take();
		expect(() => places.take()).toThrow(HttpRefusal);
		release();
		places.take();
	});
});

test("one key and one environment leave streams and WebSockets to others", () => {
	const streams = new OpenStreams();
	const open = (environmentId: string, id: string): number => {
		for (let count = 0; ; count += 1)
			try {
				streams.add(key(id, environmentId), () => {});
			} catch {
				return count;
			}
	};
	expect([open("one", "a"), open("one", "b"), open("one", "c"), open("other", "a")]).toEqual([200, 100, 0, 200]);
});
