import type { RoleView } from "../../../areas/access/members/schema";
import {
	type IdentityProvider,
	IdentityProviderCreate,
	type RoleMapping,
} from "../../../areas/identity-providers/schema";
import { FormButton } from "../../kit/forms/form-dialog";
import type { FieldSpec } from "../../kit/forms/form-fields";
import { useOne } from "../../kit/list";
import { ListCard } from "../../kit/list-card";
import { Badge, namedOptions } from "../../kit/values";
import { t } from "../../messages/access/identity-providers";
import { mayAsOwner } from "../../session";

const path = "/identity-providers";

const pageOf = ({ id }: IdentityProvider): string => `/settings${path}/${id}`;

export function IdentityProviders() {
	const fields = useProviderFields(t.clientSecretHint);
	const add = mayAsOwner() && (
		<FormButton
			label={t.add}
			kind="drawer"
			isMain
			to={["POST", path]}
			schema={IdentityProviderCreate}
			texts={t}
			initial={{ "roleMapping.default": "READ_ONLY" }}
			fields={fields}
			body={bodyOf}
			leadsTo={pageOf}
		/>
	);
	return (
		<ListCard<IdentityProvider>
			title={t.title}
			text={t.text}
			path={path}
			actions={add}
			href={pageOf}
			empty={{ title: t.none, text: t.noneText }}
			columns={[
				{ head: t.name, cell: ({ name }) => name },
				{ head: t.issuer, isWide: true, cell: ({ issuer }) => issuer },
				{ head: t.domains, isWide: true, cell: ({ domains }) => domains.join(", ") || "–" },
				{
					head: t.passwords,
					cell: ({ isRequired }) => (
						<Badge tone={isRequired ? "info" : "quiet"}>{isRequired ? t.onlyProvider : t.optional}</Badge>
					),
				},
				{ head: t.scim, isWide: true, cell: ({ hasScimToken }) => (hasScimToken ? t.provisions : "–") },
			]}
		/>
	);
}

/** The form has a word for no access; the API has null. */
const nobody = "NOBODY";

/** The fields of a new provider, or of one that is edited. */
export function useProviderFields(secretHint: string, issuerHint: string = t.issuerHint): readonly FieldSpec[] {
	const { data: roles = [] } = useOne<RoleView[]>("/roles");
	const options = namedOptions(roles);
	const role = { name: "role", kind: "select", options } as const;
	const newRow = { role: "READ_ONLY" };
	return [
		"name",
		{ name: "issuer", kind: "url", hint: issuerHint },
		["clientId", { name: "clientSecret", kind: "password", hint: secretHint }],
		"domains",
		RolesHeading,
		{ name: "roleMapping.groups", rows: [{ name: "value", label: t.group }, role], add: t.addGroup, newRow },
		{ name: "roleMapping.domains", label: t.byDomain, hint: "", rows: ["domain", role], add: t.addDomain, newRow },
		[
			{
				name: "roleMapping.default",
				kind: "select",
				label: t.otherwise,
				options: [...options, { value: nobody, label: t.nobody }],
			},
			"roleMapping.claim",
		],
	];
}

const RolesHeading = () => (
	<div>
		<h3>{t.roles}</h3>
		<p className="hint">{t.rolesText}</p>
	</div>
);

export const enteredOf = ({ default: otherwise = "READ_ONLY", ...mapping }: RoleMapping) => ({
	...mapping,
	default: otherwise ?? nobody,
});

export function bodyOf(entered: Record<string, unknown>): Record<string, unknown> {
	const { default: otherwise, ...mapping } = (entered.roleMapping ?? {}) as RoleMapping;
	return { ...entered, roleMapping: { ...mapping, default: otherwise === nobody ? null : otherwise } };
}
