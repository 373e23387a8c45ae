import type { Instant } from "../../../kernel/clock";
import { exact, toDecimal } from "../../../kernel/decimal";
import { type Period, utc } from "../../../kernel/period";
import type { Work } from "../../../kernel/work";
import {
	creditPart,
	endCharge,
	giveCharge,
	leaveAmount,
	moveCharge,
	type NewPeriod,
	newestPeriodsOf,
	periodsBetween,
	recordInAdvance,
} from "../../billing/operations";
import type { PeriodOfCharge } from "../../billing/rules.billed";
import type { AdvanceTerms } from "../../billing/rules.charge";
import type { LineBasis } from "../../pricing/basis";
import type { ChargedDiscounts, LineDiscount } from "../../pricing/discounts";
import type { RatedLine } from "../../pricing/line";
import { currencyOfCharge } from "../../pricing/models/charge";
import type { ChargeItem } from "../../pricing/rate";
import { intervalOf } from "../../pricing/rules.billing-period";
import type { ChargedTaxes, LineTax } from "../../pricing/tax";
import { grossOf } from "../../pricing/tax-rounding";
import type { Totals } from "../../pricing/totals";
import type { ChargedPeriod, ManualCredit, SubscriptionRow } from "../table";
import { type IssuedBill, ownerOf } from "./counted-usage";
import { amountsOf } from "./rules.amounts";
import { chargedFrom, isKept, statedAmount, subjectOf } from "./rules.bill";

/** A subscription with its charge in advance of the current billing period. */
export interface ChargedSubscription extends SubscriptionRow {
	/** Null: nothing was charged here. */
	readonly charged: ChargedPeriod | null;
	/** The newest periods of its charges. */
	readonly chargedBy: readonly AdvancePeriod[];
}

export function withCharged(work: Work, row: SubscriptionRow): ChargedSubscription {
	const chargedBy = chargesInAdvance(work, row);
	return { ...row, charged: chargedPeriodBy(row, chargedBy), chargedBy };
}

// The keys of a subscription's charges in advance, and of charges of another system that a bill has credited.
export const inAdvance = "advance/";
const setAgainst = "set-against/";

export type AdvancePeriod = PeriodOfCharge & { readonly terms: AdvanceTerms };

/** Returns the newest periods of a subscription's charges in advance, and of charges of another system. */
const chargesInAdvance = (work: Work, row: Pick<SubscriptionRow, "id">): AdvancePeriod[] =>
	newestPeriodsOf(work, row, [inAdvance, setAgainst]).flatMap(withTerms);

const withTerms = (one: PeriodOfCharge): AdvancePeriod[] => {
	const { terms } = one.charge;
	return terms && "item" in terms ? [{ ...one, terms }] : [];
};

/** Returns the periods of a subscription's charges in advance that begin within a time and are not credited, in the order of the charges. */
export const formerCharges = (work: Work, row: Pick<SubscriptionRow, "id">, time: Period): AdvancePeriod[] =>
	periodsBetween(work, row, inAdvance, time).flatMap(withTerms);

export const isOwn = ({ charge }: AdvancePeriod): boolean => charge.key.startsWith(inAdvance);

/** Returns the charge in advance of the current billing period; null if nothing was charged. */
function chargedPeriodBy(row: SubscriptionRow, rows: readonly AdvancePeriod[]): ChargedPeriod | null {
	if (row.chargedFrom === null) return null;
	const own = chargedTogether(rows.filter(isOwn), row.chargedFrom, row.chargedMinimum);
	if (!own) return null;
	const others = rows.filter((one) => !isOwn(one));
	const against = own.isElsewhere ? undefined : chargedTogether(others, row.chargedFrom, null);
	return {
		...own.charged,
		...(own.isElsewhere && { elsewhere: true }),
		...(against && { setAgainst: { ...against.charged, elsewhere: true } }),
	};
}

/** Returns the charge of one billing period; undefined without one in a currency. */
export function chargedTogether(rows: readonly AdvancePeriod[], from: Instant, minimum: ChargedPeriod["minimum"]) {
	const [first] = rows;
	const currency = rows.map(({ terms }) => currencyOfCharge(terms.item.charge)).find((one) => one !== undefined);
	if (!first || currency === undefined) return undefined;
	const { startsAt, endsAt: end, wholeStartsAt } = first.period;
	// A charge that is never credited keeps its terms when the others get another discount or tax.
	const { coupon, taxPercentage } = (rows.find((one) => !isKept(itemOf(one))) ?? first).terms;
	const start = wholeStartsAt ?? startsAt;
	const charged: ChargedPeriod = {
		period: { start, end },
		...(from > start && { from }),
		currency,
		items: rows.map(itemOf),
		coupon,
		taxPercentage,
		minimum,
	};
	return { charged, isElsewhere: rows.every(({ period }) => period.state === "ELSEWHERE") };
}

/** By time is the default. */
export const prorationOf = ({
	prorationMode: mode,
	interval,
	timeZone,
}: PeriodOfCharge["charge"]): Pick<ChargeItem, "proration"> =>
	mode === "BY_TIME"
		? {}
		: { proration: { mode, unit: interval?.unit ?? "MONTH", ...(timeZone !== utc && { timeZone }) } };

