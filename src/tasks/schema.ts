import { type Static, Type } from "@sinclair/typebox";
import { pageQuery } from "../kernel/page";
import { queryList } from "../kernel/query";
import { literals, nullable } from "../kernel/schema";
import { errorsShownMax, taskStatuses } from "./rules";

const view = {
	id: Type.String(),
	taskType: Type.String(),
	status: literals(...taskStatuses),
	progress: Type.Integer({ minimum: 0, maximum: 100 }),
	createdAt: Type.String(),
	startDate: nullable(Type.String()),
	endDate: nullable(Type.String()),
	totalSubtasksCount: Type.Integer(),
	completedSubtasksCount: Type.Integer(),
};

/** Our addition to the interface, which only returns task ids. */
export const Task = Type.Object({
	...view,
	failedSubtasksCount: Type.Integer(),
	importErrors: Type.Array(Type.Object({ id: Type.String(), error: Type.String() }), { maxItems: errorsShownMax }),
});
export type Task = Static<typeof Task>;

/** A task in a list, without its errors. */
export const ListedTask = Type.Object(view);
export type ListedTask = Static<typeof ListedTask>;

/** Our addition to the interface. */
export const TaskListQuery = Type.Object(
	{ ...pageQuery, status: Type.Optional(queryList(...taskStatuses)) },
	{ additionalProperties: false },
);
export type TaskListQuery = Static<typeof TaskListQuery>;
