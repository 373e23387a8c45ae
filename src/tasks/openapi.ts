import { operation } from "../openapi/operation";

export const taskOperations = {
	list: operation({
		operationId: "tasks.list",
		summary: "List what goes on in the background",
		description: "Newest first, of the types that the key may read. `GET` of a task returns its errors.",
		query: { status: "Only tasks in these states" },
	}),
	retrieve: operation({
		operationId: "tasks.retrieve",
		summary: "Show how far a task has come",
		description:
			"Imports, migrations, simulations and renders go on in the background. The key needs the scope of what the task is about.",
		path: { taskId: ["The `taskId` that the call which began it answered", "0198c1a2-7d3e-7c4b-9a51-3f0e6d2b8c70"] },
		uncoded: { 404: "There is no such task in this environment." },
	}),
};