const itemOf = ({ charge, terms, period }: AdvancePeriod): ChargeItem & ManualCredit => ({
	...terms.item,
	...prorationOf(charge),
	period: { start: period.wholeStartsAt ?? period.startsAt, end: period.endsAt },
	...(period.lineChargeId !== null && { chargeId: period.lineChargeId }),
	...(period.rated.taxes && { chargedTaxes: period.rated.taxes }),
	...(period.rated.discounts && { chargedDiscounts: period.rated.discounts }),
	...restOf(period),
});

/** Returns the part of a charge that unused time can credit. */
function restOf({ left }: PeriodOfCharge["period"]): ManualCredit {
	if (left === null) return {};
	return exact(left.part).lte(0) ? { isGivenBack: true } : { left };
}

/** The columns of a subscription that describe its charge in advance. */
export const chargedColumns = (charged: ChargedPeriod | null) => ({
	chargedFrom: charged && chargedFrom(charged),
	chargedCurrency: charged?.currency ?? null,
	chargedMinimum: charged?.minimum ?? null,
});

/** A bill of charges in advance, as it was issued. */
interface AdvanceBill extends IssuedBill {
	/** The charges before the bill. */
	readonly chargedBy: readonly AdvancePeriod[];
	/** The start of the charged time, for items without a line. */
	readonly from: Instant;
	/** The lines of an earlier invoice of the same charge. */
	readonly paid?: readonly AmountLine[];
}

export type AmountLine = Pick<RatedLine, "chargeId" | "amount" | "discount" | "tax" | "total"> & {
	readonly taxes?: readonly LineTax[] | null;
	readonly discounts?: readonly LineDiscount[] | null;
	readonly basis: LineBasis | null;
	readonly period?: RatedLine["period"];
	readonly periodStart?: Instant | null;
	/** Set for lines of an earlier invoice. */
	readonly invoiceId?: string;
};

/**
 * Records the charge in advance that a bill leaves: charges that are new to it, credits of those that it ends, and the
 * charges of another system that it credited. The caller has written the columns (`chargedColumns`).
 */
export function recordCharged(
	work: Work,
	row: SubscriptionRow,
	charged: ChargedPeriod | null,
	{ chargedBy, rated, invoice, from, paid = [] }: AdvanceBill,
): void {
	const lines: AmountLine[] = [...rated.flatMap((one) => one.lines), ...paid];
	const known = new Map(chargedBy.map((one) => [one.charge.key, one]));
	const wanted = charged ? keyed(inAdvance, charged.items) : new Map<string, ChargeItem>();
	const against = keyed(setAgainst, charged?.setAgainst?.items ?? []);
	for (const [key, one] of known) {
		const item = wanted.get(key);
		if (against.has(key) || (item && isCharged(one, item, charged))) continue;
		creditBy(work, one, lines);
		if (!item) endCharge(work, one);
	}
	const bill = (key: string, item: ChargeItem, of: ChargedPeriod, position: number) => {
		const before = known.get(key);
		if (before && isCharged(before, item, of)) {
			moveCharge(work, before, position);
			return;
		}
		const { charge, period } = billedItem(row, of, { key, item, position, lines, from, invoice });
		recordInAdvance(work, ownerOf(row), charge, period, before ?? null);
	};
	for (const [at, [key, item]] of [...wanted].entries()) if (charged) bill(key, item, charged, at);
	for (const [at, [key, item]] of [...against].entries())
		if (charged?.setAgainst && !known.has(key)) bill(key, item, charged.setAgainst, at);
}

interface BilledItem extends Pick<AdvanceBill, "from" | "invoice"> {
	readonly key: string;
	readonly item: ChargeItem;
	readonly position: number;
	readonly lines: readonly AmountLine[];
}

/** Returns the charge of an item, and its period as the lines of a bill charge it. */
export function billedItem(
	row: SubscriptionRow,
	of: ChargedPeriod,
	{ key, item, position, lines, from, invoice }: BilledItem,
): { readonly charge: Parameters<typeof recordInAdvance>[2]; readonly period: NewPeriod } {
	const own = lines.filter(({ chargeId, basis }) => chargeId != null && chargeId === item.chargeId && !basis?.isCredit);
	const starts = own.flatMap(({ period, periodStart }) => period?.start ?? periodStart ?? []);
	const start = Math.max(of.period.start, of.elsewhere ? chargedFrom(of) : (starts[0] ?? from)) as Instant;
	return {
		charge: {
			...timingOf(row, of),
			prorationMode: item.proration?.mode ?? "BY_TIME",
			key,
			position,
			terms: { ...termsOf(item), coupon: of.coupon, taxPercentage: of.taxPercentage },
		},
		period: {
			...{ start, end: of.period.end, wholeStartsAt: start > of.period.start ? of.period.start : null },
			...{
				rated: { ...amountsOf(own), ...roundedTaxesOf(own), ...discountsOf(own) },
				invoiceId: of.elsewhere ? null : (own[0]?.invoiceId ?? invoice?.id ?? null),
				usage: null,
			},
			...{ lineChargeId: item.chargeId ?? null, state: of.elsewhere ? "ELSEWHERE" : "BILLED" },
		},
	};
}

