import { toIso } from "../../kernel/clock";
import { viewCommitments } from "../pricing/commitments/rules.spend-commitment";
import { viewThresholds } from "../pricing/rules.spend-thresholds";
import { viewTerm } from "../pricing/rules.terms";
import type { VersionDetails } from "./operations.details";
import { viewPhases } from "./rules.phases";
import type { VersionRow } from "./table";

/**
 * Returns a plan or an addon as the API shows it. `createdAt` belongs to the package, and lists filter by it. `updatedAt` belongs
 * to the version, and caches use it.
 */
export const viewVersion = <Own extends object>(version: VersionRow, details: VersionDetails, own: Own) => ({
	id: version.refId,
	displayName: version.displayName,
	description: version.description,
	productId: details.productRef,
	billingId: version.billingId,
	status: version.status,
	versionNumber: version.versionNumber,
	isLatest: version.isLatest,
	pricingType: version.pricingType,
	...(version.prorationMode && { prorationMode: version.prorationMode }),
	...(version.taxes && { taxes: version.taxes }),
	...(version.billingAnchor && { billingAnchor: version.billingAnchor }),
	...(version.phases && { phases: viewPhases(version.phases) }),
	...(version.term && { term: viewTerm(version.term) }),
	...(version.commitments && { commitments: viewCommitments(version.commitments) }),
	...(version.spendThresholds && { spendThresholds: viewThresholds(version.spendThresholds) }),
	...own,
	entitlements: details.entitlements,
	metadata: version.metadata,
	createdAt: toIso(version.packageCreatedAt),
	updatedAt: toIso(version.updatedAt),
});
