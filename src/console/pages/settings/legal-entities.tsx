import { LegalEntityCreate, type LegalEntityDetails, LegalEntityUpdate } from "../../../areas/legal-entities/schema";
import { pathTo } from "../../api";
import { Form } from "../../kit/forms/form";
import { FormButton } from "../../kit/forms/form-dialog";
import type { FieldSpec } from "../../kit/forms/form-fields";
import { IssuerWarnings } from "../../kit/issuer-warnings";
import { ListCard } from "../../kit/list-card";
import { Badge, Status } from "../../kit/values";
import { t as settings } from "../../messages/settings";
import { t as invoicing } from "../../messages/shared/invoicing";
import { may } from "../../session";

const t = { ...invoicing, ...settings };

const fields: readonly FieldSpec[] = [
	"name",
	["numberFormat.invoicePrefix", "numberFormat.creditNotePrefix"],
	["address.line1", "address.postalCode", "address.city", "address.country"],
	{
		name: "taxIds",
		add: t.addTaxId,
		newRow: { type: "eu_vat" },
		rows: [
			{ name: "type", label: t.taxIdType },
			{ name: "value", label: t.taxIdValue },
		],
	},
	[
		"email",
		"registration",
		{ name: "language", kind: "text", placeholder: "en" },
		{ name: "netTerms", unit: t.days },
		{ name: "cashDiscount.percentage", label: t.cashDiscount, unit: "%" },
		{ name: "cashDiscount.days", label: t.cashDiscountDays, unit: t.days },
	],
	["bankAccount.iban", "bankAccount.bic", "bankAccount.bankName"],
	{ name: "paymentText", kind: "long" },
	{ name: "footer", kind: "long" },
];

export function LegalEntities() {
	const mayWrite = may("ENVIRONMENT:WRITE");
	return (
		<ListCard<LegalEntityDetails>
			title={t.entities}
			text={t.entitiesText}
			path="/legal-entities"
			actions={
				mayWrite && (
					<FormButton
						label={t.newEntity}
						kind="drawer"
						isMain
						to={["POST", "/legal-entities"]}
						schema={LegalEntityCreate}
						texts={t}
						fields={fields}
						action={t.save}
					/>
				)
			}
			empty={{ title: t.noEntities }}
			{...(mayWrite && {
				details: {
					title: ({ name }) => name,
					show: (entity, close) => <EntityForm entity={entity} onClose={close} />,
				},
			})}
			columns={[
				{ head: t.name, cell: ({ name }) => name },
				{ head: t.status, cell: (entity) => <State entity={entity} /> },
				{ head: t.invoicePrefix, isWide: true, cell: ({ numberFormat }) => <code>{numberFormat.invoicePrefix}</code> },
				{ head: t.country, isWide: true, cell: ({ address }) => address?.country ?? "–" },
				{ head: t.email, isWide: true, cell: ({ email }) => email ?? "–" },
			]}
		/>
	);
}

interface OfEntity {
	readonly entity: LegalEntityDetails;
}

function State({ entity: { archivedAt, isDefault, warnings } }: OfEntity) {
	if (archivedAt) return <Status of="ARCHIVED" />;
	return (
		<>
			{isDefault ? <Badge tone="good">{t.default}</Badge> : <Status of="ACTIVE" />}{" "}
			{warnings.length > 0 && <Badge tone="warn">{t.incomplete}</Badge>}
		</>
	);
}

const EntityForm = ({ entity, onClose }: OfEntity & { readonly onClose: () => void }) => (
	<Form
		to={["PATCH", pathTo("/legal-entities", entity.id)]}
		schema={LegalEntityUpdate}
		texts={t}
		edited={entity}
		fields={fields}
		onCancel={onClose}
		onDone={onClose}
	>
		<IssuerWarnings of={entity.warnings} />
	</Form>
);
