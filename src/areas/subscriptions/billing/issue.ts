import { type Decimal, exact, toDecimal } from "../../../kernel/decimal";
import { addUnits, type Period } from "../../../kernel/period";
import type { Work } from "../../../kernel/work";
import type { CustomerRow } from "../../customers/table";
import { creditUnusedTime } from "../../invoices/credit-notes/operations";
import type { CreditNoteReason } from "../../invoices/credit-notes/schema";
import { customerAsParty, issueInvoice } from "../../invoices/operations";
import type { BillingReason } from "../../invoices/schema";
import type { StatedParty } from "../../invoices/schema.party";
import type { InvoiceRow } from "../../invoices/table";
import { packagesByIds } from "../../packages/operations";
import type { RatedInvoice, RatedLine } from "../../pricing/rate";
import { changeSubscription, selectOfProduct } from "../store";
import type { SubscriptionRow } from "../table";
import type { Payer } from "./payer";

export interface Issue {
	readonly payer: Payer;
	readonly billingReason: BillingReason;
	readonly period: Period | null;
	readonly isPaid?: boolean;
	/** Why money is credited, where that is what comes out. */
	readonly creditReason?: CreditNoteReason;
}

/**
 * Issues what a bill came to: an invoice for each currency, or credit notes where more is credited than charged. An invoice
 * of nothing but zeros is issued too: it tells the customer what the period holds.
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

function issueOne(
	work: Work,
	subscription: SubscriptionRow,
	rated: RatedInvoice,
	{ payer: { paying, coupon }, billingReason, period, isPaid = false }: Issue,
): InvoiceRow {
	const { invoiceDaysUntilDue } = subscription;
	return issueInvoice(work, {
		...issuedFor(work, subscription, paying),
		billingReason,
		currency: rated.currency,
		...(invoiceDaysUntilDue === null ? {} : { dueAt: addUnits(work.now, "days", invoiceDaysUntilDue) }),
		paidAt: isPaid ? work.now : null,
		period,
		taxPercentage: subscription.taxPercentage,
		discountLabel: coupon?.name ?? null,
		discountPercent: coupon?.percentOff ?? null,
		customFields: paying.passthrough?.stripe?.invoiceCustomFields ?? {},
		lines: rated.lines,
	});
}

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
			lines: rated.lines.map(asCreditLine),
		},
		withPredecessors(work, subscription).map(({ id }) => id),
	);
}

/** The subscription and those that it replaced, one after the other: what they were charged was set against each other. */
export function withPredecessors(work: Work, row: SubscriptionRow): SubscriptionRow[] {
	const all = selectOfProduct(work, row.customerId, row.productId);
	const { resourceId } = row;
	return chainOf(
		all,
		all.filter((one) => one.resourceId === resourceId),
	);
}

/** Those of a place, with what they replaced: one that has been moved to another resource replaced one that has not. */
export function chainOf(all: readonly SubscriptionRow[], place: readonly SubscriptionRow[]): SubscriptionRow[] {
	const chain = [...place];
	for (const { replacesId } of chain)
		chain.push(...all.filter(({ id }) => id === replacesId && !chain.some((one) => one.id === id)));
	return chain;
}

/** A credit note says what is credited; a charge within it takes off from that. */
const asCreditLine = (line: RatedLine): RatedLine => ({
	...line,
	amount: negated(line.amount),
	discount: negated(line.discount),
	tax: negated(line.tax),
	total: negated(line.total),
});

const negated = (amount: Decimal): Decimal => toDecimal(exact(amount).times(-1));

/** What is agreed with a customer goes before what is offered to all: the customer's issuer, else the plan's. (Our choice.) */
const issuerFor = (work: Work, { planId }: SubscriptionRow, { legalEntityId }: CustomerRow): string | null =>
	legalEntityId ?? packagesByIds(work, [planId]).get(planId)?.legalEntityId ?? null;

const issuedFor = (work: Work, subscription: SubscriptionRow, paying: CustomerRow) => ({
	legalEntityId: issuerFor(work, subscription, paying),
	customerId: paying.id,
	customer: customerAsParty(paying, statedIn(subscription)),
	stated: statedIn(subscription),
	subscriptionId: subscription.id,
	contractId: subscription.contractId,
	contractRefId: subscription.contractRefId,
});

/** Keeps what was rated for the next invoice. Prorations of another currency cannot wait on it; these are issued now. */
export function keepForNext(
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
	return changeSubscription(work, subscription, { prorations: { currency, lines } });
}

/** Address and tax ids come from the subscription's billing information, else from what the customer was provisioned with. */
const statedIn = ({ billingDetails }: SubscriptionRow): StatedParty => ({
	address: billingDetails?.billingAddress,
	taxIds: billingDetails?.taxIds,
});
