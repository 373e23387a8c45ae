import type { Static } from "@sinclair/typebox";
import { useState } from "react";
import { Link } from "wouter";
import { scimPath } from "../../../areas/identity-providers/rules";
import {
	type IdentityProvider,
	IdentityProviderUpdate,
	providersMax,
	type ScimToken,
} from "../../../areas/identity-providers/schema";
import { pathTo, send } from "../../api";
import { Id } from "../../kit/copy";
import { ConfirmButton, confirmation } from "../../kit/dialog";
import { Form } from "../../kit/forms/form";
import { Icon } from "../../kit/icons";
import { Card, Empty, Loaded } from "../../kit/page";
import { Secret } from "../../kit/secret";
import { toast } from "../../kit/toasts";
import { Badge } from "../../kit/values";
import { t } from "../../messages/access/identity-providers";
import { mayAsOwner } from "../../session";
import { bodyOf, enteredOf, useProviderFields } from "./identity-providers";

const listPath = "/settings/identity-providers";

interface OfProvider {
	readonly provider: IdentityProvider;
}

const pathOf = ({ id }: IdentityProvider): string => pathTo("/identity-providers", id);

/** Finds the provider in the list: an account has few of them. */
export const ProviderPage = ({ id }: { readonly id: string }) => (
	<Loaded<IdentityProvider[]> path={`/identity-providers?limit=${providersMax}`} lines={8}>
		{(providers) => {
			const provider = providers.find((one) => one.id === id);
			return provider ? <ProviderView provider={provider} /> : <Empty title={t.nothingHere} />;
		}}
	</Loaded>
);

const ProviderView = ({ provider }: OfProvider) => (
	<>
		<Link href={listPath} className="parent">
			<Icon name="left" size={12} /> {t.title}
		</Link>
		<Card title={t.atProvider} text={t.atProviderText}>
			<Address name={t.callback} path={provider.callbackPath} />
			<Address name={t.start} path={`${provider.startPath}?returnTo=/console`} />
		</Card>
		<Card title={provider.name}>
			{mayAsOwner() ? <ProviderForm provider={provider} /> : <p className="quiet">{t.forOwners}</p>}
		</Card>
		<Requirement provider={provider} />
		<Scim provider={provider} />
		{mayAsOwner() && <Removal provider={provider} />}
	</>
);

/** An address of this server, to copy. */
const Address = ({ name, path }: { readonly name: string; readonly path: string }) => (
	<div>
		<p className="quiet small">{name}</p>
		<Id of={new URL(path, location.origin).href} />
	</div>
);

const ProviderForm = ({ provider }: OfProvider) => (
	<Form
		to={["PATCH", pathOf(provider)]}
		schema={IdentityProviderUpdate}
		texts={t}
		edited={{ ...provider, roleMapping: enteredOf(provider.roleMapping) }}
		fields={useProviderFields(t.secretStays, t.issuerChanges)}
		body={bodyOf}
		onDone={() => toast(t.saved)}
	/>
);

function Requirement({ provider }: OfProvider) {
	const { name, isRequired } = provider;
	const action = isRequired ? "allow" : "require";
	return (
		<Card
			title={t.requiredTitle}
			text={isRequired ? t.requiredText : t.optionalText}
			actions={
				mayAsOwner() && (
					<ConfirmButton
						{...confirmation(t, action, { name })}
						isDanger={!isRequired}
						perform={["PATCH", pathOf(provider), { isRequired: !isRequired }]}
					/>
				)
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
	const actions = mayAsOwner() && (
		<>
			{hasScimToken && <ConfirmButton {...confirmation(t, "endToken", { name })} isDanger perform={["DELETE", path]} />}
			{hasScimToken ? (
				<ConfirmButton {...confirmation(t, "replaceToken", { name })} perform={make} />
			) : (
				<ConfirmButton label={t.makeToken} title={t.makeToken} says={t.scimText} perform={make} />
			)}
		</>
	);
	return (
		<Card title={t.scimTitle} text={t.scimText} actions={actions}>
			<div>
				<Badge tone={hasScimToken ? "good" : "quiet"}>{hasScimToken ? t.hasToken : t.noToken}</Badge>
			</div>
			<Address name={t.base} path={scimPath} />
			<Secret
				title={t.tokenTitle}
				text={t.tokenText}
				secrets={made && { [t.token]: made.token, [t.base]: new URL(made.basePath, location.origin).href }}
				onClose={() => setMade(undefined)}
			/>
		</Card>
	);
}

const Removal = ({ provider }: OfProvider) => (
	<Card
		title={t.remove}
		text={t.removeText}
		actions={
			<ConfirmButton
				{...confirmation(t, "remove", { name: provider.name })}
				isDanger
				perform={["DELETE", pathOf(provider)]}
				leadsTo={listPath}
			/>
		}
	/>
);
