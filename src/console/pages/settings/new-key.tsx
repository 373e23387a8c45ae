import type { ApiKeyWithToken } from "../../../areas/access/keys/schema";
import { type KeyResource, scopeResources } from "../../../areas/access/rules.actors";
import { send } from "../../api";
import { Dialog } from "../../kit/dialog";
import { Form, SelectField, TextField } from "../../kit/form";
import { statusText } from "../../kit/status";
import { t } from "../../messages/settings";

interface NewKeyProps {
	readonly isOpen: boolean;
	readonly onClose: () => void;
	readonly onMade: (key: ApiKeyWithToken) => void;
}

const actions = [
	{ value: "READ", label: t.read },
	{ value: "WRITE", label: t.write },
];

export const NewKey = ({ isOpen, onClose, onMade }: NewKeyProps) => (
	<Dialog kind="drawer" title={t.newKey} isOpen={isOpen} onClose={onClose}>
		<Form
			action={t.create}
			onCancel={onClose}
			submit={({ displayName, scopes = {} }) =>
				send("POST", "/api-keys", {
					displayName,
					scopes: Object.entries(scopes as Partial<Record<KeyResource, string>>).map(([resource, action]) => ({
						resource,
						action,
					})),
				})
			}
			onDone={({ data }: { data: ApiKeyWithToken }) => onMade(data)}
		>
			<TextField name="displayName" label={t.name} isRequired />
			<fieldset className="options">
				<legend>{t.scopes}</legend>
				<p className="hint">{t.scopesHint}</p>
				<div className="columns">
					{scopeResources.map((resource) => (
						<SelectField
							key={resource}
							name={`scopes.${resource}`}
							label={statusText(resource)}
							options={actions}
							none={t.none}
						/>
					))}
				</div>
			</fieldset>
		</Form>
	</Dialog>
);
