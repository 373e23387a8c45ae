import type { Static } from "@sinclair/typebox";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Delivery, Replay, Webhook, WebhookTestResult } from "../../../areas/webhooks/schema";
import { pathTo, send } from "../../api";
import { Id } from "../../kit/copy";
import { ConfirmButton, confirmation } from "../../kit/dialog";
import { formatNumber } from "../../kit/format";
import { FormButton } from "../../kit/forms/form-dialog";
import { ListCard } from "../../kit/list-card";
import { Card, Facts, Loaded, Page } from "../../kit/page";
import { Problem } from "../../kit/problem";
import { Secret } from "../../kit/secret";
import { statusColumn } from "../../kit/table";
import { Ago, Badge, Badges, Status, statusOptions, When } from "../../kit/values";
import { t } from "../../messages/webhooks";
import { may } from "../../session";

type TestResult = Static<typeof WebhookTestResult>;

const isSuccess = (status: number | null): boolean => status !== null && status < 300;

export const typesText = ({ eventLogTypes }: Webhook): string =>
	eventLogTypes.length === 0 ? t.everything : t.typesCount({ count: eventLogTypes.length });

/** The status of an endpoint, and whether its deliveries fail. */
export const WebhookState = ({ webhook: { status, failingSince } }: { readonly webhook: Webhook }) => (
	<Badges>
		<Status of={status} />
		{status === "ACTIVE" && failingSince !== null && <Badge tone="bad">{t.failing}</Badge>}
	</Badges>
);

interface SigningSecretProps {
	/** The endpoint as it was created or rotated: only then it has its secret. */
	readonly webhook: Webhook | undefined;
	readonly onClose: () => void;
}

export const SigningSecret = ({ webhook, onClose }: SigningSecretProps) => (
	<Secret
		title={t.secretTitle}
		text={t.secretText}
		secrets={webhook?.secretKey ? { [webhook.endpoint]: webhook.secretKey } : undefined}
		onClose={onClose}
	/>
);

export function WebhookPage({ id }: { readonly id: string }) {
	const path = pathTo("/webhooks", id);
	const [tested, setTested] = useState<TestResult>();
	return (
		<Loaded<Webhook> path={path}>
			{(webhook) => (
				<Page
					title={webhook.endpoint}
					badge={<WebhookState webhook={webhook} />}
					parent={{ name: t.title, path: "/webhooks" }}
					curl={path}
					actions={may("WEBHOOK:WRITE") && <Actions webhook={webhook} onTested={setTested} />}
				>
					{tested && <TestNote result={tested} />}
					<Card>
						<Facts
							of={{
								[t.description]: webhook.description ?? "–",
								[t.types]: webhook.eventLogTypes.join(", ") || t.everything,
								[t.createdAt]: <When at={webhook.createdAt} />,
								[t.failingSince]: webhook.failingSince && <When at={webhook.failingSince} />,
								[t.formerSecret]: webhook.formerSecretUntil && <When at={webhook.formerSecretUntil} />,
							}}
						/>
					</Card>
					<Deliveries path={path} />
				</Page>
			)}
		</Loaded>
	);
}

const TestNote = ({ result: { error, status, durationMs } }: { readonly result: TestResult }) => (
	<p className={error === null && isSuccess(status) ? "note" : "note warn"}>
		{error === null
			? t.testOk({ status: status ?? "–", ms: formatNumber(Math.round(durationMs)) })
			: t.testFailed({ why: error })}
	</p>
);

interface ActionsProps {
	readonly webhook: Webhook;
	readonly onTested: (result: TestResult) => void;
}

