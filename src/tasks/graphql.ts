import { type GraphqlArea, textOf } from "../graphql/area";
import { derive } from "../graphql/derive/types";
import { taskStatuses } from "./rules";
import { Task } from "./schema";
import { readTask } from "./view";

const typeDefs = derive(
	{ Task },
	`
	enum TaskStatus { ${taskStatuses.join(" ")} }
	"Work that goes on by itself: an import, a migration, a simulation, a drawing."
	type Task from Task {
		id taskType status as TaskStatus
		"In percent." progress
		*
		"The first ones." importErrors as TaskError { id! error }
	}
`,
);

export const tasksGraphql: GraphqlArea = {
	typeDefs,
	queries: {
		task: {
			signature: "(taskId: String!): Task",
			resolve: (args, { work }) => readTask(work, textOf(args, "taskId") ?? ""),
		},
	},
};
