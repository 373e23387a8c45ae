import { assert } from "../../kernel/errors";
import type { Work } from "../../kernel/work";
import { defaultCurrencyOf } from "../access/operations";
import { applyEntries, archiveEntries, type Migration } from "./apply";
import { exportCatalogue } from "./operations.export";
import { canonical, inCurrencies } from "./rules.canonical";
import { assertCatalogue } from "./rules.check";
import { type Difference, diff } from "./rules.diff";
import type { CatalogueFile } from "./rules.file";
import { assertPossible } from "./rules.possible";

export interface ApplyOptions {
	/** Archives what the environment has and the file has not. */
	readonly prune: boolean;
	/** Whom a new version of a plan or an addon is for. */
	readonly migration: Migration;
}

export interface Applied extends Difference {
	/** The tasks that move subscriptions to new versions. */
	readonly taskIds: readonly string[];
}

/**
 * Makes the environment's catalogue what the file says, through the areas' own operations, in the transaction of `work`:
 * whole or not at all. What is as it should be is not touched, so a second time changes nothing. Throws what the operations
 * throw, with the place in the file; BadUserInput for what no operation can change.
 */
export function applyCatalogue(work: Work, written: CatalogueFile, { prune, migration }: ApplyOptions): Applied {
	const file = { ...written, catalogue: inCurrencies(written.catalogue, defaultCurrencyOf(work)) };
	assertCatalogue(file.catalogue, file.at);
	const wanted = canonical(file.catalogue);
	const current = exportCatalogue(work);
	const difference = diff(current, wanted, { prune });
	for (const change of difference.changes) assertPossible(change);
	const taskIds = applyEntries(work, file, difference.changes, migration);
	archiveEntries(work, current, difference.changes);
	const [left] = diff(exportCatalogue(work), wanted, { prune }).changes;
	assert(!left, `nothing is left to change once a file is applied, but ${JSON.stringify(left)}`);
	return { ...difference, taskIds };
}
