import type { Static } from "@sinclair/typebox";
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import type { EventTypeView, Webhook } from "../../../areas/webhooks/schema";
import { get, send } from "../../api";
import { Dialog } from "../../kit/dialog";
import { Form, TextField, useForm } from "../../kit/form";
import { t } from "../../messages/webhooks";

interface NewWebhookProps {
	readonly isOpen: boolean;
	readonly onClose: () => void;
	readonly onMade: (webhook: Webhook) => void;
}

export const NewWebhook = ({ isOpen, onClose, onMade }: NewWebhookProps) => (
	<Dialog kind="drawer" title={t.add} isOpen={isOpen} onClose={onClose}>
		<Form
			action={t.create}
			onCancel={onClose}
			submit={(body) => send<{ data: Webhook }>("POST", "/webhooks", body)}
			onDone={({ data }: { data: Webhook }) => onMade(data)}
		>
			<TextField name="endpoint" label={t.endpoint} hint={t.endpointHint} type="url" isRequired />
			<TextField name="description" label={t.description} />
			<EventTypes />
		</Form>
	</Dialog>
);

function EventTypes() {
	const { entered, set } = useForm();
	const id = useId();
	const { data = [] } = useQuery({
		queryKey: ["/webhooks/event-types"],
		queryFn: async () => (await get<{ data: Static<typeof EventTypeView>[] }>("/webhooks/event-types")).data,
		staleTime: Number.POSITIVE_INFINITY,
	});
	const chosen = (entered.eventLogTypes ?? []) as readonly string[];
	return (
		<fieldset className="options">
			<legend>{t.types}</legend>
			<p className="hint">{t.typesHint}</p>
			{data.map(({ type, description }) => (
				<div key={type} className="field check">
					<input
						id={`${id}-${type}`}
						type="checkbox"
						checked={chosen.includes(type)}
						onChange={({ target }) =>
							set("eventLogTypes", target.checked ? [...chosen, type] : chosen.filter((one) => one !== type))
						}
					/>
					<label htmlFor={`${id}-${type}`}>
						<code>{type}</code>
					</label>
					<p className="hint">{description}</p>
				</div>
			))}
		</fieldset>
	);
}
