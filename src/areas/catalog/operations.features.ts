import type { Work } from "../../kernel/work";
import {
	archiveFeature,
	assertChangeFitsUse,
	type FeaturesInUse,
	unarchiveFeature,
	updateFeature,
} from "../features/operations";
import type { FeatureUpdate } from "../features/schema";
import type { FeatureRow } from "../features/table";
import { packagesUsing, wasEverUsed } from "../packages/operations.uses";
import { isFeatureInUse } from "../subscriptions/versions/operations.in-use";
import { wasReported } from "../usage/reports/operations";

// Operations on features that depend on their use. They need packages and subscriptions, which depend on `features`, so they are
// here. Catalogue files call them; routes/catalogue.ts and graphql/schema.ts pass them to REST and GraphQL.

/** Changes a feature. Throws CannotUpdateMeterOfFeatureInUse or CannotUpdateUnitTransformationError if its use forbids the change. */
export function changeFeature(work: Work, refId: string, input: FeatureUpdate): FeatureRow {
	assertChangeFitsUse(work, refId, input, { isInUse: isFeatureInUse, wasReported });
	return updateFeature(work, refId, input);
}

/** Archives a feature. Throws CannotArchiveFeatureError while an active plan or addon uses it. */
export const archiveUnusedFeature = (work: Work, refId: string): FeatureRow =>
	archiveFeature(work, refId, packagesUsing);

/** Unarchives a feature: as ACTIVE if it was ever used, else as NEW. */
export const reviveFeature = (work: Work, refId: string): FeatureRow => unarchiveFeature(work, refId, wasEverUsed);

export const featuresInUse: FeaturesInUse = {
	change: changeFeature,
	archive: archiveUnusedFeature,
	unarchive: reviveFeature,
};
