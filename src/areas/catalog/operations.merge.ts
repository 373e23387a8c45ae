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
 * Applies the catalogue of another environment of the account to the caller's, as a whole or not at all. `dryRun` runs the real
 * operation and rolls it back, so that its errors show. A key sees only its own environment, so it cannot merge. Throws
 * EnvironmentMissing for an environment that the caller cannot see; MergeEnvironmentValidationError for changes that are not
 * possible.
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
		// The other catalogue is complete, so entries missing there are reported as kept.
		const kept = diff(exportCatalogue(work), catalogue, { prune: true }).changes;
		return { changes, taskIds, kept: kept.map(({ list, id, name }) => ({ list, id, name })) };
	};
	return input.dryRun ? { ...dryRun(work, merge), taskIds: [] } : merge();
}

/** Returns the changes that a merge would make, without checking that they are possible. */
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

/** Returns the whole catalogue. Requires the scope of coupons too, because a catalogue without them would look as if there were none. */
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

/** Rethrows the errors of operations as MergeEnvironmentValidationError, with the same message. */
function applied(work: Work, merge: () => Applied): Applied {
	try {
		return work.tx.transaction(merge);
	} catch (error) {
		if (error instanceof DomainError) throw fail("MergeEnvironmentValidationError", error.message);
		throw error;
	}
}

const placeOf = ([list, at]: readonly (string | number)[]): string => (at === undefined ? `${list}` : `${list}[${at}]`);
