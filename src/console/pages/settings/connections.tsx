import {
	ConnectionCreate,
	ConnectionUpdate,
	type ProviderConnection,
} from "../../../areas/collection/connections/schema";
import type { LegalEntityDetails } from "../../../areas/legal-entities/schema";
import { pathTo } from "../../api";
import { ConfirmButton, confirmation } from "../../kit/dialog";
import { FormButton } from "../../kit/forms/form-dialog";
import { useList } from "../../kit/list";
import { ListCard } from "../../kit/list-card";
import { statusColumn } from "../../kit/table";
import { Ago, Badge, statusOptions } from "../../kit/values";
import { t } from "../../messages/charging";
import { may } from "../../session";

const path = "/provider-connections";

export function Connections() {
	const entities = useEntities();
	const nameOf = (id: string | null) => entities.find(({ value }) => value === id)?.label ?? id ?? t.allEntities;
	return (
		<ListCard<ProviderConnection>
			title={t.connections}
			text={t.connectionsText}
			path={path}
			filters={[{ name: "status", label: t.status, options: statusOptions(["ACTIVE", "ARCHIVED"]) }]}
			actions={may("ENVIRONMENT:WRITE") && <ConnectButton />}
			empty={{ title: t.noConnections, text: t.noConnectionsText }}
			columns={[
				{ head: t.name, cell: ({ name }) => name },
				{ head: t.account, isWide: true, cell: ({ account }) => account },
				{ head: t.mode, cell: ({ mode }) => <Badge tone={mode === "LIVE" ? "warn" : "info"}>{t[mode]}</Badge> },
				statusColumn,
				{ head: t.legalEntity, isWide: true, cell: ({ legalEntityId }) => nameOf(legalEntityId) },
				{ head: t.createdAt, isWide: true, cell: ({ createdAt }) => <Ago at={createdAt} /> },
				{ head: t.actions, cell: (connection) => <Actions connection={connection} /> },
			]}
		/>
	);
}

function useEntities() {
	const { rows = [] } = useList<LegalEntityDetails>("/legal-entities", { limit: 100, isFirstPage: true });
	return rows.map(({ id, name }) => ({ value: id, label: name ?? id }));
}

const entityField = (options: ReturnType<typeof useEntities>) => ({
	...({ name: "legalEntityId", kind: "select", options, none: t.allEntities } as const),
});

function ConnectButton() {
	const entities = useEntities();
	return (
		<FormButton
			label={t.connect}
			kind="drawer"
			isMain
			to={["POST", path]}
			schema={ConnectionCreate}
			texts={t}
			initial={{ kind: "STRIPE", mode: "TEST" }}
			fields={[
				"name",
				{ name: "mode", options: (["TEST", "LIVE"] as const).map((mode) => ({ value: mode, label: t[mode] })) },
				{ name: "secretKey", kind: "password", autoComplete: "off" },
				{ name: "webhookSecret", kind: "password", autoComplete: "off" },
				entityField(entities),
				{ name: "baseUrl", kind: "url", when: ({ mode }) => mode === "TEST" },
			]}
			action={t.connect}
			onDone={() => t.connected}
		/>
	);
}

function Actions({ connection }: { readonly connection: ProviderConnection }) {
	const entities = useEntities();
	const { id, name, status } = connection;
	if (status === "ARCHIVED" || !may("ENVIRONMENT:WRITE")) return "–";
	return (
		<>
			<FormButton
				label={t.edit}
				title={t.editTitle({ name })}
				to={["PATCH", pathTo(path, id)]}
				schema={ConnectionUpdate}
				texts={t}
				edited={connection}
				fields={[
					"name",
					{ name: "secretKey", kind: "password", autoComplete: "off", hint: t.secretKeyStays },
					{ name: "webhookSecret", kind: "password", autoComplete: "off", hint: t.webhookSecretStays },
					entityField(entities),
				]}
				onDone={() => t.connectionSaved}
			/>
			<ConfirmButton
				{...confirmation(t, "archive", { name })}
				isDanger
				perform={["POST", `${pathTo(path, id)}/archive`]}
			/>
		</>
	);
}
