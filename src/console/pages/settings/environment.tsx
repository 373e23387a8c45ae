import { useState } from "react";
import type { Environment } from "../../../areas/access/environments/schema";
import { send } from "../../api";
import { Id } from "../../kit/copy";
import { ConfirmButton } from "../../kit/dialog";
import { CheckboxField, Form, SelectField, TextField } from "../../kit/form";
import { useOne } from "../../kit/list";
import { Card, Facts, Skeleton } from "../../kit/page";
import { Problem } from "../../kit/problem";
import { Secret } from "../../kit/secret";
import { toast } from "../../kit/toasts";
import { t } from "../../messages/settings";
import { currentEnvironmentId, may } from "../../session";

export function EnvironmentSettings() {
	const path = `/environments/${currentEnvironmentId()}`;
	const { data: environment, error, refetch } = useOne<Environment>(path);
	if (error) return <Problem error={error} retry={() => void refetch()} />;
	if (!environment) return <Skeleton lines={6} />;
	return (
		<>
			<Card>
				<Facts
					of={[
						[t.id, <Id key="id" of={environment.id} />],
						[t.type, environment.type],
					]}
				/>
				{may("ENVIRONMENT:WRITE") && <Change environment={environment} path={path} />}
			</Card>
			{may("ENVIRONMENT:WRITE") && (
				<Card title={t.archive} text={t.archiveSays({ name: environment.name })}>
					<div className="actions">
						<ConfirmButton
							label={t.archive}
							title={t.archiveTitle}
							says={<p>{t.archiveSays({ name: environment.name })}</p>}
							perform={() => send("POST", `${path}/archive`)}
							onDone={() => location.assign("/console")}
							isDanger
						/>
					</div>
				</Card>
			)}
		</>
	);
}

interface Changed {
	readonly data: { readonly signingSecret: string | null };
}

function Change({ environment, path }: { readonly environment: Environment; readonly path: string }) {
	const [secret, setSecret] = useState<string>();
	const { name, unknownCustomers, clientHardening, billingAnchor, defaultCurrency, allowedOrigins } = environment;
	return (
		<>
			<Form
				action={t.save}
				initial={{
					...{ name, unknownCustomers, clientHardening, billingAnchor, defaultCurrency },
					allowedOrigins: allowedOrigins.join("\n"),
				}}
				submit={({ allowedOrigins: origins = "", ...body }) =>
					send("PATCH", path, { ...body, allowedOrigins: String(origins).split(/\s+/).filter(Boolean) })
				}
				onDone={({ data }: Changed) => {
					toast(t.saved);
					setSecret(data.signingSecret ?? undefined);
				}}
			>
				<div className="columns">
					<TextField name="name" label={t.name} isRequired />
					<TextField name="defaultCurrency" label={t.defaultCurrency} />
					<SelectField
						name="unknownCustomers"
						label={t.unknownCustomers}
						options={(["refuse", "accept"] as const).map((value) => ({ value, label: t[value] }))}
					/>
					<SelectField
						name="billingAnchor"
						label={t.billingAnchor}
						options={(["SUBSCRIPTION_START", "START_OF_THE_MONTH"] as const).map((value) => ({
							value,
							label: t[value],
						}))}
					/>
				</div>
				<TextField name="allowedOrigins" label={t.origins} hint={t.originsHint} isLong />
				<CheckboxField name="clientHardening" label={t.clientHardening} hint={t.clientHardeningHint} />
			</Form>
			<Secret
				title={t.signing}
				text={t.keysShownText}
				secrets={secret === undefined ? undefined : { [t.signing]: secret }}
				done={t.close}
				copyLabel={t.copy}
				onClose={() => setSecret(undefined)}
			/>
		</>
	);
}