function Actions({ webhook: { id, endpoint, status }, onTested }: ActionsProps) {
	const path = pathTo("/webhooks", id);
	const [rotated, setRotated] = useState<Webhook>();
	const client = useQueryClient();
	const test = useMutation({
		mutationFn: () => send<{ data: TestResult }>("POST", `${path}/test`),
		onSuccess: ({ data }) => {
			onTested(data);
			return client.invalidateQueries();
		},
	});
	const enable = useMutation({
		mutationFn: () => send("PATCH", path, { status: "ACTIVE" }),
		onSuccess: () => client.invalidateQueries(),
	});
	const rotate = async () => setRotated((await send<{ data: Webhook }>("POST", `${path}/rotate-secret`)).data);
	return (
		<>
			<Problem error={test.error ?? enable.error} />
			<ConfirmButton
				{...confirmation(t, "remove", { endpoint })}
				isDanger
				perform={["DELETE", path]}
				leadsTo="/webhooks"
			/>
			<ConfirmButton {...confirmation(t, "rotate")} perform={rotate} />
			{status === "ACTIVE" ? (
				<ConfirmButton
					{...confirmation(t, "disable", { endpoint })}
					perform={["PATCH", path, { status: "INACTIVE" }]}
				/>
			) : (
				<button type="button" disabled={enable.isPending} onClick={() => enable.mutate()}>
					{t.enable}
				</button>
			)}
			<FormButton
				label={t.replay}
				title={t.replayTitle}
				to={["POST", `${path}/replay`]}
				texts={t}
				fields={[
					{ name: "since", kind: "datetime-local", isRequired: true },
					{ name: "until", kind: "datetime-local" },
				]}
				action={t.replay}
				body={({ since, until }) => ({ since: instant(since), until: instant(until) })}
				onDone={({ firstSequence }: Static<typeof Replay>) => (firstSequence === null ? t.replayNone : t.replayed)}
			/>
			<button type="button" className="solid" disabled={test.isPending} onClick={() => test.mutate()}>
				{t.test}
			</button>
			<SigningSecret webhook={rotated} onClose={() => setRotated(undefined)} />
		</>
	);
}

/** Returns the instant of a local time. */
const instant = (entered: unknown): string | undefined =>
	typeof entered === "string" ? new Date(entered).toISOString() : undefined;

/** The interval at which running attempts are read again. An attempt ends within seconds. */
const watchedMs = 3_000;

const Deliveries = ({ path }: { readonly path: string }) => (
	<ListCard<Delivery>
		title={t.deliveries}
		text={t.deliveriesText}
		path={`${path}/deliveries`}
		filters={[{ name: "status", label: t.status, options: statusOptions(["PENDING", "DELIVERED", "FAILED"]) }]}
		everyMs={watchedMs}
		empty={{ title: t.deliveriesEmptyTitle, text: t.deliveriesEmptyText }}
		details={{
			title: ({ type }) => type,
			show: (delivery, close) => <Details delivery={delivery} onDone={close} />,
		}}
		columns={[
			{ head: t.event, cell: ({ type }) => <code>{type}</code> },
			statusColumn,
			{ head: t.answered, cell: ({ attempts }) => <Response attempt={attempts.at(-1)} /> },
			{ head: t.attempts, isFigure: true, isWide: true, cell: ({ attempts }) => formatNumber(attempts.length) },
			{ head: t.sent, cell: ({ createdAt }) => <Ago at={createdAt} isMachineTime /> },
		]}
	/>
);

function Response({ attempt }: { readonly attempt: Delivery["attempts"][number] | undefined }) {
	if (!attempt) return <span className="quiet">–</span>;
	return <Badge tone={isSuccess(attempt.status) ? "good" : "bad"}>{attempt.status ?? t.noAnswer}</Badge>;
}

const Details = ({ delivery, onDone }: { readonly delivery: Delivery; readonly onDone: () => void }) => (
	<>
		<Facts
			of={{
				[t.status]: <Status of={delivery.status} />,
				[t.messageId]: <Id of={delivery.messageId} />,
				[t.sent]: <When at={delivery.createdAt} />,
				[t.nextAttempt]: delivery.nextAttemptAt && <When at={delivery.nextAttemptAt} />,
			}}
		/>
		<h3>{t.attempts}</h3>
		<ul className="lines">
			{delivery.attempts.map((attempt) => (
				<li key={attempt.at}>
					<When at={attempt.at} />
					<span className="quiet figure">{t.milliseconds({ ms: formatNumber(Math.round(attempt.durationMs)) })}</span>
					<Response attempt={attempt} />
					{(attempt.error ?? attempt.body) && <pre>{attempt.error ?? attempt.body}</pre>}
				</li>
			))}
		</ul>
		{may("WEBHOOK:WRITE") && (
			<footer>
				<ConfirmButton
					{...confirmation(t, "resend")}
					perform={["POST", `/webhooks/deliveries/${delivery.id}/replay`]}
					onDone={onDone}
				/>
			</footer>
		)}
	</>
);
