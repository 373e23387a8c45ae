import type { ListedTask } from "../../../tasks/schema";
import { formatNumber } from "../../kit/format";
import { ListAndPages, ListScreen } from "../../kit/list-screen";
import { Ago } from "../../kit/money";
import { Progress } from "../../kit/page";
import { Status, statusOptions } from "../../kit/status";
import { t, taskName } from "../../messages/tasks";
import { TaskPage } from "./task";

const Tasks = () => <ListAndPages path="/tasks" list={<TaskList />} page={(id) => <TaskPage id={id} />} />;
export default Tasks;

const statuses: readonly ListedTask["status"][] = [
	"PENDING",
	"IN_PROGRESS",
	"COMPLETED",
	"PARTIALLY_FAILED",
	"FAILED",
	"CANCELED",
];

/** Our choice: often enough to see it move, seldom enough not to be noticed by the server. */
const watchedMs = 2_000;

const isRunning = ({ status }: Pick<ListedTask, "status">): boolean => status === "PENDING" || status === "IN_PROGRESS";

const TaskList = () => (
	<ListScreen<ListedTask>
		path="/tasks"
		text={t.text}
		everyMs={(rows) => (rows.some((row) => isRunning(row as ListedTask)) ? watchedMs : false)}
		filters={[{ name: "status", label: t.status, options: statusOptions(statuses) }]}
		table={{
			label: t.title,
			rowKey: ({ id }) => id,
			href: ({ id }) => `/tasks/${id}`,
			empty: { title: t.emptyTitle, text: t.emptyText },
			columns: [
				{ head: t.task, cell: ({ taskType }) => taskName(taskType) },
				{ head: t.status, cell: ({ status }) => <Status of={status} /> },
				{ head: t.progress, cell: (task) => <TaskProgress of={task} /> },
				{ head: t.created, isWide: true, cell: ({ createdAt }) => <Ago at={createdAt} isMachineTime /> },
				{ head: t.ended, isWide: true, cell: ({ endDate }) => <Ago at={endDate} isMachineTime /> },
			],
		}}
	/>
);

const TaskProgress = ({ of: task }: { readonly of: ListedTask }) =>
	isRunning(task) ? (
		<Progress percent={task.progress} label={taskName(task.taskType)} />
	) : (
		<span className="quiet">
			{t.done({
				done: formatNumber(task.completedSubtasksCount),
				total: formatNumber(task.totalSubtasksCount),
			})}
		</span>
	);
