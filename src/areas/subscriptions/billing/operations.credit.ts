import { type Decimal, exact, toDecimal } from "../../../kernel/decimal";
import type { Work } from "../../../kernel/work";
import { voidUnpaidGrants } from "../../credits/grants/operations.payment";
import { getCustomersInvoice, getInvoice, getInvoicedCustomer } from "../../invoices/operations";
import { chargesLeft, creditInvoice } from "../../invoices/operations.credit-notes";
import type { InvoiceCredit } from "../../invoices/schema.credit-notes";
import type { CreditNoteRow, InvoiceLineRow, InvoiceRow } from "../../invoices/table";
import { runDueSteps } from "../lifecycle/operations.due";
import { changeSubscription, selectByIds } from "../store";
import type { ChargedPeriod, SubscriptionRow } from "../table";
import { withPredecessors } from "./issue";
import { chargedFrom } from "./rules.bill";
import { selectUnspentMinimum, upsertUnspentMinimum } from "./store.usage-bills";

/**
 * Credits an invoice by hand (the codes of `creditInvoice` of the invoices). What it charged is not credited a second time
 * by the subscription, usage draws no more on a minimum spend that it charged, and credits that waited for its payment never
 * count. What was due before is carried out first.
 */
export function creditByHand(work: Work, customerRef: string, invoiceRef: string, input: InvoiceCredit): CreditNoteRow {
	const invoice = getCustomersInvoice(work, getInvoicedCustomer(work, customerRef), invoiceRef);
	const subscriptions = subscriptionsCharged(work, invoice);
	const waiting = subscriptions.flatMap(({ prorations }) => prorations?.lines ?? []);
	const charges = chargesLeft(work, invoice, waiting);
	const note = creditInvoice(work, customerRef, invoiceRef, input, waiting);
	if (invoice.state === "OPEN" && getInvoice(work, invoice.id).state === "PAID") voidUnpaidGrants(work, invoice.id);
	const ids = new Set(charges.map(({ line }) => line.chargeId));
	for (const one of subscriptions) {
		const hasCharge = one.charged?.items.some(({ chargeId = null }) => ids.has(chargeId)) ?? false;
		if (hasCharge || one.id === invoice.subscriptionId) forget(work, one, charges);
	}
	return note;
}

/** The one that it was raised for, and those of the same place, which may go on with what it charged. */
function subscriptionsCharged(work: Work, { subscriptionId }: InvoiceRow): SubscriptionRow[] {
	const own = () => (subscriptionId === null ? [] : selectByIds(work, [subscriptionId]));
	for (const { customerId } of own()) runDueSteps(work, customerId);
	return own().flatMap((row) => withPredecessors(work, row));
}

interface ChargeLeft {
	readonly line: InvoiceLineRow;
	readonly left: Decimal;
}

function forget(work: Work, row: SubscriptionRow, charges: readonly ChargeLeft[]): void {
	if (row.charged) changeSubscription(work, row, { charged: afterCredit(row.charged, charges) });
	for (const { line, left } of charges) {
		if (line.kind !== "MinimumSpendCharge" || line.periodStart === null) continue;
		const unspent = selectUnspentMinimum(work, row, line.periodStart);
		if (unspent) upsertUnspentMinimum(work, { ...unspent, amount: lessAtMost(unspent.amount, left) });
	}
}

function afterCredit(charged: ChargedPeriod, charges: readonly ChargeLeft[]): ChargedPeriod {
	const ids = new Set(charges.map(({ line }) => line.chargeId));
	const { minimum } = charged;
	const ofMinimum = charges.filter(
		({ line: { kind, periodStart, periodEnd } }) =>
			kind === "MinimumSpendCharge" &&
			periodEnd === charged.period.end &&
			periodStart !== null &&
			periodStart >= chargedFrom(charged),
	);
	return {
		...charged,
		items: charged.items.map((item) => (ids.has(item.chargeId ?? "") ? { ...item, isGivenBack: true } : item)),
		minimum: minimum && {
			...minimum,
			paid: ofMinimum.reduce((paid, { left }) => toDecimal(exact(paid).minus(exact(left))), minimum.paid),
		},
	};
}

/** Not below nothing. */
const lessAtMost = (amount: Decimal, less: Decimal): Decimal => {
	const left = exact(amount).minus(exact(less));
	return toDecimal(left.lt(0) ? 0 : left);
};
