import type { Instant } from "../../../kernel/clock";
import { fail } from "../../../kernel/errors";
import { type Work, workAt } from "../../../kernel/work";
import { activatePaidGrants } from "../../credits/grants/operations.payment";
import { getInvoice, latestInvoiceOf, linesByInvoice } from "../../invoices/operations";
import { markPaid, type NewPayment, type RecordedPayment, recordPayment } from "../../invoices/payments/operations";
import {
	allocateUnallocated,
	type IncomingPayment,
	type PlannedAllocation,
	recordReceipt,
	type TakenPayment,
} from "../../invoices/payments/operations.take";
import type { Excess } from "../../invoices/payments/schema";
import { assertMayBecome } from "../../invoices/rules";
import type { InvoiceLineRow, InvoiceRow } from "../../invoices/table";
import type { ReceiptRow } from "../../invoices/table.receipts";
import { findVersionOf } from "../../packages/operations";
import type { VersionRow } from "../../packages/table";
import { postponeCharges, settleStretches } from "../billing/arrears";
import { type ChargedSubscription, recordCredits, withCharged } from "../billing/charged";
import { recordBilled } from "../billing/counted-usage";
import { issueBill } from "../billing/issue";
import { recordFormerCredits, recordFormerTerms } from "../billing/paid-former";
import { payerOf } from "../billing/payer";
import { type BillSection, chargedAfterCredits, chargedFrom, rateBill } from "../billing/rules.bill";
import { hasArrears, settlementOf } from "../billing/settlement";
import { excludeEarlierOverage } from "../billing/usage";
import { grantRecurringCredits } from "../credits/grant-recurring";
import { billingPeriodAt } from "../rules";
import { changeStatus, changeSubscription, selectByIds } from "../store";
import { endUpdates, selectPendingUpdates } from "../store.updates";
import type { SubscriptionRow } from "../table";
import { prepareMergedChange } from "../terms/prepare-change";
import { saleOf } from "../terms/subscription-sale";
import { applyUpdate, behaviorOf } from "./apply-update";
import { currentSubscriptionsOf, excluding } from "./current";
import { billTrial, markEnded } from "./end";
import { runDueSteps } from "./operations.due";

/**
 * Records money that arrived, pays invoices with it, and starts what waited for them: a subscription, a change, or credits. Every
 * incoming payment comes here. Due steps run first. The codes of `recordReceipt`.
 */
export function takePayment(work: Work, incoming: IncomingPayment): TakenPayment {
	for (const { invoiceId } of incoming.allocations) runDueStepsOf(work, invoiceId);
	return started(work, recordReceipt(work, incoming));
}

/** Pays invoices with unallocated money of a receipt, and starts what waited for them. The codes of `allocateUnallocated`. */
export function allocateReceipt(
	work: Work,
	receipt: ReceiptRow,
	allocations: readonly PlannedAllocation[],
	excess: Excess,
): TakenPayment {
	for (const { invoiceId } of allocations) runDueStepsOf(work, invoiceId);
	return started(work, allocateUnallocated(work, receipt, allocations, excess));
}

function started(work: Work, taken: TakenPayment): TakenPayment {
	for (const invoice of taken.settled) startPaid(work, invoice);
	return taken;
}

/**
 * Records a payment of the amount due. A payment after its deadline is rejected. Throws InvoiceNotFound; BillingInvoiceStatusError
 * unless the invoice is OPEN.
 */
export function payInvoice(work: Work, invoiceId: string, paidAt: Instant): InvoiceRow {
	runDueStepsOf(work, invoiceId);
	return markPaid(work, invoiceId, paidAt, takePayment);
}

/** Records a payment of any amount of one invoice, or a refund. The codes of `recordPayment`. */
export function payOneInvoice(work: Work, invoiceId: string, payment: NewPayment): RecordedPayment {
	runDueStepsOf(work, invoiceId);
	return recordPayment(work, invoiceId, payment, takePayment);
}

function runDueStepsOf(work: Work, invoiceId: string): void {
	const { subscriptionId } = getInvoice(work, invoiceId);
	for (const { customerId } of subscriptionId === null ? [] : selectByIds(work, [subscriptionId]))
		runDueSteps(work, customerId);
}

/** Starts what waited for the payment of an invoice. */
export function startPaid(work: Work, paid: InvoiceRow): InvoiceRow {
	const [row] = paid.subscriptionId === null ? [] : selectByIds(work, [paid.subscriptionId]);
	if (row?.status === "PAYMENT_PENDING") activate(work, row, paid);
	else if (row) makePaidChange(work, row, paid);
	activatePaidGrants(work, paid.id);
	return paid;
}

/** Marks the latest invoice of a subscription as paid. Throws MissingBillingInvoiceError, BillingInvoiceStatusError. */
export function payLatestInvoice(work: Work, row: SubscriptionRow): InvoiceRow {
	const invoice = latestInvoiceOf(work, row.id);
	if (!invoice)
		throw fail(
			"MissingBillingInvoiceError",
			`The subscription '${row.refId}' has no invoice yet; nothing is to be paid.`,
		);
	assertMayBecome(invoice, "PAID");
	return payInvoice(work, invoice.id, work.now);
}

/**
 * Starts a paid subscription and settles the one that it replaces: its usage until now is billed. The invoice has
 * credited its unused time. A period that began while the payment was pending is credited in full, since the new
 * subscription charges it.
 */