/** Whether a charge is the one of an item, and not one that replaces it. */
function isCharged({ period, terms }: AdvancePeriod, item: ChargeItem, charged: ChargedPeriod | null): boolean {
	if (!charged || period.endsAt !== charged.period.end) return false;
	if (item.chargeId != null || period.lineChargeId !== null) return item.chargeId === period.lineChargeId;
	// Charges of another system have no id.
	return period.state === "ELSEWHERE" && Bun.deepEquals(terms.item, termsOf(item).item);
}

/** Gives each item a key. Several items may have one subject, such as two currencies of credits. */
export function keyed(start: string, items: readonly ChargeItem[]): Map<string, ChargeItem> {
	const keys = new Map<string, ChargeItem>();
	for (const item of items) {
		const key = `${start}${subjectOf(item)}`;
		const nth = [...keys.keys()].filter((one) => one === key || one.startsWith(`${key}#`)).length;
		keys.set(nth === 0 ? key : `${key}#${nth}`, item);
	}
	return keys;
}

export const termsOf = ({
	period: _,
	chargeId: __,
	chargedTaxes: __________,
	chargedDiscounts: ___________,
	continues: ___,
	share: ____,
	isCredit: _____,
	proration: ________,
	isGivenBack: ______,
	left: _______,
	...item
}: ChargeItem & ManualCredit): Pick<AdvanceTerms, "item"> => ({ item });

const timingOf = ({ billingPeriod, billingAnchorAt, timeZone }: SubscriptionRow, { period }: ChargedPeriod) => ({
	endsAt: null,
	interval: billingPeriod === null ? null : intervalOf(billingPeriod),
	anchorAt: billingAnchorAt ?? period.start,
	timeZone: timeZone ?? utc,
	paymentTime: "IN_ADVANCE" as const,
});

/** Returns the taxes that were rounded for an invoice, so that a credit reverses exactly its part of them. */
function roundedTaxesOf(lines: readonly AmountLine[]): { readonly taxes?: ChargedTaxes } {
	const line = lines.find(({ basis }) => basis?.tax?.over !== undefined);
	if (!line) return {};
	const gross = toDecimal(grossOf(line));
	return { taxes: { gross, amounts: (line.taxes ?? []).map(({ amount }) => amount) } };
}

/** Returns the discounts of several coupons, so that a credit reverses exactly its part of them. */
function discountsOf(lines: readonly AmountLine[]): { readonly discounts?: ChargedDiscounts } {
	const line = lines.find(({ discounts }) => discounts);
	if (!line) return {};
	const steps = line.basis?.discounts ?? [];
	const discounts = steps.map(({ couponId, name, amount, applicationId }) => ({
		...{ couponId, name, amount },
		...(applicationId !== undefined && { applicationId }),
	}));
	return { discounts: { amount: toDecimal(statedAmount(line)), discounts } };
}

/** Records the credits that a bill makes of a subscription's charges, which then end. */
export function recordCredits(work: Work, row: SubscriptionRow, { rated }: Pick<IssuedBill, "rated">): void {
	if (row.chargedFrom === null) return;
	const lines = rated.flatMap((one) => one.lines);
	for (const one of chargesInAdvance(work, row).filter(isOwn)) creditBy(work, one, lines);
}

/** Records the credit of a charge that a bill makes. */
export function creditBy(work: Work, one: AdvancePeriod, lines: readonly AmountLine[]): void {
	const { lineChargeId } = one.period;
	const credits = lines.filter(
		({ chargeId, basis }) => lineChargeId !== null && chargeId === lineChargeId && basis?.isCredit,
	);
	const [first] = credits;
	const from = first?.period?.start ?? first?.periodStart;
	if (from == null) return;
	const { subTotal, discount, tax, total, gross } = amountsOf(credits);
	const negated = (amount: Totals["total"]) => toDecimal(exact(amount).times(-1));
	creditPart(work, one, {
		from,
		rated: {
			...{ subTotal: negated(subTotal), discount: negated(discount), tax: negated(tax), total: negated(total) },
			...(gross !== undefined && { gross: negated(gross) }),
		},
	});
}

/** Moves the charges of a replaced subscription to the one that goes on billing them. */
export const carryCharges = (work: Work, { chargedBy }: ChargedSubscription, to: SubscriptionRow): void => {
	for (const one of chargedBy) giveCharge(work, one, ownerOf(to));
};

/** Records what credit notes by hand have left of charges, by the charge id of their lines. */
export function leaveAmounts(
	work: Work,
	row: SubscriptionRow,
	left: ReadonlyMap<string, PeriodOfCharge["period"]["left"]>,
): void {
	for (const one of chargesInAdvance(work, row).filter(isOwn)) {
		const amount = left.get(one.period.lineChargeId ?? "");
		if (amount !== undefined) leaveAmount(work, one, amount);
	}
}
