import type { Work } from "../../kernel/work";
import { kindName } from "./rules";
import { type CatalogueUse, selectActiveUsing, selectAllUsing, selectBasedOn } from "./store.uses";
import type { VersionRow } from "./table";

/** The maximum number of listed packages. */
const usersMax = 1000;

/** A package that uses a part of the catalogue. `title` names it in messages: "the plan 'pro'". */
export interface PackageUse extends Pick<VersionRow, "packageId" | "kind" | "refId" | "displayName"> {
	readonly title: string;
}

/**
 * Returns each package whose published version or draft uses it; prefers the published version. Ignores former versions, even if
 * subscriptions still use them.
 */
export function packagesUsing(work: Work, use: CatalogueUse): PackageUse[] {
	const users = new Map<string, PackageUse>();
	// A published version has a lower id than its draft.
	for (const { packageId, kind, refId, displayName } of selectActiveUsing(work, use, usersMax))
		if (!users.has(packageId))
			users.set(packageId, { packageId, kind, refId, displayName, title: `the ${kindName[kind]} '${refId}'` });
	return [...users.values()];
}

/** Whether any version of any package, former ones included, grants or prices the feature (a row id). */
export const wasEverUsed = (work: Work, featureId: string): boolean => selectAllUsing(work, { featureId }).length > 0;

/** Returns the row ids of all versions that grant or price the feature, directly or through a base plan. */
export function versionsRelyingOn(work: Work, featureId: string): string[] {
	const versionIds = new Set<string>();
	const bases = new Set<string>();
	let found = selectAllUsing(work, { featureId });
	while (found.length > 0) {
		const added = found.filter(({ id }) => !versionIds.has(id));
		for (const { id } of added) versionIds.add(id);
		// A plan inherits only from the latest version of its base.
		const newBases = added.filter(({ isLatest, packageId }) => isLatest && !bases.has(packageId));
		for (const { packageId } of newBases) bases.add(packageId);
		found =
			newBases.length === 0
				? []
				: selectBasedOn(
						work,
						newBases.map(({ packageId }) => packageId),
					);
	}
	return [...versionIds];
}
