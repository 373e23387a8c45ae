import { fail } from "../../../../kernel/errors";
import { type Work, workAt } from "../../../../kernel/work";
import type { LineBasis } from "../../../pricing/basis";
import type { ChargeItem } from "../../../pricing/rate";
import type { AppliedTax } from "../../../pricing/tax";
import type { Taxation } from "../../../taxes/rules.levels";
import type { ChargedPeriod, DiscountAndTax, SubscriptionRow } from "../../table";
import { discountAndTax, payerOf } from "../payer";
import { subjectOf, withPercentagesOnly } from "../rules.bill";
import type { ReversedBill } from "./reversed-lines";

/** Returns the discount and the tax percentage of a period in advance: those of its charge, else those that applied then. */
export function termsOfThen(then: Work, after: SubscriptionRow, charged: ChargedPeriod | undefined): DiscountAndTax {
	const { coupon, taxPercentage, discounts } = discountAndTax(payerOf(then, after), after.taxPercentage);
	if (discounts || charged?.items.some(({ chargedDiscounts }) => chargedDiscounts)) throw severalCoupons();
	return charged ? { coupon: charged.coupon, taxPercentage: charged.taxPercentage } : { coupon, taxPercentage };
}

const severalCoupons = (): Error =>
	fail(
		"UnsupportedParameter",
		`'effectiveDate': several coupons, or one for some charges, have discounted periods since then, and these cannot be rated again; choose a date in the running period.`,
	);

/** The taxes of a charge: those that its price states, and those that its bill charged. */
interface KnownTaxes {
	readonly ofCharge: readonly AppliedTax[] | undefined;
	readonly charged: readonly AppliedTax[];
}

/**
 * Returns the taxes that applied then. Those of the customer and the environment, and an exemption, may be others now; the catalogue and
 * the subscription have assigned the same ones since.
 */
export function taxationOfThen({ own, inherited, ...taxation }: Taxation, known: readonly KnownTaxes[]): Taxation {
	const inheriting = known.find(({ ofCharge }) => ofCharge === undefined);
	const stating = known.find(({ ofCharge }) => ofCharge !== undefined);
	const isReplaced = stating && !Bun.deepEquals(stating.ofCharge, stating.charged);
	return {
		own: stating ? (isReplaced ? stating.charged : null) : own,
		inherited: inheriting ? inheriting.charged : inherited,
		...taxation,
	};
}

/** Returns the known taxes of a charged period in advance. `stated` are its items with the taxes of their prices. */
export const knownTaxes = (stated: readonly ChargeItem[], charged: ChargedPeriod | undefined): KnownTaxes[] =>
	(charged?.items ?? []).flatMap((item) => {
		const before = stated.find((one) => subjectOf(one) === subjectOf(item));
		return before ? [{ ofCharge: before.taxes, charged: item.taxes ?? [] }] : [];
	});

/**
 * Returns the discount and the taxes of usage, or of a stretch in arrears, that a change with an earlier date rates again: those of the
 * bill that it replaces, else those that applied at its end. Throws UnsupportedParameter for a fixed amount, and for several coupons: they
 * depend on all lines of the former invoice.
 */
export function termsOfBill(then: Work, row: SubscriptionRow, bill: ReversedBill | undefined): DiscountAndTax {
	const payer = payerOf(then, row);
	const { coupon, discounts, taxPercentage, taxation } = withPercentagesOnly(discountAndTax(payer, row.taxPercentage));
	const [line] = bill?.lines ?? [];
	const bases = (bill?.lines ?? []).flatMap(({ basis }) => basis ?? []);
	if (discounts || bases.some(isShared)) throw severalCoupons();
	const percentOff =
		line?.basis?.discount && "percentOff" in line.basis.discount ? line.basis.discount.percentOff : null;
	const known = bill ? taxesOf(bill) : [];
	const hasTaxes = known.some(({ charged }) => charged.length > 0);
	const ofThen = taxation ?? (hasTaxes ? { own: null, inherited: null } : undefined);
	return {
		coupon: line ? percentOff && { percentOff, amountsOff: null } : coupon,
		taxPercentage,
		...(ofThen && { taxation: taxationOfThen(ofThen, known) }),
	};
}

/** Whether a discount depends on other lines, or coupons make units free. */
const isShared = ({ discount, discounts, freeUnits }: LineBasis): boolean =>
	(discount !== undefined && !("percentOff" in discount)) ||
	(discounts !== undefined && discounts.length > 0) ||
	(freeUnits !== undefined && freeUnits.length > 0);

function taxesOf({ charge: { terms }, lines }: ReversedBill): KnownTaxes[] {
	if (terms === null) return [];
	const stated = "prices" in terms ? terms.prices : "stretch" in terms ? [terms.stretch] : [];
	return lines.flatMap(({ taxes, featureRefId, addonRefId, basis }) => {
		if (taxes === null) return [];
		const price = stated.find(
			(one) =>
				(one.featureRefId ?? null) === featureRefId &&
				(one.addonRefId ?? null) === addonRefId &&
				one.chargeKey === basis?.chargeKey,
		);
		return price ? [{ ofCharge: price.taxes, charged: taxes.map(({ amount: _, ...tax }) => tax) }] : [];
	});
}

/** Returns the bill that a time was charged by. */
export const billAt = (bills: readonly ReversedBill[], at: number): ReversedBill | undefined =>
	bills.find(({ period, lines }) => lines.length > 0 && period.startsAt <= at && at < period.endsAt);

/** Returns the same transaction at the end of a time, or now if that is earlier. */
export const workAtEnd = (work: Work, end: Work["now"]): Work => (end < work.now ? workAt(work, end) : work);
