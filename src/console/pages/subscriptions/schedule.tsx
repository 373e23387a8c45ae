import { send } from "../../api";
import { ConfirmButton } from "../../kit/dialog";
import { When } from "../../kit/money";
import { Card } from "../../kit/page";
import { Status } from "../../kit/status";
import { Table } from "../../kit/table";
import { t, wordFor } from "../../messages/subscriptions";
import { may } from "../../session";
import { type OfSubscription, pathOf } from "./of";

/** What is agreed and still to come, and how it is called off. */
export function Schedule({ subscription }: OfSubscription) {
	const { futureUpdates } = subscription;
	const isTo = (status: string) => futureUpdates.some(({ scheduleStatus }) => scheduleStatus === status);
	if (futureUpdates.length === 0) return null;
	const path = `${pathOf(subscription)}/future-update`;
	return (
		<Card
			isFlush
			title={t.scheduled}
			text={t.scheduledText}
			actions={
				may("SUBSCRIPTION:WRITE") && (
					<>
						{isTo("PENDING_PAYMENT") && (
							<ConfirmButton
								label={t.cancelPending}
								title={t.cancelPendingTitle}
								says={t.cancelPendingSays}
								isDanger
								perform={() => send("DELETE", `${path}/pending-payment`)}
							/>
						)}
						{isTo("SCHEDULED") && (
							<ConfirmButton
								label={t.cancelSchedule}
								title={t.cancelScheduleTitle}
								says={t.cancelScheduleSays}
								isDanger
								perform={() => send("DELETE", `${path}/schedule`)}
							/>
						)}
					</>
				)
			}
		>
			<Table
				label={t.scheduled}
				rows={futureUpdates}
				rowKey={(one) => `${one.subscriptionScheduleType} ${one.scheduledExecutionTime} ${one.targetPackage?.id}`}
				columns={[
					{ head: t.whatChanges, cell: (one) => wordFor(one.subscriptionScheduleType) },
					{ head: t.to, cell: ({ targetPackage }) => targetPackage?.id ?? "–" },
					{ head: t.status, cell: ({ scheduleStatus }) => <Status of={scheduleStatus} /> },
					{ head: t.at, cell: ({ scheduledExecutionTime }) => <When at={scheduledExecutionTime} /> },
				]}
			/>
		</Card>
	);
}
