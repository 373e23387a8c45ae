import { type Decimal, exact, toDecimal } from "../../../kernel/decimal";
import { addDays, type Period } from "../../../kernel/period";
import type { Work } from "../../../kernel/work";
import { recordUses, removeUses } from "../../coupons/operations.uses";
import type { CustomerRow } from "../../customers/table";
import { addToConsolidated } from "../../invoices/consolidated/operations";
import { creditUnusedTime } from "../../invoices/credit-notes/operations";
import type { CreditNoteReason } from "../../invoices/credit-notes/schema";
import { customerAsParty, issueInvoice } from "../../invoices/operations";
import type { BillingReason } from "../../invoices/schema";
import type { StatedParty } from "../../invoices/schema.party";
import type { InvoiceRow } from "../../invoices/table";
import { packagesByIds } from "../../packages/operations";
import type { RatedLine } from "../../pricing/line";
import type { RatedInvoice } from "../../pricing/rate";
import { changeSubscription } from "../store";
import { selectOfProduct } from "../store.of-customers";
import type { SubscriptionRow } from "../table";
import { onlyCoupon, type Parties, type Payer } from "./payer";

export interface Issue {
	readonly payer: Payer;
	readonly billingReason: BillingReason;
	readonly period: Period | null;
	readonly isPaid?: boolean;
	/** The reason of a credit note, if the bill results in one. */
	readonly creditReason?: CreditNoteReason;
	/** The scheduler bills it because a time has come. A call gets an invoice of its own. */
	readonly fallsDue?: boolean;
}

/**
 * Issues a bill: an invoice for each currency, or a credit note if credits exceed charges. An invoice of zeros is
 * issued too, since it shows the items of the period.
 */
export function issueBill(
	work: Work,
	subscription: SubscriptionRow,
	rated: readonly RatedInvoice[],
	issue: Issue,
): InvoiceRow | undefined {
	const invoices = rated.flatMap((one) => {
		if (exact(one.total).gte(0)) return [issueOne(work, subscription, one, issue)];
		creditOne(work, subscription, one, issue);
		return [];
	});
	return invoices.at(-1);
}

function issueOne(work: Work, subscription: SubscriptionRow, rated: RatedInvoice, issue: Issue): InvoiceRow {
	const { payer, billingReason, period, isPaid = false } = issue;
	const { paying } = payer;
	const coupon = onlyCoupon(payer);
	const { id, refId, invoiceDaysUntilDue, paymentCollectionMethod } = subscription;
	const invoice = {
		...issuedFor(work, subscription, paying),
		currency: rated.currency,
		...(invoiceDaysUntilDue === null ? {} : { dueAt: addDays(work.now, invoiceDaysUntilDue) }),
		period,
		collectionMethod: paymentCollectionMethod === "CHARGE" ? ("CHARGE" as const) : null,
		taxPercentage: subscription.taxPercentage,
		discountLabel: coupon?.name ?? null,
		discountPercent: coupon?.percentOff ?? null,
		customFields: paying.passthrough?.stripe?.invoiceCustomFields ?? {},
	};
	if (isConsolidated(issue))
		return addToConsolidated(work, {
			...invoice,
			...{ subscriptionId: id, subscriptionRefId: refId, groupedBy: paymentCollectionMethod ?? "CHARGE" },
			billingReason: "BILLING_CYCLE",
			lines: namedLines(subscription, payer, rated.lines),
		});
	return issueInvoice(work, {
		...invoice,
		billingReason,
		paidAt: isPaid ? work.now : null,
		lines: linesFor(subscription, payer, rated.lines),
	});
}

/** Whether a bill shares the invoice of all that falls due for its payer at this instant. */
const isConsolidated = ({ payer, billingReason, isPaid = false, fallsDue = false }: Issue): boolean =>
	payer.paying.invoiceGrouping === "CONSOLIDATED" &&
	!isPaid &&
	(billingReason === "BILLING_CYCLE" || (fallsDue && billingReason === "SUBSCRIPTION_CREATION"));

/** The caller's ids of a customer that does not pay itself, and of its subscription. */
interface LineOfOther {
	readonly customerRefId?: string;
	readonly subscriptionRefId?: string;
}

/** Names the customer and the subscription on the lines that a parent pays. */
export function linesFor(
	{ refId, payingCustomerId }: Pick<SubscriptionRow, "refId" | "payingCustomerId">,
	{ customer, paying }: Parties,
	lines: readonly RatedLine[],
): ReadonlyArray<RatedLine & LineOfOther> {
	if (paying.id === customer.id || payingCustomerId !== null) return lines;
	return lines.map((line) => ({ ...line, customerRefId: customer.refId, subscriptionRefId: refId }));
}

