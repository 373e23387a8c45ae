import { test } from "bun:test";
import { assert, property } from "fast-check";
import { ground } from "../ground";
import { histories } from "./random";
import { compareChain, live } from "./run";

test("a wallet equals the independent calculation after any history, consumed together or one by one", () => {
	const one = ground();
	assert(
		property(histories, (history) => live(one, history)),
		{ numRuns: 60 },
	);
	compareChain(one);
});
