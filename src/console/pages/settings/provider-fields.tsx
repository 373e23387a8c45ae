import type { RoleView } from "../../../areas/access/members/schema";
import type { RoleMapping } from "../../../areas/identity-providers/schema";
import { SelectField, TextField } from "../../kit/form";
import { useOne } from "../../kit/list";
import { LinesField, RowsField } from "../../kit/rows-field";
import { t } from "../../messages/identity-providers";

/** As the form knows it; the API says null. */
const nobody = "NOBODY";

/** Of a provider that is new, or of one that is changed. */
export function ProviderFields({ secretHint, issuerHint }: { secretHint: string; issuerHint?: string }) {
	return (
		<>
			<TextField name="name" label={t.name} isRequired />
			<TextField name="issuer" label={t.issuer} hint={issuerHint ?? t.issuerHint} type="url" isRequired />
			<div className="columns">
				<TextField name="clientId" label={t.clientId} isRequired />
				<TextField name="clientSecret" label={t.clientSecret} hint={secretHint} type="password" />
			</div>
			<LinesField name="domains" label={t.domains} hint={t.domainsHint} />
			<RoleFields />
		</>
	);
}

function RoleFields() {
	const { data: roles = [] } = useOne<RoleView[]>("/roles");
	const options = roles.map(({ id, name }) => ({ value: id, label: name }));
	return (
		<>
			<div>
				<h3>{t.roles}</h3>
				<p className="hint">{t.rolesText}</p>
			</div>
			<RowsField
				name="roleMapping.groups"
				label={t.groups}
				add={t.addGroup}
				newRow={{ role: "READ_ONLY" }}
				rowsMax={200}
			>
				{() => (
					<>
						<TextField name="value" label={t.group} isRequired />
						<SelectField name="role" label={t.role} options={options} />
					</>
				)}
			</RowsField>
			<RowsField
				name="roleMapping.domains"
				label={t.byDomain}
				add={t.addDomain}
				newRow={{ role: "READ_ONLY" }}
				rowsMax={50}
			>
				{() => (
					<>
						<TextField name="domain" label={t.domain} isRequired />
						<SelectField name="role" label={t.role} options={options} />
					</>
				)}
			</RowsField>
			<div className="columns">
				<SelectField
					name="roleMapping.default"
					label={t.otherwise}
					options={[...options, { value: nobody, label: t.nobody }]}
				/>
				<TextField name="roleMapping.claim" label={t.claim} hint={t.claimHint} />
			</div>
		</>
	);
}

export const asEntered = ({ default: otherwise = "READ_ONLY", ...mapping }: RoleMapping) => ({
	...mapping,
	default: otherwise ?? nobody,
});

export function asSent(body: Record<string, unknown>): Record<string, unknown> {
	const { default: otherwise, ...mapping } = (body.roleMapping ?? {}) as RoleMapping;
	return { ...body, roleMapping: { ...mapping, default: otherwise === nobody ? null : otherwise } };
}
