import type { Static } from "@sinclair/typebox";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { scimPath } from "../../../areas/identity-providers/rules";
import {
	type IdentityProvider,
	IdentityProviderUpdate,
	providersMax,
	type ScimToken,
} from "../../../areas/identity-providers/schema";
import { send } from "../../api";
import { Id } from "../../kit/copy";
import { ConfirmButton } from "../../kit/dialog";
import { Form } from "../../kit/form";
import { Icon } from "../../kit/icons";
import { useOne } from "../../kit/list";
import { Card, Empty, Skeleton } from "../../kit/page";
import { Problem } from "../../kit/problem";
import { Secret } from "../../kit/secret";
import { Badge } from "../../kit/status";
import { toast } from "../../kit/toasts";
import { t } from "../../messages/identity-providers";
import { mayAsOwner } from "../../session";
import { asEntered, asSent, ProviderFields } from "./provider-fields";

const lists = "/settings/identity-providers";

interface OfProvider {
	readonly provider: IdentityProvider;
}

const pathOf = ({ id }: IdentityProvider): string => `/identity-providers/${id}`;

/** An account has few of them: one is found in the list. */
export function ProviderPage({ id }: { readonly id: string }) {
	const { data, error, refetch } = useOne<IdentityProvider[]>(`/identity-providers?limit=${providersMax}`);
	const provider = data?.find((one) => one.id === id);
	if (error) return <Problem error={error} retry={() => void refetch()} />;
	if (!data) return <Skeleton lines={8} />;
	if (!provider) return <Empty title={t.nothingHere} />;
	return (
		<>
			<Link href={lists} className="parent">
				<Icon name="left" size={12} /> {t.title}
			</Link>
			<Card title={t.atProvider} text={t.atProviderText}>
				<Address name={t.callback} path={provider.callbackPath} />
				<Address name={t.start} path={`${provider.startPath}?returnTo=/console`} />
			</Card>
			<Card title={provider.name}>
				{mayAsOwner() ? <Change provider={provider} /> : <p className="quiet">{t.forOwners}</p>}
			</Card>
			<Requirement provider={provider} />
			<Scim provider={provider} />
			{mayAsOwner() && <Removal provider={provider} />}
		</>
	);
}

/** Of this server, to be copied. */
const Address = ({ name, path }: { readonly name: string; readonly path: string }) => (
	<div>
		<p className="quiet small">{name}</p>
		<Id of={new URL(path, location.origin).href} />
	</div>
);

function Change({ provider }: OfProvider) {
	const { name, issuer, clientId, domains, roleMapping } = provider;
	return (
		<Form
			schema={IdentityProviderUpdate}
			action={t.save}
			initial={{ name, issuer, clientId, domains, roleMapping: asEntered(roleMapping) }}
			submit={(body) => send("PATCH", pathOf(provider), asSent(body))}
			onDone={() => toast(t.saved)}
		>
			<ProviderFields secretHint={t.secretStays} issuerHint={t.issuerChanges} />
		</Form>
	);
}

function Requirement({ provider }: OfProvider) {
	const { name, isRequired } = provider;
	const set = (next: boolean) => () => send("PATCH", pathOf(provider), { isRequired: next });
	return (
		<Card
			title={t.requiredTitle}
			text={isRequired ? t.requiredText : t.besideText}
			actions={
				mayAsOwner() &&
				(isRequired ? (
					<ConfirmButton
						label={t.allow}
						title={t.allowTitle}
						says={<p>{t.allowSays({ name })}</p>}
						perform={set(false)}
					/>
				) : (
					<ConfirmButton
						label={t.require}
						title={t.requireTitle}
						says={<p>{t.requireSays({ name })}</p>}
						perform={set(true)}
						isDanger
					/>
				))
			}
		/>
	);
}

type Token = Static<typeof ScimToken>;

function Scim({ provider }: OfProvider) {
	const { name, hasScimToken } = provider;
	const [made, setMade] = useState<Token>();
	const path = `${pathOf(provider)}/scim-token`;
	const make = async () => setMade((await send<{ data: Token }>("POST", path)).data);
	return (
		<Card
			title={t.scimTitle}
			text={t.scimText}
			actions={
				mayAsOwner() && (
					<>
						{hasScimToken && (
							<ConfirmButton
								label={t.endToken}
								title={t.endTitle}
								says={<p>{t.endSays({ name })}</p>}
								perform={() => send("DELETE", path)}
								isDanger
							/>
						)}
						<ConfirmButton
							label={hasScimToken ? t.replaceToken : t.makeToken}
							title={hasScimToken ? t.replaceTitle : t.makeToken}
							says={<p>{hasScimToken ? t.replaceSays({ name }) : t.scimText}</p>}
							perform={make}
						/>
					</>
				)
			}
		>
			<div>
				<Badge tone={hasScimToken ? "good" : "quiet"}>{hasScimToken ? t.hasToken : t.noToken}</Badge>
			</div>
			<Address name={t.base} path={scimPath} />
			<Secret
				title={t.tokenTitle}
				text={t.tokenText}
				secrets={made && { [t.token]: made.token, [t.base]: new URL(made.basePath, location.origin).href }}
				done={t.close}
				copyLabel={t.copy}
				onClose={() => setMade(undefined)}
			/>
		</Card>
	);
}

function Removal({ provider }: OfProvider) {
	const [, navigate] = useLocation();
	const { name } = provider;
	return (
		<Card
			title={t.remove}
			text={t.removeText}
			actions={
				<ConfirmButton
					label={t.remove}
					title={t.removeTitle({ name })}
					says={<p>{t.removeSays}</p>}
					perform={() => send("DELETE", pathOf(provider))}
					onDone={() => navigate(lists)}
					isDanger
				/>
			}
		/>
	);
}
