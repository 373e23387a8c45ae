import { useState } from "react";
import { Route, Switch, useLocation } from "wouter";
import type { Webhook } from "../../../areas/webhooks/schema";
import { Choice, Filters } from "../../kit/filters";
import { useList } from "../../kit/list";
import { Ago } from "../../kit/money";
import { Card, Page } from "../../kit/page";
import { statusText } from "../../kit/status";
import { ListTable } from "../../kit/table";
import { t as fields } from "../../messages/fields";
import { t } from "../../messages/webhooks";
import { may } from "../../session";
import { State } from "./failing";
import { NewWebhook } from "./new-webhook";
import { SigningSecret } from "./signing-secret";
import { typesText } from "./types-text";
import { WebhookPage } from "./webhook";

export default function Webhooks() {
	return (
		<Switch>
			<Route path="/webhooks" component={WebhookList} />
			<Route path="/webhooks/:id">{({ id }) => <WebhookPage id={id} />}</Route>
		</Switch>
	);
}

function WebhookList() {
	const list = useList<Webhook>("/webhooks", { filters: ["status", "failing"] });
	const [isAdding, setAdding] = useState(false);
	const [made, setMade] = useState<Webhook>();
	const [, navigate] = useLocation();
	const add = may("WEBHOOK:WRITE") && (
		<button type="button" className="solid" onClick={() => setAdding(true)}>
			{t.add}
		</button>
	);
	return (
		<Page title={t.title} text={t.text} curl={list.path} actions={add}>
			<Card isFlush>
				<Filters>
					<Choice
						list={list}
						name="status"
						label={fields.status}
						options={(["ACTIVE", "INACTIVE"] as const).map((value) => ({ value, label: statusText(value) }))}
					/>
					<Choice list={list} name="failing" label={t.reached} options={[{ value: "true", label: t.failing }]} />
				</Filters>
				<ListTable
					label={t.title}
					list={list}
					rowKey={({ id }) => id}
					href={({ id }) => `/webhooks/${id}`}
					empty={{ title: t.emptyTitle, text: t.emptyText }}
					columns={[
						{ head: t.endpoint, cell: ({ endpoint }) => endpoint },
						{ head: fields.status, cell: (webhook) => <State webhook={webhook} /> },
						{ head: t.types, isWide: true, cell: typesText },
						{ head: t.description, isWide: true, cell: ({ description }) => description ?? "" },
						{ head: fields.created, isWide: true, cell: ({ createdAt }) => <Ago at={createdAt} /> },
					]}
				/>
			</Card>
			<NewWebhook
				isOpen={isAdding}
				onClose={() => setAdding(false)}
				onMade={(webhook) => {
					setAdding(false);
					setMade(webhook);
				}}
			/>
			<SigningSecret webhook={made} onClose={() => made && navigate(`/webhooks/${made.id}`)} />
		</Page>
	);
}
