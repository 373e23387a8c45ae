import { useState } from "react";
import type { LegalEntityDetails } from "../../../areas/legal-entities/schema";
import { send } from "../../api";
import { Dialog } from "../../kit/dialog";
import { Form, NumberField, TextField } from "../../kit/form";
import { IssuerWarnings } from "../../kit/issuer-warnings";
import { useList } from "../../kit/list";
import { Card } from "../../kit/page";
import { RowsField } from "../../kit/rows-field";
import { Badge, Status } from "../../kit/status";
import { ListTable } from "../../kit/table";
import { t } from "../../messages/settings";
import { t as invoicing } from "../../messages/shared/invoicing";
import { may } from "../../session";

export function LegalEntities() {
	const list = useList<LegalEntityDetails>("/legal-entities");
	const [chosen, setChosen] = useState<LegalEntityDetails | "new">();
	const close = () => setChosen(undefined);
	const add = may("ENVIRONMENT:WRITE") && (
		<button type="button" className="solid" onClick={() => setChosen("new")}>
			{t.newEntity}
		</button>
	);
	return (
		<Card isFlush title={t.entities} text={t.entitiesText} actions={add}>
			<ListTable
				label={t.entities}
				list={list}
				rowKey={({ id }) => id}
				onOpen={may("ENVIRONMENT:WRITE") ? setChosen : undefined}
				empty={{ title: t.noEntities }}
				columns={[
					{ head: t.name, cell: ({ name }) => name },
					{ head: t.status, cell: (entity) => <State entity={entity} /> },
					{ head: t.prefix, isWide: true, cell: ({ numberFormat }) => <code>{numberFormat.invoicePrefix}</code> },
					{ head: t.country, isWide: true, cell: ({ address }) => address?.country ?? "–" },
					{ head: t.email, isWide: true, cell: ({ email }) => email ?? "–" },
				]}
			/>
			<Dialog
				kind="drawer"
				title={typeof chosen === "object" ? chosen.name : t.newEntity}
				isOpen={chosen !== undefined}
				onClose={close}
			>
				{chosen && <EntityForm entity={chosen === "new" ? undefined : chosen} onClose={close} />}
			</Dialog>
		</Card>
	);
}

function State({ entity: { archivedAt, isDefault, warnings } }: { readonly entity: LegalEntityDetails }) {
	if (archivedAt) return <Status of="ARCHIVED" />;
	return (
		<>
			{isDefault ? <Badge tone="good">{t.default}</Badge> : <Status of="ACTIVE" />}{" "}
			{warnings.length > 0 && <Badge tone="warn">{invoicing.incomplete}</Badge>}
		</>
	);
}

interface EntityFormProps {
	readonly entity: LegalEntityDetails | undefined;
	readonly onClose: () => void;
}

function EntityForm({ entity, onClose }: EntityFormProps) {
	const { name, address, taxIds, registration, email, bankAccount, paymentText, footer } = entity ?? {};
	const { language, netTerms, cashDiscount, numberFormat } = entity ?? {};
	return (
		<Form
			action={t.save}
			initial={{
				...{ name, address, taxIds, registration, email, bankAccount, paymentText, footer },
				...{ language, netTerms, cashDiscount },
				numberFormat: numberFormat && {
					invoicePrefix: numberFormat.invoicePrefix,
					creditNotePrefix: numberFormat.creditNotePrefix,
				},
			}}
			onCancel={onClose}
			submit={(body) =>
				entity ? send("PATCH", `/legal-entities/${entity.id}`, body) : send("POST", "/legal-entities", body)
			}
			onDone={onClose}
		>
			<IssuerWarnings of={entity?.warnings ?? []} />
			<TextField name="name" label={t.name} isRequired />
			<div className="columns">
				<TextField name="numberFormat.invoicePrefix" label={t.prefix} isRequired />
				<TextField name="numberFormat.creditNotePrefix" label={t.creditNotePrefix} isRequired />
			</div>
			<div className="columns">
				<TextField name="address.line1" label={t.line1} />
				<TextField name="address.postalCode" label={t.postalCode} />
				<TextField name="address.city" label={t.city} />
				<TextField name="address.country" label={t.country} />
			</div>
			<RowsField
				name="taxIds"
				label={invoicing.taxIds}
				add={invoicing.addTaxId}
				newRow={{ type: "eu_vat" }}
				rowsMax={20}
			>
				{() => (
					<>
						<TextField name="type" label={invoicing.taxIdType} isRequired />
						<TextField name="value" label={invoicing.taxIdValue} isRequired />
					</>
				)}
			</RowsField>
			<div className="columns">
				<TextField name="email" label={t.email} type="email" />
				<TextField name="registration" label={t.registration} />
				<TextField name="language" label={t.language} placeholder="en" />
				<NumberField name="netTerms" label={t.netTerms} unit={t.days} step={1} />
				<NumberField name="cashDiscount.percentage" label={invoicing.cashDiscount} unit="%" />
				<NumberField name="cashDiscount.days" label={invoicing.cashDiscountDays} unit={t.days} step={1} />
			</div>
			<div className="columns">
				<TextField name="bankAccount.iban" label={t.iban} />
				<TextField name="bankAccount.bic" label={t.bic} />
				<TextField name="bankAccount.bankName" label={t.bankName} />
			</div>
			<TextField name="paymentText" label={t.paymentText} isLong />
			<TextField name="footer" label={t.footer} isLong />
		</Form>
	);
}
