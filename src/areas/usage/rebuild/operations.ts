import type { Work } from "../../../kernel/work";
import { enqueueTask } from "../../../tasks/operations";
import type { TaskState } from "../../../tasks/table";
import { getFeature } from "../../features/operations";
import { usageProgress } from "../operations";
import type { UsageRebuild } from "./schema";

/**
 * Queues a rebuild of the usage of the environment's features; returns the task, or the one that waits or runs already.
 * The present totals answer until it ends. Throws FeatureNotFound.
 */
export const rebuildUsage = (work: Work, { featureId }: UsageRebuild): TaskState =>
	enqueueRebuild(work, featureId === undefined ? null : getFeature(work, featureId).id);

/**
 * Queues a rebuild for all environments, with the index of events by hour, which they share. The task belongs to no
 * environment.
 */
export const rebuildAllUsage = (work: Work): TaskState => enqueueRebuild(work, null);

const enqueueRebuild = (work: Work, featureId: string | null): TaskState =>
	enqueueTask(work, {
		type: "REBUILD_USAGE",
		payload: { featureId },
		dedupeKey: featureId ?? "every feature",
		// The steps are the events of the log; an empty log has one step.
		totalCount: Math.max(1, usageProgress(work).written),
	});
