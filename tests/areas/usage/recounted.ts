import { checkingFingerprints } from "../../../src/areas/usage/log/operations.check";
import { recounting } from "../../../src/areas/usage/recount/operations";
import type { Awaiting } from "../../../src/kernel/storage/failures";

/** What `check` finds in totals, where all of the log is here. `scratch` is an empty folder. */
export const recountUsage = (folder: string, scratch: string): string[] => carriedOut(recounting(folder, scratch));

/** What `check` finds in fingerprints, where all of the log is here. */
export const checkFingerprints = (folder: string): string[] => carriedOut(checkingFingerprints(folder));

function carriedOut<T>(work: Awaiting<T>): T {
	const { done, value } = work.next();
	if (done) return value;
	throw value;
}
