import { useState } from "react";
import {
	type CustomerInvoicing,
	CustomerInvoicingUpdate,
	taxExemptions,
} from "../../../areas/customers/schema.invoicing";
import type { LegalEntityDetails } from "../../../areas/legal-entities/schema";
import { send } from "../../api";
import { Dialog } from "../../kit/dialog";
import { Form, NumberField, SelectField, TextField } from "../../kit/form";
import { formatPercent } from "../../kit/format";
import { useOne } from "../../kit/list";
import { Card, Facts } from "../../kit/page";
import { toast } from "../../kit/toasts";
import { t } from "../../messages/shared/invoicing";
import { words } from "../../messages/shared/words";
import { may } from "../../session";
import type { OfCustomer } from "./of";

/** Shows a customer's issuer, tax exemption and cash discount. */
export function InvoicingCard({ customer }: OfCustomer) {
	const path = `/customers/${encodeURIComponent(customer.id)}/invoicing`;
	const { data: invoicing } = useOne<CustomerInvoicing>(path);
	const { data: entities = [] } = useOne<readonly LegalEntityDetails[]>("/legal-entities?limit=100");
	const [isOpen, setOpen] = useState(false);
	if (!invoicing) return null;
	const { legalEntityId, taxExemption, taxExemptionProvision: provision, cashDiscount } = invoicing;
	const isEditable = may("CUSTOMER:WRITE") && !customer.archivedAt;
	return (
		<Card
			title={t.invoicing}
			actions={
				isEditable && (
					<button type="button" onClick={() => setOpen(true)}>
						{t.editInvoicing}
					</button>
				)
			}
		>
			<Facts
				of={[
					[t.issuer, entities.find(({ id }) => id === legalEntityId)?.name ?? legalEntityId ?? t.defaultIssuer],
					[t.taxExemption, taxExemption ? [t[taxExemption], provision].filter(Boolean).join(": ") : t.noExemption],
					[
						t.cashDiscount,
						cashDiscount
							? t.cashDiscountTerms({
									percentage: formatPercent(cashDiscount.percentage / 100),
									days: cashDiscount.days,
								})
							: "–",
					],
				]}
			/>
			<Dialog title={t.editInvoicing} isOpen={isOpen} onClose={() => setOpen(false)}>
				<InvoicingForm invoicing={invoicing} path={path} entities={entities} onClose={() => setOpen(false)} />
			</Dialog>
		</Card>
	);
}

interface InvoicingFormProps {
	readonly invoicing: CustomerInvoicing;
	readonly path: string;
	readonly entities: readonly LegalEntityDetails[];
	readonly onClose: () => void;
}

const edited = ["legalEntityId", "taxExemption", "taxExemptionProvision", "cashDiscount"] as const;

function InvoicingForm({ invoicing, path, entities, onClose }: InvoicingFormProps) {
	return (
		<Form
			schema={CustomerInvoicingUpdate}
			action={words.save}
			initial={Object.fromEntries(edited.map((name) => [name, invoicing[name] ?? undefined]))}
			// An emptied field is removed.
			submit={(body) => send("PATCH", path, Object.fromEntries(edited.map((name) => [name, body[name] ?? null])))}
			onCancel={onClose}
			onDone={() => {
				onClose();
				toast(t.saved);
			}}
		>
			<SelectField
				name="legalEntityId"
				label={t.issuer}
				none={t.defaultIssuer}
				options={entities
					.filter(({ id, archivedAt }) => archivedAt === null || id === invoicing.legalEntityId)
					.map(({ id, name }) => ({ value: id, label: name }))}
			/>
			<SelectField
				name="taxExemption"
				label={t.taxExemption}
				none={t.noExemption}
				options={taxExemptions.map((value) => ({ value, label: t[value] }))}
			/>
			<TextField name="taxExemptionProvision" label={t.provision} hint={t.provisionHint} />
			<div className="columns">
				<NumberField name="cashDiscount.percentage" label={t.cashDiscount} unit="%" hint={t.cashDiscountHint} />
				<NumberField name="cashDiscount.days" label={t.cashDiscountDays} unit={t.days} step={1} />
			</div>
		</Form>
	);
}
