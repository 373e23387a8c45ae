import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { identity } from "../http/identity";
import { viewPage } from "../kernel/page";
import { listOf, single } from "../kernel/schema";
import type { Services } from "../server/context";
import { taskOperations as operations } from "./openapi";
import { listTasks } from "./operations";
import { ListedTask, Task, TaskListQuery } from "./schema";
import { readTask, viewListedTask } from "./view";

export const taskRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1/tasks", tags: ["Tasks"], normalize: false })
		.use(identity(services))
		.get("", ({ read, query }) => read((work) => viewPage(listTasks(work, query), viewListedTask)), {
			detail: operations.list,
			permit: {},
			query: TaskListQuery,
			response: listOf(ListedTask),
		})
		.get("/:taskId", ({ read, params }) => read((work) => ({ data: readTask(work, params.taskId) })), {
			detail: operations.retrieve,
			// Any server key may call; the readable tasks depend on the task's type.
			permit: {},
			params: Type.Object({ taskId: Type.String({ minLength: 1, maxLength: 255 }) }),
			response: single(Task),
		});
