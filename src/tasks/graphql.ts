import { type GraphqlArea, textOf } from "../graphql/area";
import { Task } from "./schema";
import { readTask } from "./view";

const schemas = { Task };

const typeDefs = `
	enum TaskStatus from Task.status
	"Work that goes on by itself: an import, a migration, a simulation, a drawing."
	type Task from Task {
		id taskType status
		"In percent." progress
		*
		"The first ones." importErrors as TaskError { id! * }
	}
`;

export const tasksGraphql: GraphqlArea = {
	schemas,
	typeDefs,
	queries: {
		task: {
			signature: "(taskId: String!): Task",
			resolve: (args, { work }) => readTask(work, textOf(args, "taskId") ?? ""),
		},
	},
};
