import type { Work } from "../../kernel/work";
import { writeEvent } from "../outbox/operations";
import type { FeatureRow } from "./table";

export const emitFeatureEvent = (work: Work, type: "feature.created" | "feature.updated", row: FeatureRow): void =>
	writeEvent(work, type, row.id, {
		id: row.refId,
		entityId: row.id,
		name: row.displayName,
		description: row.description,
		featureType: row.featureType,
		meterType: row.meterType,
		status: row.status,
		metadata: row.metadata,
	});
