import type { Work } from "../../kernel/work";
import { packagesUsing, wasEverUsed } from "../packages/operations.uses";
import { isFeatureInUse } from "../subscriptions/versions/operations.in-use";
import { archiveFeature, assertChangeFitsUse, unarchiveFeature, updateFeature } from "./operations";
import type { FeatureUpdate } from "./schema";
import type { FeatureRow } from "./table";

// Features come before packages and subscriptions. What depends on whether a feature is used stands above the three, here,
// and every way in (REST, GraphQL, a catalogue file) goes through it.

/** Changes a feature, as far as its use allows: CannotUpdateMeterOfFeatureInUse, CannotUpdateUnitTransformationError. */
export function changeFeature(work: Work, refId: string, input: FeatureUpdate): FeatureRow {
	assertChangeFitsUse(work, refId, input, isFeatureInUse);
	return updateFeature(work, refId, input);
}

/** CannotArchiveFeatureError while an active plan or addon uses it. */
export const archiveUnusedFeature = (work: Work, refId: string): FeatureRow =>
	archiveFeature(work, refId, packagesUsing);

/** Brings an archived feature back as NEW or ACTIVE, by whether it was ever used. */
export const reviveFeature = (work: Work, refId: string): FeatureRow => unarchiveFeature(work, refId, wasEverUsed);
