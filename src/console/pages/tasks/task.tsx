import type { Task } from "../../../tasks/schema";
import { Id } from "../../kit/copy";
import { formatNumber } from "../../kit/format";
import { useOne } from "../../kit/list";
import { When } from "../../kit/money";
import { Card, Facts, Page, Progress, Skeleton } from "../../kit/page";
import { Problem } from "../../kit/problem";
import { Status } from "../../kit/status";
import { Table } from "../../kit/table";
import { t, taskName } from "../../messages/tasks";

/** Our choice: as of the list. */
const watchedMs = 2_000;

export function TaskPage({ id }: { readonly id: string }) {
	const path = `/tasks/${encodeURIComponent(id)}`;
	const { data: task, error, refetch } = useOne<Task>(path, (found) => (found && !found.endDate ? watchedMs : false));
	const parent = { name: t.title, path: "/tasks" };
	if (error) return <Problem error={error} retry={() => void refetch()} />;
	if (!task) return <Skeleton lines={6} />;
	return (
		<Page title={taskName(task.taskType)} beside={<Status of={task.status} />} parent={parent} curl={path}>
			<Card>
				<Facts
					of={[
						[t.id, <Id key="id" of={task.id} />],
						[t.progress, <Progress key="progress" percent={task.progress} label={t.progress} />],
						[
							t.parts,
							t.done({
								done: formatNumber(task.completedSubtasksCount),
								total: formatNumber(task.totalSubtasksCount),
							}),
						],
						[t.failed, formatNumber(task.failedSubtasksCount)],
						[t.created, <When key="created" at={task.createdAt} />],
						[t.begun, <When key="begun" at={task.startDate} />],
						[t.ended, <When key="ended" at={task.endDate} />],
					]}
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
	);
}
