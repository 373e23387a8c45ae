import { moneyOf } from "../../../graphql/input/value-formats";
import { toIso } from "../../../kernel/clock";
import { exact, sum, toDecimal, toWire, zero } from "../../../kernel/decimal";
import type { Money } from "../../../kernel/money";
import type { CouponRow } from "../../coupons/table";
import type { InvoiceLineRow } from "../../invoices/table";
import type { LineKind, RatedLine } from "../../pricing/line";
import type { RatedInvoice } from "../../pricing/rate";
import { viewOneTerm, viewPhase } from "../view";
import type { NextInvoice } from "./next-invoice";
import type { Previewed } from "./preview";

// The GraphQL view of previews and estimates: the amounts of the REST preview as Money, with prorations.

const nothing = (currency: string): RatedInvoice => ({
	currency,
	lines: [],
	minimumDrawdown: zero,
	subTotal: zero,
	discount: zero,
	tax: zero,
	total: zero,
});

/**
 * Picks the invoice in the new plan's currency, which comes last, as REST does. Without an amount to pay it is an
 * invoice of zero.
 */
function invoicesOf({ immediate, recurring, currency }: Previewed) {
	return { now: immediate.at(-1) ?? nothing(currency), later: recurring.at(-1) };
}

/** Shows an estimate: the amount due now, and the price of a whole period. */
export function viewEstimate(previewed: Previewed) {
	const { now, later } = invoicesOf(previewed);
	const { hasProrations, ...proration } = prorationOf(previewed, now);
	return {
		...sumsOf(now),
		discount: discountOf(previewed.coupon, [now, ...(later ? [later] : [])]),
		billingPeriodRange: rangeOf(previewed),
		proration: hasProrations ? proration : null,
		subscription: later && sumsOf(later),
		isPlanDowngrade: previewed.isDowngrade,
		hasScheduledUpdates: previewed.isScheduled,
		...viewEnded(previewed),
	};
}

const viewEnded = ({ dropped = [], endedTerm }: Previewed) => ({
	droppedPhases: dropped.length > 0 ? dropped.map(viewPhase) : null,
	endedTerm: endedTerm ? viewOneTerm(endedTerm) : null,
});

/** Shows the next invoice in Money. */
export function viewNextInvoice({ invoice, lines, isComplete }: NextInvoice) {
	const { currency, issuedAt, dueAt, periodStart, periodEnd } = invoice;
	const money = (amount: Money["amount"]) => moneyOf({ amount, currency });
	return {
		currency: currency.toUpperCase(),
		issueDate: toIso(issuedAt),
		dueDate: toIso(dueAt),
		billingPeriodRange: periodStart === null || periodEnd === null ? null : { start: periodStart, end: periodEnd },
		subTotal: money(invoice.subTotal),
		discount: money(invoice.discount),
		tax: money(invoice.tax),
		total: money(invoice.total),
		balanceApplied: money(invoice.balanceApplied),
		lines: lines.map((line) => ({
			...viewLine(line, currency),
			subscriptionId: line.subscriptionRefId,
			customerId: line.customerRefId,
		})),
		isComplete,
	};
}

export function viewPreviewInMoney(previewed: Previewed) {
	const { now, later } = invoicesOf(previewed);
	const none = moneyOf({ amount: zero, currency: now.currency });
	return {
		immediateInvoice: {
			...invoiceOf(now, previewed.coupon),
			proration: prorationOf(previewed, now),
			// The customer gets no credit other than the credits within an invoice.
			credits: { initial: none, used: none, remaining: none },
		},
		recurringInvoice: later && invoiceOf(later, previewed.coupon),
		billingPeriodRange: rangeOf(previewed),
		isPlanDowngrade: previewed.isDowngrade,
		hasScheduledUpdates: previewed.isScheduled,
		...viewEnded(previewed),
	};
}

function invoiceOf(invoice: RatedInvoice, coupon: CouponRow | null) {
	const { currency, lines } = invoice;
	const money = (amount: Money["amount"]) => moneyOf({ amount, currency });
	return {
		...sumsOf(invoice),
		discount: money(invoice.discount),
		discountDetails: discountOf(coupon, [invoice]),
		lines: lines.map((line) => viewLine(line, currency)),
	};
}

const viewLine = (
	{
		description,
		quantity,
		unitPrice,
		amount,
	}: Pick<InvoiceLineRow, "description" | "quantity" | "unitPrice" | "amount">,
	currency: string,
) => ({
	description,
	quantity: quantity === null ? null : toWire(quantity),
	unitPrice: unitPrice === null ? null : moneyOf({ amount: unitPrice, currency }),
	subTotal: moneyOf({ amount, currency }),
});

function sumsOf({ currency, lines, subTotal, total, tax }: RatedInvoice) {
	const money = (amount: Money["amount"]) => moneyOf({ amount, currency });
	const percentage = lines.find(({ taxPercentage }) => taxPercentage !== null)?.taxPercentage;
	return {
		subTotal: money(subTotal),
		total: money(total),
		totalExcludingTax: money(toDecimal(exact(total).minus(exact(tax)))),
		tax: money(tax),
		taxDetails: percentage ? { displayName: "Tax", percentage: toWire(percentage), inclusive: false } : null,
	};
}

/** Null without an effect. */
function discountOf(coupon: CouponRow | null, invoices: readonly RatedInvoice[]) {
	const discounted = invoices.find(({ discount }) => !exact(discount).eq(0));
	if (!coupon || !discounted) return null;
	const { refId, percentOff, amountsOff, durationMonths } = coupon;
	const off = amountsOff?.find(({ currency }) => currency === discounted.currency);
	return {
		code: refId,
		type: percentOff === null ? "FIXED" : "PERCENTAGE",
		value: toWire(percentOff ?? off?.amount ?? zero),
		durationType: durationMonths === null ? "FOREVER" : "REPEATING",
		durationInMonths: durationMonths,
	};
}

/** Clients need a range; it is empty if nothing is billed by periods. */
const rangeOf = ({ period, at }: Previewed) => ({
	start: toIso(period?.start ?? at),
	end: toIso(period?.end ?? at),
});

/**
 * Returns the credit for unused paid time and the charge of the new terms for the rest of the period, before discount
 * and tax. Both are positive; the net is the charge minus the credit.
 */
function prorationOf({ period, at }: Previewed, { currency, lines }: RatedInvoice) {
	const advance = lines.filter(({ kind }) => !notProrated.has(kind));
	const credits = advance.filter(isCredit);
	const debits = advance.filter((line) => !isCredit(line) && line.period);
	const isPart = (line: RatedLine) => period !== null && line.period !== null && line.period.start > period.start;
	const hasProrations = credits.length > 0 || debits.some(isPart);
	const sumOf = (some: readonly RatedLine[]) => sum(some.map(({ amount }) => exact(amount)));
	const credit = hasProrations ? sumOf(credits).times(-1) : exact(0);
	const debit = hasProrations ? sumOf(debits) : exact(0);
	return {
		hasProrations,
		prorationDate: toIso(at),
		credit: moneyOf({ amount: toDecimal(credit), currency }),
		debit: moneyOf({ amount: toDecimal(debit), currency }),
		netAmount: moneyOf({ amount: toDecimal(debit.minus(credit)), currency }),
	};
}

/** Kinds that are never prorated: usage is billed in full, and a minimum spend drawdown credits nothing. */
const notProrated: ReadonlySet<LineKind> = new Set([
	"PayAsYouGoCharge",
	"OverageCharge",
	"MinimumSpendAdjustmentCharge",
]);

const isCredit = ({ amount }: RatedLine): boolean => exact(amount).lt(0);
