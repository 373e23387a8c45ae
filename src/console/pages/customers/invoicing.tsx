import { type CustomerInvoicing, CustomerInvoicingUpdate } from "../../../areas/customers/schema.invoicing";
import type { LegalEntityDetails } from "../../../areas/legal-entities/schema";
import { pathTo } from "../../api";
import { formatPercent } from "../../kit/format";
import { FormButton } from "../../kit/forms/form-dialog";
import { useOne } from "../../kit/list";
import { Card, Facts } from "../../kit/page";
import { namedOptions } from "../../kit/values";
import { t } from "../../messages/shared/invoicing";
import { may } from "../../session";
import type { OfCustomer } from "./lists";

/** The issuer, tax exemption and cash discount of a customer. */
export function InvoicingCard({ customer }: OfCustomer) {
	const path = `${pathTo("/customers", customer.id)}/invoicing`;
	const { data: invoicing } = useOne<CustomerInvoicing>(path);
	const { data: entities = [] } = useOne<readonly LegalEntityDetails[]>("/legal-entities?limit=100");
	if (!invoicing) return null;
	const { legalEntityId, taxExemption, taxExemptionProvision: provision, cashDiscount } = invoicing;
	const issuers = entities.filter(({ id, archivedAt }) => archivedAt === null || id === legalEntityId);
	const edit = may("CUSTOMER:WRITE") && !customer.archivedAt && (
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
		<Card title={t.invoicing} actions={edit}>
			<Facts
				of={{
					[t.legalEntityId]:
						entities.find(({ id }) => id === legalEntityId)?.name ?? legalEntityId ?? t.legalEntityIdNone,
					[t.taxExemption]: taxExemption ? [t[taxExemption], provision].filter(Boolean).join(": ") : t.taxExemptionNone,
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