function activate(work: Work, row: SubscriptionRow, paid: InvoiceRow): void {
	const sale = saleOf(work, row);
	const current = excluding(currentSubscriptionsOf(work, row, sale), row);
	if (current.active) {
		const active = withCharged(work, current.active);
		const renewedAt = renewedSince(active, row.startAt);
		const credits = renewedAt === undefined ? creditsOnInvoice(work, row, active) : [];
		const creditsNow = renewedAt === undefined ? [] : creditsFrom(work, active, renewedAt);
		// Usage uses no minimum spend that is credited.
		if (renewedAt !== undefined) recordFormerCredits(work, active, invoiceWithLines(work, paid));
		const charged = chargedAfterCredits(active.charged, [...credits, ...creditsNow]);
		const settlement = settlementOf(work, { ...active, charged }, { creditsUnusedTime: false });
		const rated = rateBill({ ...settlement, sections: [...creditsNow, ...settlement.sections] });
		const invoice = issueBill(work, current.active, rated, {
			payer: payerOf(work, current.active),
			billingReason: "SUBSCRIPTION_UPDATE",
			period: null,
		});
		recordBilled(work, current.active, settlement.counted, { rated, invoice });
		settleStretches(work, current.active, settlement.arrears, { rated, invoice });
		recordCredits(work, current.active, { rated: rateBill({ sections: [...credits, ...creditsNow] }) });
		markEnded(work, current.active, { reason: "UPGRADE_OR_DOWNGRADE" });
	}
	if (current.trial) markEnded(work, billTrial(work, current.trial), { reason: "TRIAL_CONVERTED" });
	const begun = changeStatus(work, row, "ACTIVE", {
		paymentDueAt: null,
		paymentCollection: "NOT_REQUIRED",
		replacesId: current.active?.id ?? null,
		// The subscription gave no access before, so usage until now was not its own.
		...(row.usageBilledFrom !== null && { usageBilledFrom: work.now }),
	});
	if (row.usageBilledFrom !== null) excludeEarlierOverage(work, begun, sale, work.now);
	if (hasArrears(sale)) postponeCharges(work, begun);
	grantRecurringCredits(work, begun, current.active);
}

/** The unused time of the replaced subscription, as the first invoice credited it. */
const creditsOnInvoice = (work: Work, row: SubscriptionRow, replaced: ChargedSubscription): readonly BillSection[] =>
	behaviorOf(row) === "NONE" ? [] : creditsFrom(work, replaced, row.startAt);

const creditsFrom = (work: Work, row: ChargedSubscription, at: Instant): readonly BillSection[] =>
	settlementOf(workAt(work, at), row, { creditsUnusedTime: true, billsUsage: false }).credits;

/** Returns the start of the current charge if it is after `since`: a renewal, or the end of a trial. */
const renewedSince = ({ charged }: ChargedSubscription, since: Instant): Instant | undefined =>
	charged && chargedFrom(charged) > since ? chargedFrom(charged) : undefined;

/**
 * Makes a change whose invoice is paid. The invoice covers the rest of its own period; for a period that has begun
 * since, the difference is charged. If the change starts a new cycle, that period is credited instead.
 */
function makePaidChange(work: Work, row: SubscriptionRow, invoice: InvoiceRow): void {
	const { id, createdAt } = invoice;
	const waiting = selectPendingUpdates(work, [row.id]).filter(({ invoiceId }) => invoiceId === id);
	if (waiting.length === 0) return;
	const done = changeSubscription(work, endUpdates(work, row, waiting, "DONE"), { paymentCollection: "NOT_REQUIRED" });
	const paid = invoiceWithLines(work, invoice);
	const { lines } = paid;
	const prepared = prepareMergedChange(work, done, waiting, versionsOn(work, lines));
	const by = waiting[0]?.invoicedBy ?? null;
	const anchor = prepared.changes.billingCycleAnchor;
	const resetsBillingCycle = anchor === "NOW" || prepared.sale.billingPeriod !== row.billingPeriod;
	const renewedAt = renewalSince(row, createdAt);
	if (renewedAt !== undefined) recordFormerCredits(work, done, paid);
	if (!resetsBillingCycle && renewedAt !== undefined)
		recordFormerTerms(work, done, { ...paid, sale: prepared.sale, by });
	if (resetsBillingCycle && renewedAt !== undefined) {
		const rated = rateBill({ sections: creditsFrom(work, withCharged(work, done), renewedAt) });
		issueBill(work, done, rated, { payer: payerOf(work, done), billingReason: "SUBSCRIPTION_UPDATE", period: null });
		recordCredits(work, done, { rated });
	}
	applyUpdate(work, done, prepared, {
		behavior: by?.behavior ?? prepared.changes.billingInformation?.prorationBehavior ?? behaviorOf(row),
		anchor,
		...((resetsBillingCycle || renewedAt === undefined) && { part: "usage" }),
		invoiced: {
			at: createdAt,
			creditedFrom: renewedAt ?? createdAt,
			by,
			lines,
		},
	});
}

const invoiceWithLines = (work: Work, invoice: InvoiceRow) => ({
	invoice,
	lines: linesByInvoice(work, [invoice]).get(invoice.id) ?? [],
});

/** Returns the versions of addons that an invoice charged. They are sold, even if newer ones are published. */
function versionsOn(work: Work, lines: readonly InvoiceLineRow[]): VersionRow[] {
	const addons = new Map(
		lines.flatMap(({ addonRefId, basis }) =>
			addonRefId === null || !basis?.pricedBy || basis.isCredit ? [] : [[addonRefId, basis.pricedBy.version] as const],
		),
	);
	return [...addons].flatMap(([refId, version]) => findVersionOf(work, "ADDON", refId, version) ?? []);
}

/** Returns the end of the period that contains `at`, if it has been renewed since. */
function renewalSince(row: SubscriptionRow, at: Instant): Instant | undefined {
	const end = billingPeriodAt(row, at)?.end;
	return end !== undefined && row.billedUntil !== null && row.billedUntil > end ? end : undefined;
}
