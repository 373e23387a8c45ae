import type { Static } from "@sinclair/typebox";
import { useState } from "react";
import { type ApiKey, ApiKeyCreate, type ApiKeyWithToken, type RotatedApiKey } from "../../../areas/access/keys/schema";
import { scopeResources } from "../../../areas/access/rules.actors";
import { send } from "../../api";
import { ConfirmButton, confirmation } from "../../kit/dialog";
import { PartError } from "../../kit/forms/fields";
import { FormButton } from "../../kit/forms/form-dialog";
import { Fields } from "../../kit/forms/form-fields";
import { ListCard } from "../../kit/list-card";
import { Secret } from "../../kit/secret";
import { statusColumn } from "../../kit/table";
import { Ago } from "../../kit/values";
import { t } from "../../messages/settings";
import { may } from "../../session";

export function Keys() {
	const [shown, setShown] = useState<ApiKeyWithToken>();
	const mayWrite = may("API_KEY:WRITE");
	return (
		<>
			<ListCard<ApiKey>
				title={t.keys}
				text={t.keysText}
				path="/api-keys"
				actions={mayWrite && <NewKeyButton onMade={setShown} />}
				empty={{ title: t.noKeys }}
				columns={[
					{ head: t.name, cell: ({ displayName }) => displayName },
					{ head: t.keyType, cell: ({ keyType }) => t[keyType] },
					{ head: t.starts, isWide: true, cell: ({ prefix }) => <code>{prefix}…</code> },
					statusColumn,
					{ head: t.lastUsed, isWide: true, cell: ({ lastUsedAt }) => <Ago at={lastUsedAt} isMachineTime /> },
					{ head: t.expires, isWide: true, cell: ({ expireAt }) => <Ago at={expireAt} isMachineTime /> },
					{ head: t.actions, cell: (key) => mayWrite && <Actions apiKey={key} onRotated={setShown} /> },
				]}
			/>
			<Secret
				title={t.keysShown}
				text={t.keysShownText}
				secrets={shown && { [shown.displayName]: shown.token }}
				onClose={() => setShown(undefined)}
			/>
		</>
	);
}

const access = [
	{ value: "READ", label: t.read },
	{ value: "WRITE", label: t.write },
];

const NewKeyButton = ({ onMade }: { readonly onMade: (key: ApiKeyWithToken) => void }) => (
	<FormButton
		label={t.newKey}
		kind="drawer"
		isMain
		to={["POST", "/api-keys"]}
		schema={ApiKeyCreate}
		texts={t}
		fields={["displayName", ScopeFields]}
		body={({ displayName, scopes = {} }) => ({
			displayName,
			scopes: Object.entries(scopes as object).map(([resource, action]) => ({ resource, action })),
		})}
		onDone={onMade}
	/>
);

const scopeFields = scopeResources.map(
	(resource) =>
		({
			name: `scopes.${resource}`,
			kind: "select",
			label: t[resource],
			options: access,
			none: t.none,
		}) as const,
);

const ScopeFields = () => (
	<fieldset className="options">
		<legend>{t.scopes}</legend>
		<p className="hint">{t.scopesHint}</p>
		<Fields of={[scopeFields]} />
		<PartError name="scopes" />
	</fieldset>
);

/** The grace period of a rotation: the former secret works for one more day. */
const graceMs = 24 * 60 * 60 * 1000;

interface ActionsProps {
	readonly apiKey: ApiKey;
	readonly onRotated: (key: ApiKeyWithToken) => void;
}

function Actions({ apiKey: { id, displayName: name, keyType, status }, onRotated }: ActionsProps) {
	if (status === "EXPIRED") return null;
	const rotate = async () => {
		const body = { keepUntil: new Date(Date.now() + graceMs).toISOString() };
		const { data } = await send<{ data: Static<typeof RotatedApiKey> }>("POST", `/api-keys/${id}/rotate`, body);
		onRotated(data.newApiKey);
	};
	return (
		<span className="actions">
			<ConfirmButton {...confirmation(t, "rotate", { name })} perform={rotate} />
			{keyType === "SCOPED" && (
				<ConfirmButton {...confirmation(t, "revoke", { name })} isDanger perform={["DELETE", `/api-keys/${id}`]} />
			)}
		</span>
	);
}
