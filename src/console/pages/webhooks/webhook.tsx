import type { Static } from "@sinclair/typebox";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import type { Webhook, WebhookTestResult } from "../../../areas/webhooks/schema";
import { send } from "../../api";
import { ConfirmButton } from "../../kit/dialog";
import { formatNumber } from "../../kit/format";
import { useOne } from "../../kit/list";
import { When } from "../../kit/money";
import { Card, Facts, Page, Skeleton } from "../../kit/page";
import { Problem } from "../../kit/problem";
import { t } from "../../messages/webhooks";
import { may } from "../../session";
import { Deliveries } from "./deliveries";
import { State } from "./failing";
import { ReplayButton } from "./replay";
import { SigningSecret } from "./signing-secret";
import { typesText } from "./types-text";

export function WebhookPage({ id }: { readonly id: string }) {
	const path = `/webhooks/${encodeURIComponent(id)}`;
	const { data: webhook, error, refetch } = useOne<Webhook>(path);
	const [tested, setTested] = useState<Static<typeof WebhookTestResult>>();
	if (error) return <Problem error={error} retry={() => void refetch()} />;
	if (!webhook) return <Skeleton lines={6} />;
	return (
		<Page
			title={webhook.endpoint}
			beside={<State webhook={webhook} />}
			parent={{ name: t.title, path: "/webhooks" }}
			curl={path}
			actions={may("WEBHOOK:WRITE") && <Actions webhook={webhook} path={path} onTested={setTested} />}
		>
			{tested && (
				<p className={tested.error === null && tested.status !== null && tested.status < 300 ? "note" : "note warn"}>
					{tested.error === null
						? t.testOk({ status: tested.status ?? "–", ms: formatNumber(Math.round(tested.durationMs)) })
						: t.testFailed({ why: tested.error })}
				</p>
			)}
			<Card>
				<Facts
					of={[
						[t.description, webhook.description],
						[t.types, webhook.eventLogTypes.length === 0 ? typesText(webhook) : webhook.eventLogTypes.join(", ")],
						[t.created, <When key="created" at={webhook.createdAt} />],
						...(webhook.failingSince
							? [[t.failingSince, <When key="failing" at={webhook.failingSince} />] as const]
							: []),
						...(webhook.formerSecretUntil
							? [[t.formerSecret, <When key="former" at={webhook.formerSecretUntil} />] as const]
							: []),
					]}
				/>
			</Card>
			<Deliveries path={path} />
		</Page>
	);
}

interface ActionsProps {
	readonly webhook: Webhook;
	readonly path: string;
	readonly onTested: (result: Static<typeof WebhookTestResult>) => void;
}

function Actions({ webhook, path, onTested }: ActionsProps) {
	const { endpoint, status } = webhook;
	const [, navigate] = useLocation();
	const [rotated, setRotated] = useState<Webhook>();
	const client = useQueryClient();
	const test = useMutation({
		mutationFn: () => send<{ data: Static<typeof WebhookTestResult> }>("POST", `${path}/test`),
		onSuccess: ({ data }) => {
			onTested(data);
			return client.invalidateQueries();
		},
	});
	const enable = useMutation({
		mutationFn: () => send("PATCH", path, { status: "ACTIVE" }),
		onSuccess: () => client.invalidateQueries(),
	});
	return (
		<>
			<Problem error={test.error ?? enable.error} />
			<ConfirmButton
				label={t.remove}
				title={t.removeTitle}
				says={<p>{t.removeSays({ endpoint })}</p>}
				perform={() => send("DELETE", path)}
				onDone={() => navigate("/webhooks")}
				isDanger
			/>
			<ConfirmButton
				label={t.rotate}
				title={t.rotateTitle}
				says={<p>{t.rotateSays}</p>}
				perform={async () => setRotated((await send<{ data: Webhook }>("POST", `${path}/rotate-secret`)).data)}
			/>
			{status === "ACTIVE" ? (
				<ConfirmButton
					label={t.disable}
					title={t.disableTitle}
					says={<p>{t.disableSays({ endpoint })}</p>}
					perform={() => send("PATCH", path, { status: "INACTIVE" })}
				/>
			) : (
				<button type="button" disabled={enable.isPending} onClick={() => enable.mutate()}>
					{t.enable}
				</button>
			)}
			<ReplayButton path={path} />
			<button type="button" className="solid" disabled={test.isPending} onClick={() => test.mutate()}>
				{t.test}
			</button>
			<SigningSecret webhook={rotated} onClose={() => setRotated(undefined)} />
		</>
	);
}
