import type { Static } from "@sinclair/typebox";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { type EventTypeView, type Webhook, WebhookCreate } from "../../../areas/webhooks/schema";
import { pathTo } from "../../api";
import { FormDialog } from "../../kit/forms/form-dialog";
import { useForm } from "../../kit/forms/form-state";
import { CheckList } from "../../kit/forms/list-fields";
import { queryOf } from "../../kit/list";
import { ListAndPages, ListScreen } from "../../kit/list-card";
import { createdColumn } from "../../kit/table";
import { statusOptions } from "../../kit/values";
import { t } from "../../messages/webhooks";
import { SigningSecret, typesText, WebhookPage, WebhookState } from "./webhook";

const Webhooks = () => <ListAndPages path="/webhooks" list={<WebhookList />} page={(id) => <WebhookPage id={id} />} />;
export default Webhooks;

function WebhookList() {
	const [made, setMade] = useState<Webhook>();
	const [, navigate] = useLocation();
	return (
		<ListScreen<Webhook>
			path="/webhooks"
			texts={t}
			filters={[
				{ name: "status", label: t.status, options: statusOptions(["ACTIVE", "INACTIVE"]) },
				{ name: "failing", label: t.reached, options: [{ value: "true", label: t.failing }] },
			]}
			columns={[
				{ head: t.endpoint, cell: ({ endpoint }) => endpoint },
				{ head: t.status, cell: (webhook) => <WebhookState webhook={webhook} /> },
				{ head: t.types, isWide: true, cell: typesText },
				{ head: t.description, isWide: true, cell: ({ description }) => description ?? "" },
				createdColumn,
			]}
			add={{
				label: t.add,
				scope: "WEBHOOK:WRITE",
				dialog: (opening) => (
					<FormDialog
						{...opening}
						title={t.add}
						kind="drawer"
						to={["POST", "/webhooks"]}
						schema={WebhookCreate}
						texts={t}
						fields={[{ name: "endpoint", kind: "url" }, "description", EventTypes]}
						onDone={(webhook: Webhook) => setMade(webhook)}
					/>
				),
			}}
		>
			<SigningSecret webhook={made} onClose={() => made && navigate(pathTo("/webhooks", made.id))} />
		</ListScreen>
	);
}

function EventTypes() {
	const { entered, set } = useForm();
	const { data = [] } = useQuery({
		...queryOf<Static<typeof EventTypeView>[]>("/webhooks/event-types"),
		staleTime: Number.POSITIVE_INFINITY,
	});
	return (
		<CheckList
			name="eventLogTypes"
			legend={t.types}
			hint={t.typesHint}
			options={data.map(({ type, description }) => ({ value: type, label: <code>{type}</code>, text: description }))}
			chosen={(entered.eventLogTypes ?? []) as readonly string[]}
			onChange={(types) => set("eventLogTypes", types)}
		/>
	);
}
