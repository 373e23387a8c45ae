import { operation } from "../../../openapi/operation";

export const rebuildOperations = {
	rebuild: operation({
		operationId: "usage.rebuild",
		summary: "Rebuild usage from the events",
		description:
			"Counts the usage of one feature, or of every feature of the environment, again from the log of events. The present totals answer until the rebuild is complete, and are then replaced at once. `GET /tasks/{taskId}` shows the progress. While such a task waits or runs, another request returns the same task.",
		example: { featureId: "feature-api-calls" },
		refusals: ["FeatureNotFound"],
	}),
};
