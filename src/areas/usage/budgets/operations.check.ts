import type { Work } from "../../../kernel/work";
import { recountEntries } from "./recount";

/**
 * Counts the events that budgets of the environment counted again, along the log. Returns the first difference. `isErased` selects customers
 * (row ids) whose events were erased.
 */
export function* checkCountedEvents(work: Work, isErased: (customerId: string) => boolean): Generator<string> {
	const wrong = recountEntries(work, isErased).next().value;
	if (wrong)
		yield `budgets counted ${wrong.entry.amount} for events ${wrong.count.after + 1} to ${wrong.count.upTo} of the log (entry ${wrong.count.entry}), expected ${wrong.expected}; run \`tollgate usage rebuild\``;
}
