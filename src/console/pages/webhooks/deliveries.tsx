import { useState } from "react";
import type { Delivery } from "../../../areas/webhooks/schema";
import { send } from "../../api";
import { Id } from "../../kit/copy";
import { ConfirmButton, Dialog } from "../../kit/dialog";
import { Choice, Filters } from "../../kit/filters";
import { formatNumber } from "../../kit/format";
import { useList } from "../../kit/list";
import { Ago, When } from "../../kit/money";
import { Card, Facts } from "../../kit/page";
import { Badge, Status, statusText } from "../../kit/status";
import { ListTable } from "../../kit/table";
import { t } from "../../messages/webhooks";
import { may } from "../../session";

const statuses: readonly Delivery["status"][] = ["PENDING", "DELIVERED", "FAILED"];

/** Our choice: an attempt ends within seconds. */
const watchedMs = 3_000;

export function Deliveries({ path }: { readonly path: string }) {
	const [chosen, setChosen] = useState<Delivery>();
	const list = useList<Delivery>(`${path}/deliveries`, { filters: ["status"], everyMs: watchedMs });
	return (
		<Card isFlush title={t.deliveries} text={t.deliveriesText}>
			<Filters>
				<Choice
					list={list}
					name="status"
					label={t.status}
					options={statuses.map((value) => ({ value, label: statusText(value) }))}
				/>
			</Filters>
			<ListTable
				label={t.deliveries}
				list={list}
				rowKey={({ id }) => id}
				onOpen={setChosen}
				empty={{ title: t.deliveriesEmptyTitle, text: t.deliveriesEmptyText }}
				columns={[
					{ head: t.event, cell: ({ type }) => <code>{type}</code> },
					{ head: t.status, cell: ({ status }) => <Status of={status} /> },
					{ head: t.answered, cell: ({ attempts }) => <Answered attempt={attempts.at(-1)} /> },
					{ head: t.attempts, isFigure: true, isWide: true, cell: ({ attempts }) => formatNumber(attempts.length) },
					{ head: t.sent, cell: ({ createdAt }) => <Ago at={createdAt} isMachineTime /> },
				]}
			/>
			<Dialog
				kind="drawer"
				title={chosen?.type ?? ""}
				isOpen={chosen !== undefined}
				onClose={() => setChosen(undefined)}
			>
				{chosen && <Details delivery={chosen} onDone={() => setChosen(undefined)} />}
			</Dialog>
		</Card>
	);
}

function Answered({ attempt }: { readonly attempt: Delivery["attempts"][number] | undefined }) {
	if (!attempt) return <span className="quiet">–</span>;
	const isTaken = attempt.status !== null && attempt.status < 300;
	return <Badge tone={isTaken ? "good" : "bad"}>{attempt.status === null ? t.noAnswer : String(attempt.status)}</Badge>;
}

function Details({ delivery, onDone }: { readonly delivery: Delivery; readonly onDone: () => void }) {
	return (
		<>
			<Facts
				of={[
					[t.status, <Status key="status" of={delivery.status} />],
					[t.messageId, <Id key="message" of={delivery.messageId} />],
					[t.sent, <When key="sent" at={delivery.createdAt} />],
					...(delivery.nextAttemptAt
						? [[t.nextAttempt, <When key="next" at={delivery.nextAttemptAt} />] as const]
						: []),
				]}
			/>
			<h3>{t.attempts}</h3>
			<ul className="lines">
				{delivery.attempts.map((attempt) => (
					<li key={attempt.at}>
						<When at={attempt.at} />
						<span className="quiet figure">{t.milliseconds({ ms: formatNumber(Math.round(attempt.durationMs)) })}</span>
						<Answered attempt={attempt} />
						{(attempt.error ?? attempt.body) && <pre>{attempt.error ?? attempt.body}</pre>}
					</li>
				))}
			</ul>
			{may("WEBHOOK:WRITE") && (
				<footer>
					<ConfirmButton
						label={t.resend}
						title={t.resendTitle}
						says={<p>{t.resendSays}</p>}
						perform={() => send("POST", `/webhooks/deliveries/${delivery.id}/replay`)}
						onDone={onDone}
					/>
				</footer>
			)}
		</>
	);
}
