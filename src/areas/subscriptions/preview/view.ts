import { toIso } from "../../../kernel/clock";
import { exact, sum, toDecimal, toWire } from "../../../kernel/decimal";
import type { Period } from "../../../kernel/period";
import type { CouponRow } from "../../coupons/table";
import type { RatedLine } from "../../pricing/line";
import type { RatedInvoice } from "../../pricing/rate";
import { viewOneTerm, viewPhase } from "../view";
import type { Previewed } from "./preview";
import type { InvoicePreview, SubscriptionPreviewed } from "./schema";

/** Packages are not grouped, so there are no free items (docs/interface/subscriptions.md). */
export const viewPreview = ({
	immediate,
	recurring,
	period,
	coupon,
	isScheduled,
	isDowngrade,
	dropped = [],
	endedTerm,
}: Previewed): SubscriptionPreviewed => ({
	immediateInvoice: viewRated(immediate, period, coupon),
	...(recurring.length > 0 && { recurringInvoice: viewRated(recurring, period, coupon) }),
	...(period && { billingPeriodRange: viewPeriod(period) }),
	freeItems: [],
	hasScheduledUpdates: isScheduled,
	isPlanDowngrade: isDowngrade,
	...(dropped.length > 0 && { droppedPhases: dropped.map(viewPhase) }),
	...(endedTerm && { endedTerm: viewOneTerm(endedTerm) }),
});

const viewPeriod = ({ start, end }: Period) => ({ start: toIso(start), end: toIso(end) });

/**
 * A preview shows one invoice: the last one, in the new plan's currency. Without an amount to pay it is an invoice of
 * zero.
 */
function viewRated(rated: readonly RatedInvoice[], period: Period | null, coupon: CouponRow | null): InvoicePreview {
	const invoice = rated.at(-1);
	if (!invoice) return { subTotal: 0, total: 0, tax: 0, discount: 0, discounts: [], lines: [] };
	const { currency } = invoice;
	const isDiscounted = coupon !== null && !exact(invoice.discount).eq(0);
	return {
		subTotal: toWire(invoice.subTotal),
		total: toWire(invoice.total),
		tax: toWire(invoice.tax),
		discount: toWire(invoice.discount),
		currency,
		...(period && { billingPeriodRange: viewPeriod(period) }),
		...(isDiscounted && { discountDetails: detailsOf(coupon, currency) }),
		discounts: isDiscounted
			? [{ amount: toWire(invoice.discount), currency, description: coupon.name }]
			: severalDiscounts(invoice).map(({ name, amount }) => ({ amount: toWire(amount), currency, description: name })),
		lines: invoice.lines.map((line) => viewLine(line, currency)),
	};
}

/** Sums the discounts of an invoice by coupon. */
function severalDiscounts({ lines }: RatedInvoice) {
	const byCoupon = Map.groupBy(
		lines.flatMap(({ discounts }) => discounts ?? []),
		({ couponId }) => couponId,
	);
	return [...byCoupon.values()].map((of) => ({
		name: of[0]?.name ?? "",
		amount: toDecimal(sum(of.map(({ amount }) => exact(amount)))),
	}));
}

function detailsOf({ refId, percentOff, amountsOff }: CouponRow, currency: string) {
	const fixed = amountsOff?.find((amount) => amount.currency === currency);
	return {
		code: refId,
		...(percentOff !== null && { percentage: toWire(percentOff) }),
		...(fixed && { fixedAmount: toWire(fixed.amount) }),
	};
}

/** Tiered and block prices have no unit price, so the line shows its amount. */
const viewLine = ({ description, quantity, unitPrice, amount }: RatedLine, currency: string) => ({
	description,
	currency,
	...(quantity !== null && { quantity: toWire(quantity) }),
	subTotal: toWire(amount),
	unitPrice: toWire(unitPrice ?? amount),
});
