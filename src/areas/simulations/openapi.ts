import { operation } from "../../openapi/operation";

export const simulationOperations = {
	simulate: operation({
		operationId: "plans.simulate",
		summary: "Simulate the past price of a version",
		description:
			"Rates last period's subscriptions and usage on a draft before it is published. Nothing is saved. The task runs in the background; `GET /plans/{id}/simulations/{taskId}` returns its result.",
		path: { id: ["The plan's id", "plan-pro"] },
		example: { versionNumber: 1 },
		refusals: ["PlanNotFound"],
	}),
	retrieve: operation({
		operationId: "plans.retrieveSimulation",
		summary: "Show a simulation",
		path: {
			id: ["The plan's id", "plan-pro"],
			taskId: ["What `POST /plans/{id}/simulate` answered", "0198c1a2-7d3e-7c4b-9a51-3f0e6d2b8c70"],
		},
		refusals: ["PlanNotFound"],
		uncoded: { 404: "The plan has no such simulation." },
	}),
};
