import type { Static } from "@sinclair/typebox";
import { useState } from "react";
import type { Environment, EnvironmentWithKeys } from "../../../areas/access/environments/schema";
import { send } from "../../api";
import { Dialog } from "../../kit/dialog";
import { Form, SelectField, TextField } from "../../kit/form";
import { useList } from "../../kit/list";
import { Ago } from "../../kit/money";
import { Card } from "../../kit/page";
import { Secret } from "../../kit/secret";
import { Status } from "../../kit/status";
import { ListTable } from "../../kit/table";
import { t } from "../../messages/settings";
import { chooseEnvironment, currentEnvironmentId, may } from "../../session";

type Made = Static<typeof EnvironmentWithKeys>;

export function Environments() {
	const list = useList<Environment>("/environments");
	const [isAdding, setAdding] = useState(false);
	const [made, setMade] = useState<Made>();
	const add = may("ENVIRONMENT:WRITE") && (
		<button type="button" className="solid" onClick={() => setAdding(true)}>
			{t.newEnvironment}
		</button>
	);
	return (
		<Card isFlush title={t.environments} actions={add}>
			<ListTable
				label={t.environments}
				list={list}
				rowKey={({ id }) => id}
				empty={{ title: t.none }}
				columns={[
					{ head: t.name, cell: ({ name }) => name },
					{ head: t.type, cell: ({ type }) => type.toLowerCase() },
					{ head: t.status, cell: ({ status }) => <Status of={status} /> },
					{ head: t.created, isWide: true, cell: ({ createdAt }) => <Ago at={createdAt} isMachineTime /> },
					{ head: t.actions, cell: (one) => <Open environment={one} /> },
				]}
			/>
			<Dialog title={t.newEnvironment} isOpen={isAdding} onClose={() => setAdding(false)}>
				<Form
					action={t.create}
					initial={{ type: "SANDBOX" }}
					onCancel={() => setAdding(false)}
					submit={(body) => send("POST", "/environments", body)}
					onDone={({ data }: { data: Made }) => {
						setAdding(false);
						setMade(data);
					}}
				>
					<TextField name="name" label={t.name} isRequired />
					<SelectField
						name="type"
						label={t.type}
						options={(["SANDBOX", "DEVELOPMENT", "PRODUCTION"] as const).map((value) => ({ value, label: t[value] }))}
					/>
				</Form>
			</Dialog>
			<Secret
				title={t.keysShown}
				text={t.keysShownText}
				secrets={
					made && {
						...(made.fullAccessKey !== null && { [t.fullAccess]: made.fullAccessKey }),
						[t.publishable]: made.publishableKey,
					}
				}
				done={t.close}
				copyLabel={t.copy}
				onClose={() => setMade(undefined)}
			/>
		</Card>
	);
}

function Open({ environment: { id, status } }: { readonly environment: Environment }) {
	if (id === currentEnvironmentId() || status === "ARCHIVED") return null;
	return (
		<button type="button" className="small" onClick={() => chooseEnvironment(id)}>
			{t.open}
		</button>
	);
}
