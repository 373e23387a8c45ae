import { test } from "bun:test";
import { assert, property } from "fast-check";
import { ground } from "../ground";
import { histories } from "./random";
import { compareChain, live } from "./run";

test("whatever happens to a wallet, it is what the oracle says, drawn at once or one by one", () => {
	const one = ground();
	assert(
		property(histories, (history) => live(one, history)),
		{ numRuns: 60 },
	);
	compareChain(one);
});
