import { type GraphqlArea, textOf } from "../graphql/area";
import { taskStatuses } from "./rules";
import { readTask } from "./view";

const typeDefs = `
	enum TaskStatus { ${taskStatuses.join(" ")} }
	type TaskError { id: String! error: String! }
	"Work that goes on by itself: an import, a migration, a simulation, a drawing."
	type Task {
		id: ID!
		taskType: String!
		status: TaskStatus!
		"In percent."
		progress: Int!
		createdAt: DateTime!
		startDate: DateTime
		endDate: DateTime
		totalSubtasksCount: Int!
		completedSubtasksCount: Int!
		failedSubtasksCount: Int!
		"The first ones."
		importErrors: [TaskError!]!
	}
	extend type Query { task(taskId: String!): Task }
`;

export const tasksGraphql: GraphqlArea = {
	typeDefs,
	queries: { task: { resolve: (args, { work }) => readTask(work, textOf(args, "taskId") ?? "") } },
};
