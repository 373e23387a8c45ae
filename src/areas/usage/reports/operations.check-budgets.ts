import type { Work } from "../../../kernel/work";
import { selectMiscounted } from "./store.budgets";

/** Compares the usage that budgets of features counted with its reports. Returns the first difference. */
export function* checkCountedReports(work: Work): Generator<string> {
	const wrong = selectMiscounted(work);
	if (wrong)
		yield `budgets counted ${wrong.amount} for report ${wrong.sourceId}, which ${wrong.delta === null ? "does not exist" : `states ${wrong.delta}`}; restore a backup`;
}
