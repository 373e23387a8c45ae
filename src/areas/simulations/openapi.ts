import { operation } from "../../openapi/operation";

export const simulationOperations = {
	simulate: operation({
		operationId: "plans.simulate",
		summary: "Reckon what a version would have cost",
		description:
			"Rates last period's real subscriptions and usage under a draft, before it is published. Nothing is changed. The task goes on in the background; show its result with `GET /plans/{id}/simulations/{taskId}`.",
		path: { id: ["The plan's id", "plan-pro"] },
		example: { versionNumber: 1 },
		refusals: ["PlanNotFound"],
	}),
	retrieve: operation({
		operationId: "plans.retrieveSimulation",
		summary: "Show what a version would have cost",
		path: {
			id: ["The plan's id", "plan-pro"],
			taskId: ["What `POST /plans/{id}/simulate` answered", "0198c1a2-7d3e-7c4b-9a51-3f0e6d2b8c70"],
		},
		refusals: ["PlanNotFound"],
		uncoded: { 404: "The plan has no such simulation." },
	}),
};
