import { Route, Switch } from "wouter";
import type { ListedTask } from "../../../tasks/schema";
import { Choice, Filters } from "../../kit/filters";
import { formatNumber } from "../../kit/format";
import { useList } from "../../kit/list";
import { Ago } from "../../kit/money";
import { Card, Page, Progress } from "../../kit/page";
import { Status, statusText } from "../../kit/status";
import { ListTable } from "../../kit/table";
import { t as fields } from "../../messages/fields";
import { fill } from "../../messages/language";
import { t, taskName } from "../../messages/tasks";
import { TaskPage } from "./task";

export default function Tasks() {
	return (
		<Switch>
			<Route path="/tasks">
				<TaskList />
			</Route>
			<Route path="/tasks/:id">{({ id }) => <TaskPage id={id} />}</Route>
		</Switch>
	);
}

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

function TaskList() {
	const list = useList<ListedTask>("/tasks", {
		filters: ["status"],
		everyMs: (rows) => (rows.some((row) => isRunning(row as ListedTask)) ? watchedMs : false),
	});
	return (
		<Page title={t.title} text={t.text} curl={list.path}>
			<Card isFlush>
				<Filters>
					<Choice
						list={list}
						name="status"
						label={fields.status}
						options={statuses.map((value) => ({ value, label: statusText(value) }))}
					/>
				</Filters>
				<ListTable
					label={t.title}
					list={list}
					rowKey={({ id }) => id}
					href={({ id }) => `/tasks/${id}`}
					empty={{ title: t.emptyTitle, text: t.emptyText }}
					columns={[
						{ head: t.task, cell: ({ taskType }) => taskName(taskType) },
						{ head: fields.status, cell: ({ status }) => <Status of={status} /> },
						{
							head: t.progress,
							cell: (task) =>
								isRunning(task) ? (
									<Progress percent={task.progress} label={taskName(task.taskType)} />
								) : (
									<span className="quiet">
										{fill(t.done, {
											done: formatNumber(task.completedSubtasksCount),
											total: formatNumber(task.totalSubtasksCount),
										})}
									</span>
								),
						},
						{ head: fields.created, isWide: true, cell: ({ createdAt }) => <Ago at={createdAt} isMachineTime /> },
						{ head: t.ended, isWide: true, cell: ({ endDate }) => <Ago at={endDate} isMachineTime /> },
					]}
				/>
			</Card>
		</Page>
	);
}
