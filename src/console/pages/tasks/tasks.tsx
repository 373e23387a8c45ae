import type { ListedTask, Task } from "../../../tasks/schema";
import { pathTo } from "../../api";
import { Id } from "../../kit/copy";
import { formatNumber } from "../../kit/format";
import { ListAndPages, ListScreen } from "../../kit/list-card";
import { Card, Facts, Loaded, Page } from "../../kit/page";
import { Table } from "../../kit/table";
import { Ago, Progress, Status, statusOptions, When } from "../../kit/values";
import { t, taskName } from "../../messages/tasks";

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

/** The interval at which running tasks are read again. */
const watchedMs = 2_000;

const isRunning = ({ status }: Pick<ListedTask, "status">): boolean => status === "PENDING" || status === "IN_PROGRESS";

const doneText = (task: Pick<ListedTask, "completedSubtasksCount" | "totalSubtasksCount">): string =>
	t.done({ done: formatNumber(task.completedSubtasksCount), total: formatNumber(task.totalSubtasksCount) });

const TaskList = () => (
	<ListScreen<ListedTask>
		path="/tasks"
		texts={t}
		everyMs={(rows) => (rows.some((row) => isRunning(row as ListedTask)) ? watchedMs : false)}
		filters={[{ name: "status", label: t.status, options: statusOptions(statuses, "TASK") }]}
		columns={[
			{ head: t.task, cell: ({ taskType }) => taskName(taskType) },
			{ head: t.status, cell: ({ status }) => <Status of={status} kind="TASK" /> },
			{ head: t.progress, cell: (task) => <TaskProgress of={task} /> },
			{ head: t.createdAt, isWide: true, cell: ({ createdAt }) => <Ago at={createdAt} isMachineTime /> },
			{ head: t.ended, isWide: true, cell: ({ endDate }) => <Ago at={endDate} isMachineTime /> },
		]}
	/>
);

const TaskProgress = ({ of: task }: { readonly of: ListedTask }) =>
	isRunning(task) ? (
		<Progress percent={task.progress} label={taskName(task.taskType)} />
	) : (
		<span className="quiet">{doneText(task)}</span>
	);

const TaskPage = ({ id }: { readonly id: string }) => (
	<Loaded<Task> path={pathTo("/tasks", id)} everyMs={(found) => (found && !found.endDate ? watchedMs : false)}>
		{(task) => (
			<Page
				title={taskName(task.taskType)}
				badge={<Status of={task.status} kind="TASK" />}
				parent={{ name: t.title, path: "/tasks" }}
				curl={pathTo("/tasks", id)}
			>
				<Card>
					<Facts
						of={{
							[t.id]: <Id of={task.id} />,
							[t.progress]: <Progress percent={task.progress} label={t.progress} />,
							[t.parts]: doneText(task),
							[t.failed]: formatNumber(task.failedSubtasksCount),
							[t.createdAt]: <When at={task.createdAt} />,
							[t.begun]: <When at={task.startDate} />,
							[t.ended]: <When at={task.endDate} />,
						}}
					/>
				</Card>
				{task.importErrors.length > 0 && (
					<Card
						isFlush
						title={t.errors}
						text={t.errorsText({ shown: task.importErrors.length, count: task.failedSubtasksCount })}
					>
						<Table
							label={t.errors}
							rows={task.importErrors}
							rowKey={(one) => `${one.id} ${one.error}`}
							columns={[
								{ head: t.item, cell: (one) => <code>{one.id}</code> },
								{ head: t.why, cell: (one) => one.error },
							]}
						/>
					</Card>
				)}
			</Page>
		)}
	</Loaded>
);
