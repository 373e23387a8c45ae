import { CustomerUpdate } from "../../../areas/customers/schema";
import { type CustomerInvoicing, CustomerInvoicingUpdate } from "../../../areas/customers/schema.invoicing";
import type { LegalEntityDetails } from "../../../areas/legal-entities/schema";
import { pathTo } from "../../api";
import { formatPercent } from "../../kit/format";
import { FormButton } from "../../kit/forms/form-dialog";
import { useOne } from "../../kit/list";
import { Card, Facts } from "../../kit/page";
import { namedOptions } from "../../kit/values";
import { t } from "../../messages/shared/invoicing";
import { t as taxTexts } from "../../messages/taxes";
import { may } from "../../session";
import { TaxesField, TaxNames } from "../taxes/choice";
import type { OfCustomer } from "./lists";

const CustomerTaxes = () => <TaxesField inherited={taxTexts.asEnvironment} />;

/** The issuer, taxes, tax exemption and cash discount of a customer. */
export function InvoicingCard({ customer }: OfCustomer) {
	const path = `${pathTo("/customers", customer.id)}/invoicing`;
	const { data: invoicing } = useOne<CustomerInvoicing>(path);
	const { data: entities = [] } = useOne<readonly LegalEntityDetails[]>("/legal-entities?limit=100");
	if (!invoicing) return null;
	const { legalEntityId, taxExemption, taxExemptionProvision: provision, cashDiscount } = invoicing;
	const issuers = entities.filter(({ id, archivedAt }) => archivedAt === null || id === legalEntityId);
	const editTaxes = (
		<FormButton
			label={taxTexts.edit}
			to={["PATCH", pathTo("/customers", customer.id)]}
			schema={CustomerUpdate}
			texts={t}
			edited={{}}
			initial={{ taxes: customer.taxes }}
			fields={[CustomerTaxes]}
			onDone={() => t.saved}
		/>
	);
	const edit = (
		<FormButton
			label={t.editInvoicing}
			to={["PATCH", path]}
			schema={CustomerInvoicingUpdate}
			texts={t}
			edited={invoicing}
			fields={[
				{ name: "legalEntityId", kind: "select", options: namedOptions(issuers) },
				"taxExemption",
				"taxExemptionProvision",
				[
					{ name: "cashDiscount.percentage", label: t.cashDiscount, hint: t.cashDiscountHint, unit: "%" },
					{ name: "cashDiscount.days", label: t.cashDiscountDays, unit: t.days },
				],
			]}
			onDone={() => t.saved}
		/>
	);
	return (
		<Card
			title={t.invoicing}
			actions={
				may("CUSTOMER:WRITE") &&
				!customer.archivedAt && (
					<>
						{editTaxes}
						{edit}
					</>
				)
			}
		>
			<Facts
				of={{
					[t.legalEntityId]:
						entities.find(({ id }) => id === legalEntityId)?.name ?? legalEntityId ?? t.legalEntityIdNone,
					[t.taxExemption]: taxExemption ? [t[taxExemption], provision].filter(Boolean).join(": ") : t.taxExemptionNone,
					[taxTexts.title]: customer.taxes ? <TaxNames of={customer.taxes} /> : taxTexts.asEnvironment,
					[t.cashDiscount]: cashDiscount
						? t.cashDiscountTerms({
								percentage: formatPercent(cashDiscount.percentage / 100),
								days: cashDiscount.days,
							})
						: "–",
				}}
			/>
		</Card>
	);
}
