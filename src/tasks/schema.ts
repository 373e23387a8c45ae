import { type Static, Type } from "@sinclair/typebox";
import { literals, nullable } from "../kernel/schema";
import { errorsShownMax, taskStatuses } from "./rules";

/** Our addition to the interface, which only hands out task ids. */
export const Task = Type.Object({
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
export type Task = Static<typeof Task>;
