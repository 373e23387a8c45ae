import type { Work } from "./work";

const rollback = Symbol("rollback");

/**
 * Runs an operation in a savepoint, returns its result, and rolls it back. A preview runs the same code as the operation, so the two cannot
 * differ (docs/decisions/0006-preview-by-rehearsal.md).
 */
export function dryRun<T>(work: Work, body: () => T): T {
	const results: T[] = [];
	try {
		work.tx.transaction(() => {
			results.push(body());
			throw rollback;
		});
	} catch (thrown) {
		if (thrown !== rollback) throw thrown;
	}
	return results[0] as T;
}
