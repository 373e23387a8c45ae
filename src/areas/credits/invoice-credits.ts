import { type Decimal, divide, exact, toDecimal } from "../../kernel/decimal";
import { addDays } from "../../kernel/period";
import type { Address } from "../../kernel/schema";
import type { Work } from "../../kernel/work";
import type { CurrencyRow } from "../currencies/table";
import type { CustomerRow } from "../customers/table";
import { customerAsParty, issueInvoice } from "../invoices/operations";
import type { InvoiceRow } from "../invoices/table";
import { type Cost, creditPlacesMax } from "./rules.amounts";

/** A sale of credits. */
export interface CreditSale {
	readonly customer: CustomerRow;
	readonly currency: CurrencyRow;
	readonly displayName: string;
	readonly amount: Decimal;
	/** More than zero, in whole minor units. */
	readonly cost: Cost;
	/** MANUAL for a sale by a caller, OTHER for a recharge. */
	readonly billingReason: "MANUAL" | "OTHER";
	readonly isPaid?: boolean;
	readonly billingAddress?: Address | undefined;
	readonly invoiceDaysUntilDue?: number | undefined;
}

/** Issues an invoice with one line for the sale. It is OPEN unless the sale is stated as paid or the customer's balance pays it. */
export function invoiceCredits(work: Work, sale: CreditSale): InvoiceRow {
	const { customer, currency, amount, cost, invoiceDaysUntilDue } = sale;
	return issueInvoice(work, {
		customerId: customer.id,
		legalEntityId: customer.legalEntityId,
		customer: customerAsParty(customer, { address: sale.billingAddress }),
		billingReason: sale.billingReason,
		currency: cost.currency,
		...(invoiceDaysUntilDue !== undefined && { dueAt: addDays(work.now, invoiceDaysUntilDue) }),
		paidAt: sale.isPaid ? work.now : null,
		customFields: customer.passthrough?.stripe?.invoiceCustomFields ?? {},
		lines: [
			{
				kind: "InAdvanceCommitmentCharge",
				description: `${sale.displayName} (${currency.displayName})`,
				quantity: amount,
				unitPrice: unitPriceOf(amount, cost.amount),
				amount: cost.amount,
			},
		],
	});
}

/** Returns null where the cost is no exact multiple. Then the line shows only quantity and amount. */
function unitPriceOf(amount: Decimal, cost: Decimal): Decimal | null {
	const price = divide(exact(cost), exact(amount), creditPlacesMax, "half-up");
	return price.times(exact(amount)).eq(exact(cost)) ? toDecimal(price) : null;
}
