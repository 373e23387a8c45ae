import type { Static } from "@sinclair/typebox";
import { useState } from "react";
import type { ApiKey, ApiKeyWithToken, RotatedApiKey } from "../../../areas/access/keys/schema";
import { send } from "../../api";
import { ConfirmButton } from "../../kit/dialog";
import { useList } from "../../kit/list";
import { Ago } from "../../kit/money";
import { Card } from "../../kit/page";
import { Secret } from "../../kit/secret";
import { Status } from "../../kit/status";
import { ListTable } from "../../kit/table";
import { t } from "../../messages/settings";
import { may } from "../../session";
import { NewKey } from "./new-key";

export function Keys() {
	const list = useList<ApiKey>("/api-keys");
	const [isAdding, setAdding] = useState(false);
	const [shown, setShown] = useState<ApiKeyWithToken>();
	const mayWrite = may("API_KEY:WRITE");
	const add = mayWrite && (
		<button type="button" className="solid" onClick={() => setAdding(true)}>
			{t.newKey}
		</button>
	);
	return (
		<Card isFlush title={t.keys} text={t.keysText} actions={add}>
			<ListTable
				label={t.keys}
				list={list}
				rowKey={({ id }) => id}
				empty={{ title: t.noKeys }}
				columns={[
					{ head: t.name, cell: ({ displayName }) => displayName },
					{ head: t.keyType, cell: ({ keyType }) => t[keyType] },
					{ head: t.starts, isWide: true, cell: ({ prefix }) => <code>{prefix}…</code> },
					{ head: t.status, cell: ({ status }) => <Status of={status} /> },
					{ head: t.lastUsed, isWide: true, cell: ({ lastUsedAt }) => <Ago at={lastUsedAt} isMachineTime /> },
					{ head: t.expires, isWide: true, cell: ({ expireAt }) => <Ago at={expireAt} isMachineTime /> },
					{ head: t.actions, cell: (key) => mayWrite && <Actions apiKey={key} onRotated={setShown} /> },
				]}
			/>
			<NewKey
				isOpen={isAdding}
				onClose={() => setAdding(false)}
				onMade={(key) => {
					setAdding(false);
					setShown(key);
				}}
			/>
			<Secret
				title={t.keysShown}
				text={t.keysShownText}
				secrets={shown && { [shown.displayName]: shown.token }}
				done={t.close}
				copyLabel={t.copy}
				onClose={() => setShown(undefined)}
			/>
		</Card>
	);
}

/** How long the former secret works. Our choice: time enough to change over. */
const graceMs = 24 * 60 * 60 * 1000;

interface ActionsProps {
	readonly apiKey: ApiKey;
	readonly onRotated: (key: ApiKeyWithToken) => void;
}

function Actions({ apiKey: { id, displayName, keyType, status }, onRotated }: ActionsProps) {
	if (status === "EXPIRED") return null;
	const rotate = async () => {
		const keepUntil = new Date(Date.now() + graceMs).toISOString();
		const { data } = await send<{ data: Static<typeof RotatedApiKey> }>("POST", `/api-keys/${id}/rotate`, {
			keepUntil,
		});
		onRotated(data.newApiKey);
	};
	return (
		<span className="actions">
			<ConfirmButton
				label={t.rotate}
				title={t.rotateTitle}
				says={<p>{t.rotateSays({ name: displayName })}</p>}
				perform={rotate}
			/>
			{keyType === "SCOPED" && (
				<ConfirmButton
					label={t.revoke}
					title={t.revokeTitle}
					says={<p>{t.revokeSays({ name: displayName })}</p>}
					perform={() => send("DELETE", `/api-keys/${id}`)}
					isDanger
				/>
			)}
		</span>
	);
}
