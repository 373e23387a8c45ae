import { type Decimal, exact, toDecimal, zero } from "../../../kernel/decimal";
import type { Work } from "../../../kernel/work";
import { voidUnpaidGrants } from "../../credits/grants/operations.payment";
import { membersOf } from "../../invoices/consolidated/operations";
import { creditableLeft } from "../../invoices/credit-notes/operations";
import { chargesLeft, creditInvoice, isPart } from "../../invoices/credit-notes/operations.credit";
import { voidCreditNote } from "../../invoices/credit-notes/operations.void";
import type { InvoiceCredit } from "../../invoices/credit-notes/schema";
import { getCustomersInvoice, getInvoice, getInvoicedCustomer, linesByInvoice } from "../../invoices/operations";
import type { CreditNoteRow, InvoiceLineRow, InvoiceRow } from "../../invoices/table";
import { type ChargedSubscription, chargedColumns, leaveAmounts, withCharged } from "../billing/charged";
import { reversedPositions } from "../billing/dated/reversal";
import { chargedFrom } from "../billing/rules.bill";
import { selectUnspentMinimum, upsertUnspentMinimum } from "../billing/store.minimums";
import { changeSubscription, selectByIds } from "../store";
import { selectOfProduct } from "../store.of-customers";
import type { ChargedPeriod } from "../table";
import { cancelPendingPayments } from "./end";
import { runDueSteps } from "./operations.due";
import { startPaid } from "./operations.payment";

/**
 * Credits an invoice by hand (the codes of `creditInvoice` of the invoices). The subscription does not credit those
 * charges again, usage no longer uses their minimum spend, and credits that waited for the payment are void. The
 * customer's due steps run first.
 */
export function creditManually(
	work: Work,
	customerRef: string,
	invoiceRef: string,
	input: InvoiceCredit,
): CreditNoteRow {
	const invoice = getCustomersInvoice(work, getInvoicedCustomer(work, customerRef), invoiceRef);
	const subscriptions = withoutPendingPayments(work, invoice);
	const waiting = subscriptions.flatMap(({ prorations }) => prorations?.lines ?? []);
	const before = chargesLeft(work, invoice, waiting);
	const reversed = reversedPositions(work, invoice);
	const note = creditInvoice(work, customerRef, invoiceRef, input, { waiting, reversed });
	const after = isPart(input) ? chargesLeft(work, invoice, waiting) : before.map((one) => ({ ...one, left: zero }));
	updateCharges(work, invoice, subscriptions, before, after, !isPart(input));
	if (invoice.state === "OPEN") settle(work, getInvoice(work, invoice.id));
	return note;
}

/**
 * Voids a manual credit note (the codes of `voidCreditNote`). Its charges count again, so a change or end of the
 * subscription credits them. The customer's due steps run first.
 */
export function voidManually(work: Work, note: CreditNoteRow): CreditNoteRow {
	if (note.invoiceId === null) return voidCreditNote(work, note);
	const invoice = getInvoice(work, note.invoiceId);
	const subscriptions = withoutPendingPayments(work, invoice);
	const waiting = subscriptions.flatMap(({ prorations }) => prorations?.lines ?? []);
	const before = chargesLeft(work, invoice, waiting);
	const voided = voidCreditNote(work, note);
	updateCharges(work, invoice, subscriptions, before, chargesLeft(work, invoice, waiting));
	return voided;
}

/** A fully credited invoice was never paid. If a part was paid, a credit note of the rest leaves the invoice paid. */
function settle(work: Work, invoice: InvoiceRow): void {
	if (invoice.state !== "PAID") return;
	if (exact(creditableLeft(work, invoice)).gt(0)) startPaid(work, invoice);
	else voidUnpaidGrants(work, invoice.id);
}

/**
 * Updates the charges that a subscription can still credit and use. A note for a whole invoice also covers charges of
 * zero.
 */
function updateCharges(
	work: Work,
	invoice: InvoiceRow,
	subscriptions: readonly ChargedSubscription[],
	before: ReturnType<typeof chargesLeft>,
	after: ReturnType<typeof chargesLeft>,
	isWhole = false,
): void {
	const lefts = new Map(after.map(({ line, left }) => [line.position, left]));
	const charges = before.map(({ line, left }): ChargeLeft => {
		const rest = lefts.get(line.position) ?? zero;
		return { line, left: rest, credited: toDecimal(exact(left).minus(exact(rest))) };
	});
	const changed = charges.filter(({ credited }) => isWhole || !exact(credited).eq(0));
	for (const { subscriptionId, isOwn } of invoicedBy(work, invoice)) {
		const own = changed.filter(({ line }) => isOwn(line));
		const ids = new Set(own.map(({ line }) => line.chargeId));
		for (const one of subscriptions) {
			const hasCharge = one.charged?.items.some(({ chargeId = null }) => ids.has(chargeId)) ?? false;
			if (hasCharge || one.id === subscriptionId) reduceCharges(work, one, own);
		}
	}
}

