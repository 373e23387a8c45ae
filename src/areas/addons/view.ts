import type { VersionDetails } from "../packages/operations.details";
import type { VersionRow } from "../packages/table";
import { viewVersion } from "../packages/view.version";
import type { Addon } from "./schema";

export const viewAddon = (version: VersionRow, details: VersionDetails): Addon =>
	viewVersion(version, details, {
		dependencies: version.dependencyRefs,
		maxQuantity: version.maxQuantity,
	});
