import { assertAllowed } from "../areas/access/rules";
import { HttpRefusal } from "../http/refusal";
import { toIso, toIsoOrNull } from "../kernel/clock";
import type { Work } from "../kernel/work";
import { failuresOf, getTask } from "./operations";
import { progressPercent, taskTypes } from "./rules";
import type { ListedTask, Task } from "./schema";
import type { TaskState } from "./table";

/** Returns a task that the caller may read, by its type. 404 for an unknown one: tasks are our addition, so the catalogue has no code. */
export function readTask(work: Work, id: string): Task {
	const task = getTask(work, id);
	if (!task) throw new HttpRefusal(404, `There is no task '${id}' in this environment.`);
	assertAllowed(work.actor, { scope: taskTypes[task.type].scope });
	return viewTask(work, task);
}

function viewTask(work: Work, task: TaskState): Task {
	const failures = failuresOf(work, task);
	return { ...viewListedTask(task), failedSubtasksCount: failures.count, importErrors: failures.first };
}

export function viewListedTask(task: TaskState): ListedTask {
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
	};
}