/** Names the subscription on the lines that share an invoice, and its customer if another one pays. */
export const namedLines = (
	{ refId }: Pick<SubscriptionRow, "refId">,
	{ customer, paying }: Parties,
	lines: readonly RatedLine[],
): ReadonlyArray<RatedLine & LineOfOther> =>
	lines.map((line) => ({
		...line,
		...(paying.id !== customer.id && { customerRefId: customer.refId }),
		subscriptionRefId: refId,
	}));

function creditOne(work: Work, subscription: SubscriptionRow, rated: RatedInvoice, issue: Issue): void {
	const { payer, period, creditReason = "ORDER_CHANGE" } = issue;
	const { contractRefId: _, stated: __, ...issued } = issuedFor(work, subscription, payer.paying);
	creditUnusedTime(
		work,
		{
			...issued,
			reasonCode: creditReason,
			currency: rated.currency,
			period,
			taxPercentage: subscription.taxPercentage,
			lines: linesFor(subscription, payer, rated.lines.map(asCreditLine)),
		},
		withPredecessors(work, subscription).map(({ id }) => id),
	);
}

/** Returns the subscription and those that it replaced: their charges and credits offset each other. */
export function withPredecessors(work: Work, row: SubscriptionRow): SubscriptionRow[] {
	const all = selectOfProduct(work, row.customerId, row.productId);
	const { resourceId } = row;
	return chainOf(
		all,
		all.filter((one) => one.resourceId === resourceId),
	);
}

/**
 * Adds the replaced subscriptions to those of a resource. A moved subscription may have replaced one on another
 * resource.
 */
export function chainOf(all: readonly SubscriptionRow[], place: readonly SubscriptionRow[]): SubscriptionRow[] {
	const chain = [...place];
	for (const { replacesId } of chain)
		chain.push(...all.filter(({ id }) => id === replacesId && !chain.some((one) => one.id === id)));
	return chain;
}

/** Credit notes show credits as positive amounts, so charges on them are negative. */
const asCreditLine = (line: RatedLine): RatedLine => ({
	...line,
	amount: negated(line.amount),
	discount: negated(line.discount),
	tax: negated(line.tax),
	total: negated(line.total),
	...(line.taxes && { taxes: line.taxes.map((tax) => ({ ...tax, amount: negated(tax.amount) })) }),
	...(line.discounts && { discounts: line.discounts.map((one) => ({ ...one, amount: negated(one.amount) })) }),
});

const negated = (amount: Decimal): Decimal => toDecimal(exact(amount).times(-1));

/** The customer's issuer goes before the plan's, since it is agreed with the customer. */
export const issuerFor = (
	work: Work,
	{ planId }: Pick<SubscriptionRow, "planId">,
	{ legalEntityId }: CustomerRow,
): string | null => legalEntityId ?? packagesByIds(work, [planId]).get(planId)?.legalEntityId ?? null;

const issuedFor = (work: Work, subscription: SubscriptionRow, paying: CustomerRow) => ({
	legalEntityId: issuerFor(work, subscription, paying),
	customerId: paying.id,
	customer: customerAsParty(paying, statedIn(subscription)),
	stated: statedIn(subscription),
	subscriptionId: subscription.id,
	contractId: subscription.contractId,
	contractRefId: subscription.contractRefId,
});

/** Keeps rated lines for the next invoice. Prorations of another currency are issued now. */
export function keepForNextInvoice(
	work: Work,
	subscription: SubscriptionRow,
	rated: readonly RatedInvoice[],
	issue: Issue,
): SubscriptionRow {
	const currency = subscription.prorations?.currency ?? rated[0]?.currency;
	const [waiting, others] = [
		rated.filter((one) => one.currency === currency),
		rated.filter((one) => one.currency !== currency),
	];
	issueBill(work, subscription, others, issue);
	if (currency === undefined || waiting.length === 0) return subscription;
	const lines = [...(subscription.prorations?.lines ?? []), ...waiting.flatMap((one) => one.lines)];
	const changed = changeSubscription(work, subscription, { prorations: { currency, lines } });
	recordWaitingUses(work, subscription, changed);
	return changed;
}

/** Records the uses of coupons by lines that wait. The invoice that charges them records them from then on. */
export function recordWaitingUses(work: Work, before: SubscriptionRow, { prorations }: SubscriptionRow): void {
	if (before.prorations === prorations) return;
	if (before.prorations) removeUses(work, [before.id]);
	if (prorations) recordUses(work, { id: before.id, currency: prorations.currency }, prorations.lines);
}

/** Address and tax ids of the subscription's billing information go before those of the customer. */
const statedIn = ({ billingDetails }: SubscriptionRow): StatedParty => ({
	address: billingDetails?.billingAddress,
	taxIds: billingDetails?.taxIds,
});
