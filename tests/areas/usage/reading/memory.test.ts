import { expect, test } from "bun:test";
import { Memory } from "../../../../src/areas/usage/reading/memory";

test("evicts everything beyond its weight, and never stores a value that is too heavy alone", () => {
	const memory = new Memory<string>(10);
	memory.set("a", "a", 4);
	memory.set("b", "b", 4);
	memory.set("a", "a, grown", 6);
	expect([memory.get("a"), memory.get("b")]).toEqual(["a, grown", "b"]);
	memory.set("c", "c", 1);
	expect([memory.get("a"), memory.get("b"), memory.get("c")]).toEqual([undefined, undefined, "c"]);
	memory.set("d", "d", 11);
	expect([memory.get("c"), memory.get("d")]).toEqual([undefined, undefined]);
	memory.set("e", "e", 10);
	expect(memory.get("e")).toBe("e");
});
