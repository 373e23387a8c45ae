import { operation } from "../../../openapi/operation";

export const rebuildOperations = {
	rebuild: operation({
		operationId: "usage.rebuild",
		summary: "Count usage anew from the events",
		description:
			"For one feature, or for every one of the environment. What was counted goes on answering until all is counted anew, and then gives way at once. `GET /tasks/{taskId}` tells how far it is. While such a task waits or runs, asking again answers that one.",
		example: { featureId: "feature-api-calls" },
		refusals: ["FeatureNotFound"],
	}),
};
