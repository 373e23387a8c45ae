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

// Features come before packages and subscriptions. What depends on whether a feature is used stands above the three, here,
// and every way in goes through it: a catalogue file calls it, REST and GraphQL are handed it (app.ts, graphql/schema.ts).

/** Changes a feature, as far as its use allows: CannotUpdateMeterOfFeatureInUse, CannotUpdateUnitTransformationError. */
export function changeFeature(work: Work, refId: string, input: FeatureUpdate): FeatureRow {
	assertChangeFitsUse(work, refId, input, { isInUse: isFeatureInUse, wasReported });
	return updateFeature(work, refId, input);
}

/** CannotArchiveFeatureError while an active plan or addon uses it. */
export const archiveUnusedFeature = (work: Work, refId: string): FeatureRow =>
	archiveFeature(work, refId, packagesUsing);

/** Brings an archived feature back as NEW or ACTIVE, by whether it was ever used. */
export const reviveFeature = (work: Work, refId: string): FeatureRow => unarchiveFeature(work, refId, wasEverUsed);

export const featuresInUse: FeaturesInUse = {
	change: changeFeature,
	archive: archiveUnusedFeature,
	unarchive: reviveFeature,
};