interface Invoiced {
	readonly subscriptionId: string;
	readonly isOwn: (line: InvoiceLineRow) => boolean;
}

/** Returns the subscription of an invoice, or each of a consolidated one with its lines. */
function invoicedBy(work: Work, invoice: InvoiceRow): Invoiced[] {
	const { subscriptionId } = invoice;
	if (subscriptionId !== null) return [{ subscriptionId, isOwn: () => true }];
	return membersOf(work, invoice).map((member) => ({
		subscriptionId: member.subscriptionId,
		isOwn: (line) => line.subscriptionRefId === member.subscriptionRefId,
	}));
}

/**
 * Returns the subscriptions that an invoice charged, after canceling what waits for a payment: those invoices credit
 * charges that this note changes.
 */
function withoutPendingPayments(work: Work, invoice: InvoiceRow): ChargedSubscription[] {
	const lines = linesByInvoice(work, [invoice]).get(invoice.id) ?? [];
	const ids = new Set(lines.flatMap(({ chargeId }) => chargeId ?? []));
	for (const one of subscriptionsCharged(work, invoice)) {
		const isCharged = one.charged?.items.some(({ chargeId }) => ids.has(chargeId ?? "")) ?? false;
		if (one.status === "ACTIVE" && isCharged) cancelPendingPayments(work, one);
	}
	return subscriptionsCharged(work, invoice);
}

/** Returns the invoiced subscriptions, and all that may continue their charges, on any resource. */
function subscriptionsCharged(work: Work, invoice: InvoiceRow): ChargedSubscription[] {
	const ids = invoicedBy(work, invoice).map(({ subscriptionId }) => subscriptionId);
	const own = () => (ids.length === 0 ? [] : selectByIds(work, ids));
	for (const customerId of new Set(own().map((one) => one.customerId))) runDueSteps(work, customerId);
	const places = new Map(own().map((one) => [`${one.customerId}/${one.productId}`, one]));
	return [...places.values()].flatMap(({ customerId, productId }) =>
		selectOfProduct(work, customerId, productId).map((row) => withCharged(work, row)),
	);
}

interface ChargeLeft {
	readonly line: InvoiceLineRow;
	/** The rest of the charge, before discount and tax. */
	readonly left: Decimal;
	/** The credited amount; negative for a voided note. */
	readonly credited: Decimal;
}

function reduceCharges(work: Work, row: ChargedSubscription, charges: readonly ChargeLeft[]): void {
	if (row.charged) changeSubscription(work, row, chargedColumns(afterCredit(row.charged, charges)));
	const left = charges.flatMap(({ line: { chargeId, amount }, left: rest }) =>
		chargeId === null ? [] : [[chargeId, isWhole(rest, amount) ? null : { part: rest, whole: amount }] as const],
	);
	if (row.charged) leaveAmounts(work, row, new Map(left));
	for (const { line, credited } of charges) {
		if (line.kind !== "MinimumSpendCharge" || line.basis?.trueUp || line.periodStart === null) continue;
		const unspent = selectUnspentMinimum(work, row, line.periodStart);
		if (unspent) upsertUnspentMinimum(work, { ...unspent, amount: subtractToZero(unspent.amount, credited) });
	}
}

const isWhole = (rest: Decimal, amount: Decimal): boolean => exact(rest).gt(0) && exact(rest).gte(amount);

/** Usage does not use a minimum spend that is credited. */
function afterCredit(charged: ChargedPeriod, charges: readonly ChargeLeft[]): ChargedPeriod {
	const { minimum } = charged;
	const ofMinimum = charges.filter(
		({ line: { kind, basis, periodStart, periodEnd } }) =>
			kind === "MinimumSpendCharge" &&
			!basis?.trueUp &&
			periodEnd === charged.period.end &&
			periodStart !== null &&
			periodStart >= chargedFrom(charged),
	);
	return {
		...charged,
		minimum: minimum && {
			...minimum,
			paid: ofMinimum.reduce((paid, { credited }) => toDecimal(exact(paid).minus(exact(credited))), minimum.paid),
		},
	};
}

/** Returns the difference, at least zero. */
const subtractToZero = (amount: Decimal, less: Decimal): Decimal => {
	const left = exact(amount).minus(exact(less));
	return toDecimal(left.lt(0) ? 0 : left);
};
