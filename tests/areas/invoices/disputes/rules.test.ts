import { expect, test } from "bun:test";
import { assertMayMove, holdsMoney, takesMoney } from "../../../../src/areas/invoices/disputes/rules";
import { type DisputeState, disputeStates, nextDisputeStates } from "../../../../src/areas/invoices/disputes/schema";

/** The table of money-and-books.md, section 3, with the states that a bank can skip. */
const allowed = new Set([
	...["INQUIRY NEEDS_RESPONSE", "INQUIRY UNDER_REVIEW", "INQUIRY WON", "INQUIRY LOST", "INQUIRY ACCEPTED"],
	...["INQUIRY CLOSED", "NEEDS_RESPONSE UNDER_REVIEW", "NEEDS_RESPONSE WON", "NEEDS_RESPONSE LOST"],
	...["NEEDS_RESPONSE ACCEPTED", "UNDER_REVIEW WON", "UNDER_REVIEW LOST", "UNDER_REVIEW ACCEPTED"],
]);

test("a dispute moves by the table of states: all pairs", () => {
	for (const from of disputeStates)
		for (const to of disputeStates) {
			const move = () => assertMayMove({ id: "d-1", state: from }, to);
			if (allowed.has(`${from} ${to}`)) expect(move).not.toThrow();
			else expect(move).toThrow("The dispute 'd-1'");
		}
});

test("no state comes back, so each history ends", () => {
	const reach = (state: DisputeState): DisputeState[] =>
		nextDisputeStates[state].flatMap((one) => [one, ...reach(one)]);
	for (const state of disputeStates) expect(reach(state)).not.toContain(state);
});

test("the bank has the money while it decides, and keeps it of a lost dispute", () => {
	expect(disputeStates.filter((state) => holdsMoney({ state }))).toEqual(["NEEDS_RESPONSE", "UNDER_REVIEW"]);
	expect(disputeStates.filter((state) => takesMoney({ state }))).toEqual(["LOST", "ACCEPTED"]);
});
