import type { Work } from "../../../kernel/work";
import { enqueueTask } from "../../../tasks/operations";
import type { TaskState } from "../../../tasks/table";
import { getFeature } from "../../features/operations";
import { usageProgress } from "../operations";
import type { UsageRebuild } from "./schema";

/**
 * Queues the counting anew of what the environment's features have used; answers the task, or the one that waits or runs
 * already. The totals that stand go on answering until it ends. FeatureNotFound.
 */
export const rebuildUsage = (work: Work, { featureId }: UsageRebuild): TaskState =>
	enqueueRebuild(work, featureId === undefined ? null : getFeature(work, featureId).id);

/** The same for all environments, with the index of events by hour, which is one for all. The task belongs to none of them. */
export const rebuildAllUsage = (work: Work): TaskState => enqueueRebuild(work, null);

const enqueueRebuild = (work: Work, featureId: string | null): TaskState =>
	enqueueTask(work, {
		type: "REBUILD_USAGE",
		payload: { featureId },
		dedupeKey: featureId ?? "every feature",
		// Its steps are the events of the log; an empty one is one step.
		totalCount: Math.max(1, usageProgress(work).written),
	});
