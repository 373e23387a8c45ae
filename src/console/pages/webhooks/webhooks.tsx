import { useState } from "react";
import { useLocation } from "wouter";
import type { Webhook } from "../../../areas/webhooks/schema";
import { ListAndPages, ListScreen } from "../../kit/list-screen";
import { Ago } from "../../kit/money";
import { statusOptions } from "../../kit/status";
import { t } from "../../messages/webhooks";
import { State } from "./failing";
import { NewWebhook } from "./new-webhook";
import { SigningSecret } from "./signing-secret";
import { typesText } from "./types-text";
import { WebhookPage } from "./webhook";

const Webhooks = () => <ListAndPages path="/webhooks" list={<WebhookList />} page={(id) => <WebhookPage id={id} />} />;
export default Webhooks;

function WebhookList() {
	const [made, setMade] = useState<Webhook>();
	const [, navigate] = useLocation();
	return (
		<ListScreen<Webhook>
			path="/webhooks"
			text={t.text}
			filters={[
				{ name: "status", label: t.status, options: statusOptions(["ACTIVE", "INACTIVE"]) },
				{ name: "failing", label: t.reached, options: [{ value: "true", label: t.failing }] },
			]}
			add={{
				name: t.add,
				scope: "WEBHOOK:WRITE",
				dialog: (state) => (
					<NewWebhook
						{...state}
						onMade={(webhook) => {
							state.onClose();
							setMade(webhook);
						}}
					/>
				),
			}}
			table={{
				label: t.title,
				rowKey: ({ id }) => id,
				href: ({ id }) => `/webhooks/${id}`,
				empty: { title: t.emptyTitle, text: t.emptyText },
				columns: [
					{ head: t.endpoint, cell: ({ endpoint }) => endpoint },
					{ head: t.status, cell: (webhook) => <State webhook={webhook} /> },
					{ head: t.types, isWide: true, cell: typesText },
					{ head: t.description, isWide: true, cell: ({ description }) => description ?? "" },
					{ head: t.created, isWide: true, cell: ({ createdAt }) => <Ago at={createdAt} /> },
				],
			}}
		>
			<SigningSecret webhook={made} onClose={() => made && navigate(`/webhooks/${made.id}`)} />
		</ListScreen>
	);
}
