import type { Work } from "../../kernel/work";
import { writeTrialEndsSoon } from "./events";
import { selectByIds } from "./store";

/** Writes the event of a trial that ends soon, if it is still a trial. */
export function emitTrialEndsSoon(work: Work, id: string): void {
	const [row] = selectByIds(work, [id]);
	if (row) writeTrialEndsSoon(work, row);
}
