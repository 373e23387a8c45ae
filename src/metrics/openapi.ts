import { operation } from "../openapi/operation";

export const statusOperations = {
	system: operation({
		operationId: "system.status",
		summary: "Show the state of the installation",
		description:
			"All environments together. `conditions` compares figures with the thresholds of the alerts; those that are `BAD` say what to do. `lastHour` and `lastDay` need `TOLLGATE_METRICS_PORT`: without it, nothing is measured and they are null. They count from `measuredSince`, and survive a restart. Percentiles are upper bounds, in milliseconds.",
	}),
};
