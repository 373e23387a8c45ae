import { expect, test } from "bun:test";
import { applyAnswer } from "../../../../src/areas/collection/attempts/rules.apply";
import {
	type AttemptState,
	attemptStates,
	attemptTransitions,
	isFinal,
} from "../../../../src/areas/collection/attempts/rules.states";
import { answered, attemptIn } from "./attempts";

const reported = ["PROCESSING", "REQUIRES_ACTION", "SUCCEEDED", "FAILED", "CANCELED"] as const;

/** The design's table, written again by hand: the states that a provider's statement leads to from each state. */
const expected: Readonly<Record<AttemptState, readonly (typeof reported)[number][]>> = {
	PLANNED: reported,
	CREATED: reported,
	CONFIRMING: reported,
	UNKNOWN: reported,
	REQUIRES_ACTION: ["PROCESSING", "SUCCEEDED", "FAILED", "CANCELED"],
	PROCESSING: ["SUCCEEDED", "FAILED", "CANCELED"],
	CANCELED: ["SUCCEEDED", "FAILED"],
	FAILED: ["SUCCEEDED"],
	SUCCEEDED: [],
};

for (const from of attemptStates)
	for (const to of reported)
		test(`${from}, and the provider says ${to}: ${expected[from].includes(to) ? to : `still ${from}`}`, () => {
			const { state } = applyAnswer(attemptIn(from), answered(to));
			expect(state).toBe(expected[from].includes(to) ? to : from);
			if (state !== from) expect(attemptTransitions[from]).toContain(state);
		});

test("SUCCEEDED, FAILED and CANCELED are final, UNKNOWN is not", () => {
	expect(attemptStates.filter(isFinal)).toEqual(["CANCELED", "FAILED", "SUCCEEDED"]);
});

test("no state follows itself, and no attempt goes back", () => {
	for (const from of attemptStates)
		for (const to of attemptTransitions[from]) expect(attemptTransitions[to]).not.toContain(from);
});

test("an unconfirmed object makes a planned attempt CREATED, and a confirmation that did not arrive is sent again", () => {
	expect(applyAnswer(attemptIn("PLANNED"), answered("UNCONFIRMED"))).toMatchObject({ state: "CREATED", ref: "pi_1" });
	const unanswered = { ...attemptIn("CONFIRMING"), pending: "CONFIRM" as const };
	expect(applyAnswer(unanswered, answered("UNCONFIRMED"))).toMatchObject({ state: "CONFIRMING", pending: null });
	for (const state of ["REQUIRES_ACTION", "PROCESSING", "SUCCEEDED", "FAILED", "CANCELED", "UNKNOWN"] as const)
		expect(applyAnswer(attemptIn(state), answered("UNCONFIRMED")).state).toBe(state);
});

/** All orders of up to six statements. */
function* permutations<T>(items: readonly T[]): Generator<readonly T[]> {
	if (items.length <= 1) yield items;
	for (const [at, item] of items.entries())
		for (const rest of permutations(items.toSpliced(at, 1))) yield [item, ...rest];
}

const histories = [
	["UNCONFIRMED", "REQUIRES_ACTION", "PROCESSING", "SUCCEEDED"],
	["UNCONFIRMED", "REQUIRES_ACTION", "PROCESSING", "PROCESSING", "FAILED", "FAILED"],
	["UNCONFIRMED", "UNCONFIRMED", "REQUIRES_ACTION", "REQUIRES_ACTION", "CANCELED", "CANCELED"],
	["UNCONFIRMED", "REQUIRES_ACTION", "PROCESSING", "FAILED", "CANCELED", "SUCCEEDED"],
	["PROCESSING", "PROCESSING", "SUCCEEDED", "SUCCEEDED", "SUCCEEDED", "UNCONFIRMED"],
] as const;

for (const history of histories)
	test(`every order of ${history.join(", ")} ends in the same attempt`, () => {
		for (const from of ["CREATED", "CONFIRMING", "UNKNOWN"] as const) {
			const ends = new Set<string>();
			for (const order of permutations(history)) {
				const end = order.reduce((attempt, state) => applyAnswer(attempt, answered(state)), attemptIn(from));
				ends.add(JSON.stringify(end));
			}
			expect([...ends]).toHaveLength(1);
		}
	});

test("the received amount never falls", () => {
	const paid = applyAnswer(attemptIn("CONFIRMING"), answered("SUCCEEDED"));
	expect(applyAnswer(paid, answered("PROCESSING"))).toEqual(paid);
	expect(String(paid.received)).toBe("20");
});
