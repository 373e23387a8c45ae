import { dryRun } from "../../kernel/dry-run";
import { DomainError, fail } from "../../kernel/errors";
import { type Work, workIn } from "../../kernel/work";
import { environmentsSeenBy } from "../access/environments/operations";
import { assertAllowed } from "../access/rules";
import { systemActor } from "../access/rules.actors";
import { type Applied, applyCatalogue } from "./operations";
import { exportCatalogue } from "./operations.export";
import { diff } from "./rules.diff";
import type { Catalogue } from "./schema";
import type { EnvironmentCompare, EnvironmentMerge } from "./schema.merge";

/**
 * Makes the catalogue of the caller's environment that of another one of the account, whole or not at all. With `dryRun` it is
 * done and taken back, so that what would be refused shows too. A key sees its own environment only, and merges from no
 * other. EnvironmentMissing for an environment that the caller cannot see; MergeEnvironmentValidationError for what
 * cannot be made as it is over there.
 */
export function mergeEnvironment(work: Work, input: EnvironmentMerge): Applied {
	const source = sourceOf(work, input.from);
	assertAllowed(work.actor, { scope: "COUPON:WRITE" });
	const catalogue = exportCatalogue(workIn(work, source));
	const { prune = false, migrationType: migration = "NEW_CUSTOMERS" } = input;
	const merge = () => {
		const { changes, taskIds } = applied(work, () =>
			applyCatalogue(work, { catalogue, at: placeOf }, { prune, migration }),
		);
		// The other environment says everything: what it has nothing of is kept, too.
		const kept = diff(exportCatalogue(work), catalogue, { prune: true }).changes;
		return { changes, taskIds, kept: kept.map(({ list, id, name }) => ({ list, id, name })) };
	};
	return input.dryRun ? { ...dryRun(work, merge), taskIds: [] } : merge();
}

/** What a merge would change, without trying whether it can be. */
export function compareEnvironment(work: Work, { from, prune = false }: EnvironmentCompare): Applied {
	const wanted = exportCatalogue(workIn(work, sourceOf(work, from)));
	const all = diff(readCatalogue(work), wanted, { prune: true }).changes;
	const archived = all.filter(({ action }) => action === "archive");
	return {
		changes: prune ? all : all.filter(({ action }) => action !== "archive"),
		kept: prune ? [] : archived.map(({ list, id, name }) => ({ list, id, name })),
		taskIds: [],
	};
}

/** Whole or not at all: what left coupons out would read as if there were none. They have a scope of their own. */
export function readCatalogue(work: Work): Catalogue {
	assertAllowed(work.actor, { scope: "COUPON:READ" });
	return exportCatalogue(work);
}

function sourceOf(work: Work, idOrName: string) {
	const { accountId, environmentId } = work.actor;
	const withCoupons = new Set(environmentsSeenBy(work, "COUPON:READ").map(({ id }) => id));
	const seen = environmentsSeenBy(work, "CATALOG:READ").filter(({ id }) => withCoupons.has(id));
	const source = seen.find(({ id }) => id === idOrName) ?? seen.find(({ name }) => name === idOrName);
	if (!source)
		throw fail(
			"EnvironmentMissing",
			`There is no environment '${idOrName}' that you can see; a key sees its own only.`,
		);
	if (source.id === environmentId)
		throw fail("MergeEnvironmentValidationError", "An environment cannot be merged into itself; name another one.");
	return systemActor(source.id, accountId);
}

/** Whatever an operation refuses of the other catalogue, in its words. */
function applied(work: Work, merge: () => Applied): Applied {
	try {
		return work.tx.transaction(merge);
	} catch (error) {
		if (error instanceof DomainError) throw fail("MergeEnvironmentValidationError", error.message);
		throw error;
	}
}

const placeOf = ([list, at]: readonly (string | number)[]): string => (at === undefined ? `${list}` : `${list}[${at}]`);
