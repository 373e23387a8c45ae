import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { assertAllowed } from "../areas/access/rules";
import { identity } from "../http/identity";
import { HttpRefusal } from "../http/refusal";
import { toIso, toIsoOrNull } from "../kernel/clock";
import { single } from "../kernel/schema";
import type { Work } from "../kernel/work";
import type { Services } from "../services";
import { taskOperations as operations } from "./openapi";
import { failuresOf, getTask } from "./operations";
import { progressPercent, taskTypes } from "./rules";
import { Task } from "./schema";
import type { TaskState } from "./table";

function viewTask(work: Work, task: TaskState): Task {
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
			detail: operations.retrieve,
			// Any server key may ask; what it may see depends on the task's type.
			permit: {},
			params: Type.Object({ taskId: Type.String({ minLength: 1, maxLength: 255 }) }),
			response: single(Task),
		},
	);
