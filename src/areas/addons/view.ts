import { toIso } from "../../kernel/clock";
import type { VersionDetails } from "../packages/operations.details";
import type { VersionRow } from "../packages/table";
import type { Addon } from "./schema";

/** `createdAt` is the addon's, `updatedAt` the version's: a list filters by the one, a cache looks at the other. */
export const viewAddon = (version: VersionRow, details: VersionDetails): Addon => ({
	id: version.refId,
	displayName: version.displayName,
	description: version.description,
	productId: details.productRef,
	billingId: version.billingId,
	status: version.status,
	versionNumber: version.versionNumber,
	isLatest: version.isLatest,
	pricingType: version.pricingType,
	dependencies: version.dependencyRefs,
	maxQuantity: version.maxQuantity,
	entitlements: details.entitlements,
	metadata: version.metadata,
	createdAt: toIso(version.packageCreatedAt),
	updatedAt: toIso(version.updatedAt),
});
