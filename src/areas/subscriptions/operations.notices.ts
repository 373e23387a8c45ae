import type { Work } from "../../kernel/work";
import { trialEndsSoon } from "./events";
import { selectByIds } from "./store";

/** Tells of a trial that ends soon, where it is still one. */
export function tellTrialEndsSoon(work: Work, id: string): void {
	const [row] = selectByIds(work, [id]);
	if (row) trialEndsSoon(work, row);
}
