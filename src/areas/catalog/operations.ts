import { assert } from "../../kernel/errors";
import type { Work } from "../../kernel/work";
import { defaultCurrencyOf } from "../access/operations";
import { applyEntries, archiveEntries, type Migration } from "./apply";
import { exportCatalogue } from "./operations.export";
import { canonical, inCurrencies } from "./rules.canonical";
import { assertCatalogue } from "./rules.check";
import { type Difference, diff } from "./rules.diff";
import type { CatalogueFile } from "./rules.file";
import { assertPossible } from "./rules.unchangeable";

export interface ApplyOptions {
	/** Archives the entries of the environment that are not in the file. */
	readonly prune: boolean;
	/** The customers for whom new versions of plans and addons are published. */
	readonly migration: Migration;
}

export interface Applied extends Difference {
	/** The tasks that move subscriptions to new versions. */
	readonly taskIds: readonly string[];
}

/**
 * Applies the file to the environment's catalogue through the operations of the areas, in the transaction of `work`: as a whole or
 * not at all. Leaves equal entries unchanged, so a second apply changes nothing. Throws the errors of the operations with the place
 * in the file, and BadUserInput for changes that no operation can make.
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
