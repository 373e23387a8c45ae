import type { Work } from "../../kernel/work";
import { kindName } from "./rules";
import { type CatalogueUse, selectActiveUsing, selectAllUsing, selectBasedOn } from "./store.uses";
import type { VersionRow } from "./table";

/** Our choice: who uses a thing more than a thousand times need not see every one of them. */
const usersMax = 1000;

/** A package that uses something of the catalogue; `title` is what a message calls it: "the plan 'pro'". */
export interface PackageUse extends Pick<VersionRow, "packageId" | "kind" | "refId" | "displayName"> {
	readonly title: string;
}

/**
 * The plans and addons that grant or price a feature or a currency (row ids) in what is published or drafted: each once, in
 * its published version where both do. Former versions, which running subscriptions may still hold, do not count.
 */
export function packagesUsing(work: Work, use: CatalogueUse): PackageUse[] {
	const users = new Map<string, PackageUse>();
	// A published version has a lower id than its draft.
	for (const { packageId, kind, refId, displayName } of selectActiveUsing(work, use, usersMax))
		if (!users.has(packageId))
			users.set(packageId, { packageId, kind, refId, displayName, title: `the ${kindName[kind]} '${refId}'` });
	return [...users.values()];
}

/** Whether any version of any package, also a former one, grants or prices the feature (its row id). */
export const wasEverUsed = (work: Work, featureId: string): boolean => selectAllUsing(work, { featureId }).length > 0;

/** The row ids of every version that grants or prices the feature, itself or by a base plan. */
export function versionsRelyingOn(work: Work, featureId: string): string[] {
	const versionIds = new Set<string>();
	const bases = new Set<string>();
	let found = selectAllUsing(work, { featureId });
	while (found.length > 0) {
		const added = found.filter(({ id }) => !versionIds.has(id));
		for (const { id } of added) versionIds.add(id);
		// Only the latest version of a base is inherited.
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
