import { useState } from "react";
import { useLocation } from "wouter";
import { type IdentityProvider, IdentityProviderCreate } from "../../../areas/identity-providers/schema";
import { send } from "../../api";
import { Dialog } from "../../kit/dialog";
import { Form } from "../../kit/form";
import { useList } from "../../kit/list";
import { Card } from "../../kit/page";
import { Badge } from "../../kit/status";
import { ListTable } from "../../kit/table";
import { t } from "../../messages/identity-providers";
import { mayAsOwner } from "../../session";
import { asSent, ProviderFields } from "./provider-fields";

const path = "/identity-providers";

const pageOf = ({ id }: IdentityProvider): string => `/settings${path}/${id}`;

export function IdentityProviders() {
	const list = useList<IdentityProvider>(path);
	const [isAdding, setAdding] = useState(false);
	const [, navigate] = useLocation();
	const close = () => setAdding(false);
	const add = mayAsOwner() && (
		<button type="button" className="solid" onClick={() => setAdding(true)}>
			{t.add}
		</button>
	);
	return (
		<Card isFlush title={t.title} text={t.text} actions={list.rows?.length ? add : undefined}>
			<ListTable
				label={t.title}
				list={list}
				rowKey={({ id }) => id}
				href={pageOf}
				empty={{ title: t.none, text: t.noneText, action: add }}
				columns={[
					{ head: t.name, cell: ({ name }) => name },
					{ head: t.issuer, isWide: true, cell: ({ issuer }) => issuer },
					{ head: t.domains, isWide: true, cell: ({ domains }) => domains.join(", ") || "–" },
					{
						head: t.passwords,
						cell: ({ isRequired }) => (
							<Badge tone={isRequired ? "info" : "quiet"}>{isRequired ? t.required : t.beside}</Badge>
						),
					},
					{ head: t.scim, isWide: true, cell: ({ hasScimToken }) => (hasScimToken ? t.provisions : "–") },
				]}
			/>
			<Dialog kind="drawer" title={t.add} isOpen={isAdding} onClose={close}>
				<Form
					schema={IdentityProviderCreate}
					action={t.create}
					initial={{ "roleMapping.default": "READ_ONLY" }}
					onCancel={close}
					submit={(body) => send("POST", path, asSent(body))}
					onDone={({ data }: { data: IdentityProvider }) => navigate(pageOf(data))}
				>
					<ProviderFields secretHint={t.clientSecretHint} />
				</Form>
			</Dialog>
		</Card>
	);
}
