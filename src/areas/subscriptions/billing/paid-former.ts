import { type Work, workAt } from "../../../kernel/work";
import type { InvoiceLineRow, InvoiceRow } from "../../invoices/table";
import { billingPeriodAt } from "../rules";
import type { SubscriptionRow } from "../table";
import type { InvoicedBy } from "../table.changes";
import { itemsInAdvance } from "../terms/items-of-period";
import type { Sale } from "../terms/sale";
import { creditBy, formerCharges } from "./charged";
import { chargesItem } from "./check/rules";
import { recordFormerPeriods } from "./dated/former-periods";
import { discountAndTax, payerOf } from "./payer";
import { isOneOff, taxed } from "./rules.bill";

interface PaidInvoice {
	readonly invoice: InvoiceRow;
	readonly lines: readonly InvoiceLineRow[];
}

/** Records the credits of a paid invoice in the period of its issue, where another period has begun since. */
export function recordFormerCredits(work: Work, row: SubscriptionRow, { invoice, lines }: PaidInvoice): void {
	const period = billingPeriodAt(row, invoice.createdAt);
	for (const one of period ? formerCharges(work, row, period) : []) creditBy(work, one, lines);
}

/** Records what a paid invoice charges in the period of its issue, where another period of the same cycle has begun since. */
export function recordFormerTerms(
	work: Work,
	row: SubscriptionRow,
	{ invoice, lines, sale, by }: PaidInvoice & { readonly sale: Sale; readonly by: InvoicedBy | null },
): void {
	const period = billingPeriodAt(row, invoice.createdAt);
	if (!period) return;
	const then = workAt(work, invoice.createdAt);
	const { coupon, taxPercentage, taxation } = by ?? discountAndTax(payerOf(then, row), row.taxPercentage);
	const items = taxed(itemsInAdvance(work, row, sale, period), taxation).flatMap((item) => {
		const line = isOneOff(item) ? undefined : lines.find((one) => chargesItem(one, item));
		return line ? [{ ...item, chargeId: line.chargeId }] : [];
	});
	const from = invoice.createdAt;
	const charged = { period, from, currency: invoice.currency, items, minimum: null, coupon, taxPercentage };
	recordFormerPeriods(work, row, [{ credited: [], charged, from }], { rated: [{ lines }], invoice });
}
