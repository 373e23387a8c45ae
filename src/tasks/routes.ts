import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { assertAllowed } from "../areas/access/rules";
import { identity } from "../http/identity";
import { HttpRefusal } from "../http/refusal";
import { toIso, toIsoOrNull } from "../kernel/clock";
import { literals, nullable, single } from "../kernel/schema";
import type { Work } from "../kernel/work";
import type { Services } from "../services";
import { failuresOf, getTask } from "./operations";
import { errorsShownMax, progressPercent, taskStatuses, taskTypes } from "./rules";
import type { TaskRow } from "./table";

/** Source: choices.md, imports (our addition to the interface). */
const Task = Type.Object({
	id: Type.String(),
	taskType: Type.String(),
	status: literals(...taskStatuses),
	progress: Type.Integer({ minimum: 0, maximum: 100 }),
	createdAt: Type.String(),
	startDate: nullable(Type.String()),
	endDate: nullable(Type.String()),
	totalSubtasksCount: Type.Integer(),
	completedSubtasksCount: Type.Integer(),
	failedSubtasksCount: Type.Integer(),
	importErrors: Type.Array(Type.Object({ id: Type.String(), error: Type.String() }), { maxItems: errorsShownMax }),
});

function viewTask(work: Work, task: TaskRow): Static<typeof Task> {
	const failures = failuresOf(work, task);
	return {
		id: task.id,
		taskType: task.type,
		status: task.status,
		progress: progressPercent(task),
		createdAt: toIso(task.createdAt),
		startDate: toIsoOrNull(task.startedAt),
		endDate: toIsoOrNull(task.endedAt),
		totalSubtasksCount: task.totalCount,
		completedSubtasksCount: task.doneCount,
		failedSubtasksCount: failures.count,
		importErrors: failures.first,
	};
}

export const taskRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1/tasks", tags: ["Tasks"], normalize: false }).use(identity(services)).get(
		"/:taskId",
		({ read, actor, params }) =>
			read((work) => {
				const task = getTask(work, params.taskId);
				// The catalogue has no code for it: tasks are our addition.
				if (!task) throw new HttpRefusal(404, `There is no task '${params.taskId}' in this environment.`);
				assertAllowed(actor, { scope: taskTypes[task.type].scope });
				return { data: viewTask(work, task) };
			}),
		{
			// Any server key may ask; what it may see depends on the task's type.
			permit: {},
			params: Type.Object({ taskId: Type.String({ minLength: 1, maxLength: 255 }) }),
			response: single(Task),
		},
	);
