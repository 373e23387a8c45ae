import type { Static } from "@sinclair/typebox";
import { useState } from "react";
import {
	type Environment,
	EnvironmentCreate,
	EnvironmentUpdate,
	type EnvironmentWithKeys,
} from "../../../areas/access/environments/schema";
import { pathTo } from "../../api";
import { Id } from "../../kit/copy";
import { ConfirmButton, confirmation } from "../../kit/dialog";
import { Form } from "../../kit/forms/form";
import { FormButton } from "../../kit/forms/form-dialog";
import { ListCard } from "../../kit/list-card";
import { Card, Facts, Loaded } from "../../kit/page";
import { Secret } from "../../kit/secret";
import { statusColumn } from "../../kit/table";
import { toast } from "../../kit/toasts";
import { Ago } from "../../kit/values";
import { t } from "../../messages/settings";
import { t as taxTexts } from "../../messages/taxes";
import { chooseEnvironment, currentEnvironmentId, may } from "../../session";
import { TaxesField } from "../taxes/choice";

export function EnvironmentSettings() {
	const path = pathTo("/environments", currentEnvironmentId());
	const mayWrite = may("ENVIRONMENT:WRITE");
	return (
		<Loaded<Environment> path={path}>
			{(environment) => (
				<>
					<Card>
						<Facts of={{ [t.id]: <Id of={environment.id} />, [t.type]: environment.type }} />
						{mayWrite && <EnvironmentForm environment={environment} path={path} />}
					</Card>
					{mayWrite && (
						<Card title={t.archive} text={t.archiveSays({ name: environment.name })}>
							<div className="actions">
								<ConfirmButton
									{...confirmation(t, "archive", { name: environment.name })}
									isDanger
									perform={["POST", `${path}/archive`]}
									onDone={() => location.assign("/console")}
								/>
							</div>
						</Card>
					)}
				</>
			)}
		</Loaded>
	);
}

/** The API leaves defaults out. */
const taxAndDiscount = ({ taxes, taxRounding = "LINE", discountStacking = "ONE" }: Environment) => ({
	...(taxes && { taxes }),
	taxRounding,
	discountStacking,
});

const roundings = [
	{ value: "LINE", label: t.roundedByLine },
	{ value: "INVOICE", label: t.roundedByInvoice },
];

const EnvironmentTaxes = () => <TaxesField inherited={taxTexts.none} />;

/** Client hardening creates a signing secret, which the API returns once. */
function EnvironmentForm({ environment, path }: { readonly environment: Environment; readonly path: string }) {
	const [secret, setSecret] = useState<string>();
	return (
		<>
			<Form
				to={["PATCH", path]}
				schema={EnvironmentUpdate}
				texts={t}
				edited={environment}
				initial={taxAndDiscount(environment)}
				fields={[
					["name", { name: "defaultCurrency", kind: "text" }, "unknownCustomers"],
					["billingAnchor", "prorationMode"],
					["timeZone", "timeZoneSource"],
					[{ name: "taxRounding", kind: "select", options: roundings }, "discountStacking"],
					"booksClosedUntil",
					EnvironmentTaxes,
					"allowedOrigins",
					"clientHardening",
					"governance",
				]}
				onDone={({ signingSecret }: { readonly signingSecret: string | null }) => {
					toast(t.saved);
					setSecret(signingSecret ?? undefined);
				}}
			/>
			<Secret
				title={t.signing}
				text={t.keysShownText}
				secrets={secret === undefined ? undefined : { [t.signing]: secret }}
				onClose={() => setSecret(undefined)}
			/>
		</>
	);
}

type Made = Static<typeof EnvironmentWithKeys>;

export function Environments() {
	const [made, setMade] = useState<Made>();
	const add = may("ENVIRONMENT:WRITE") && (
		<FormButton
			label={t.newEnvironment}
			isMain
			to={["POST", "/environments"]}
			schema={EnvironmentCreate}
			texts={t}
			initial={{ type: "SANDBOX" }}
			fields={["name", "type"]}
			onDone={(environment: Made) => setMade(environment)}
		/>
	);
	const keys = made && {
		...(made.fullAccessKey !== null && { [t.fullAccess]: made.fullAccessKey }),
		[t.publishable]: made.publishableKey,
	};
	return (
		<>
			<ListCard<Environment>
				title={t.environments}
				path="/environments"
				actions={add}
				columns={[
					{ head: t.name, cell: ({ name }) => name },
					{ head: t.type, cell: ({ type }) => type.toLowerCase() },
					statusColumn,
					{ head: t.createdAt, isWide: true, cell: ({ createdAt }) => <Ago at={createdAt} isMachineTime /> },
					{ head: t.actions, cell: (one) => <Open environment={one} /> },
				]}
			/>
			<Secret title={t.keysShown} text={t.keysShownText} secrets={keys} onClose={() => setMade(undefined)} />
		</>
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
