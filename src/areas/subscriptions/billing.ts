import type { Instant } from "../../kernel/clock";
import { toDecimal } from "../../kernel/decimal";
import { addUnits, type Period } from "../../kernel/period";
import type { Work } from "../../kernel/work";
import { couponsByIds } from "../coupons/operations";
import type { CouponRow } from "../coupons/table";
import { customersByIds } from "../customers/operations";
import type { CustomerRow } from "../customers/table";
import { issueInvoice } from "../invoices/operations";
import type { InvoiceParty } from "../invoices/party";
import type { InvoiceRow } from "../invoices/table";
import { currencyOf } from "../pricing/price-choice";
import { type RatedInvoice, rateInvoice } from "../pricing/rate";
import type { Sale } from "./sale";
import { selectCoupons } from "./store.parts";
import type { SubscriptionRow } from "./table";
import { billInAdvance, couponActsAt } from "./terms";

/**
 * What the period costs in advance, as the invoice will say it; undefined when nothing is to be paid for. Saves nothing.
 * One discount at a time: the subscription's own coupon goes before the customer's. (Our choice.)
 */
export function rateInAdvance(
	subscription: Pick<SubscriptionRow, "taxPercentage">,
	sale: Sale,
	period: Period,
	coupon: CouponRow | null,
): RatedInvoice | undefined {
	const { bought, names, product, prices } = sale;
	const items = billInAdvance(prices, { bought, period, productRefId: product.refId, names });
	const currency = currencyOf(items.map(({ charge }) => charge));
	if (currency === undefined) return undefined;
	return rateInvoice({ items, currency, coupon, taxPercentage: subscription.taxPercentage });
}

/** Raises the first invoice of a subscription, in the transaction that makes it; undefined when nothing is to be paid for. */
export function billCreation(
	work: Work,
	subscription: SubscriptionRow,
	sale: Sale,
	period: Period,
	isPaid: boolean,
): InvoiceRow | undefined {
	const payer = payerOf(work, subscription);
	const coupon = actingCoupon(work, subscription, payer.customer);
	const rated = rateInAdvance(subscription, sale, period, coupon);
	if (!rated) return undefined;
	const { invoiceDaysUntilDue } = subscription;
	return issueInvoice(work, {
		customerId: payer.paying.id,
		customer: invoiceParty(payer.paying, subscription),
		subscriptionId: subscription.id,
		contractId: subscription.contractId,
		contractRefId: subscription.contractRefId,
		billingReason: "SUBSCRIPTION_CREATION",
		currency: rated.currency,
		...(invoiceDaysUntilDue === null ? {} : { dueAt: addUnits(work.now, "days", invoiceDaysUntilDue) }),
		paidAt: isPaid ? work.now : null,
		period,
		taxPercentage: subscription.taxPercentage,
		discountLabel: coupon && discountLabel(coupon),
		customFields: payer.paying.passthrough?.stripe?.invoiceCustomFields ?? {},
		lines: rated.lines,
	});
}

function payerOf(work: Work, { customerId, payingCustomerId }: SubscriptionRow) {
	const found = customersByIds(work, [customerId, ...(payingCustomerId === null ? [] : [payingCustomerId])]);
	const customer = found.get(customerId);
	const paying = found.get(payingCustomerId ?? customerId);
	if (!customer || !paying) throw new Error("A subscription's customers exist in its environment.");
	return { customer, paying };
}

/** The coupon that acts now: the subscription's, else the one that its customer holds. */
function actingCoupon(work: Work, subscription: SubscriptionRow, customer: CustomerRow): CouponRow | null {
	const own = selectCoupons(work, [subscription.id]).find(
		(applied) => applied.status === "ACTIVE" && couponActsAt(applied, work.now),
	);
	if (own) return couponsByIds(work, [own.couponId]).get(own.couponId) ?? null;
	if (customer.couponId === null) return null;
	const held = couponsByIds(work, [customer.couponId]).get(customer.couponId);
	const startAt = customer.couponAppliedAt ?? work.now;
	return held && couponActsAt({ startAt, endAt: couponEnd(held, startAt) }, work.now) ? held : null;
}

/** Null: without end. */
export const couponEnd = ({ durationMonths }: Pick<CouponRow, "durationMonths">, startAt: Instant): Instant | null =>
	durationMonths === null ? null : addUnits(startAt, "months", durationMonths);

const discountLabel = ({ name, percentOff }: CouponRow): string =>
	percentOff === null ? name : `${name} (${toDecimal(percentOff)}% off)`;

/** Address and tax ids come from the subscription's billing information, else from what the customer was provisioned with. */
const invoiceParty = (customer: CustomerRow, { billingDetails }: SubscriptionRow): InvoiceParty => {
	const { stripe, zuora } = customer.passthrough ?? {};
	return {
		name: stripe?.customerName ?? customer.name ?? customer.refId,
		email: customer.email,
		address: billingDetails?.billingAddress ?? stripe?.billingAddress ?? zuora?.billingAddress ?? null,
		taxIds: billingDetails?.taxIds ?? stripe?.taxIds ?? [],
	};
};
