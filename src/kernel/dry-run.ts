import type { Work } from "./work";

const takenBack = Symbol("taken back");

/**
 * Does something in a savepoint, keeps what came of it, and takes the doing back. So what is previewed is what would be done,
 * by the very same code, and cannot differ from it (docs/decisions/0006-preview-by-rehearsal.md).
 */
export function dryRun<T>(work: Work, body: () => T): T {
	const results: T[] = [];
	try {
		work.tx.transaction(() => {
			results.push(body());
			throw takenBack;
		});
	} catch (thrown) {
		if (thrown !== takenBack) throw thrown;
	}
	return results[0] as T;
}
