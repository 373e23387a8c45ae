import { checkingFingerprints } from "../../../src/areas/usage/log/operations.check";
import { recounting } from "../../../src/areas/usage/recount/operations";
import type { Awaiting } from "../../../src/kernel/storage/failures";

/**
 * Returns the differences that `check` finds in totals, for a log without files in a storage. `scratch` is an empty
 * folder.
 */
export const recountUsage = (folder: string, scratch: string): string[] => carriedOut(recounting(folder, scratch));

/** Returns the differences that `check` finds in fingerprints, for a log without files in a storage. */
export const checkFingerprints = (folder: string): string[] => carriedOut(checkingFingerprints(folder));

function carriedOut<T>(work: Awaiting<T>): T {
	const { done, value } = work.next();
	if (done) return value;
	throw value;
}
