import type { Instant } from "../../../kernel/clock";
import { type Decimal, exact, sum, toDecimal } from "../../../kernel/decimal";
import type { Work } from "../../../kernel/work";
import type { ChargeItem, RatedInvoice } from "../../pricing/rate";
import { isBilledHere } from "../rules.due";
import type { ChargedPeriod, DiscountAndTax, PendingProrations, SubscriptionRow } from "../table";
import { isInArrears } from "../terms/prices";
import type { Sale } from "../terms/sale";
import { saleOf } from "../terms/subscription-sale";
import { type BilledStretch, stretchesUntil } from "./arrears";
import type { ChargedSubscription } from "./charged";
import { runningCommitments } from "./commitments/running";
import { lateCommitments, type SettledCommitments, settleCommitments, withCommitments } from "./commitments/settle";
import { type CountedUsage, minimumOfLate, noUsage, type UsageCount, usageItems } from "./counted-usage";
import { discountAndTax, type Payer, payerOf } from "./payer";
import {
	type BillSection,
	chargedAfterCredits,
	chargedFrom,
	creditSection,
	minimumSpendPaidOf,
	minimumTaxesOf,
	rateBill,
	retainedSection,
	withDrawdown,
	withPercentagesOnly,
} from "./rules.bill";
import { type Ending, unbilledUsage } from "./usage";

/** The open amounts of a subscription that ends or changes its prices now. */
export interface Settlement {
	/** Credits of unused time, usage up to now, and late usage. */
	readonly sections: readonly BillSection[];
	readonly credits: readonly BillSection[];
	readonly usage: readonly BillSection[];
	/** Fees and units in arrears up to now. */
	readonly arrears: readonly BilledStretch[];
	/** Usage of closed periods that was reported after their bill. */
	readonly late: readonly BillSection[];
	readonly pending: readonly PendingProrations[];
	/** The caller records it with the bill that it issues. */
	readonly counted: UsageCount;
}

const nothing: Settlement = {
	...{ sections: [], credits: [], usage: [], late: [], pending: [], arrears: [], counted: noUsage },
};

export interface SettlementTerms {
	/** Whether unused time is credited. */
	readonly creditsUnusedTime: boolean;
	/** No further charge follows, so the amount that another system charged is not paid out. */
	readonly isEnd?: boolean;
	/** The rest of the term is billed too, so fees in arrears go on to its end. */
	readonly owesRest?: boolean;
	/** Whether usage is billed up to now. Default: true. */
	readonly billsUsage?: boolean;
	/** Items that are not credited. */
	readonly except?: readonly ChargeItem[];
	/** Whether charges are credited that otherwise never are. */
	readonly reversesKept?: boolean;
	/** The usage windows that end with it. Default: all. */
	readonly ends?: Ending;
	/** The sale until now, if the stored one has been overwritten already. */
	readonly sale?: Sale;
	/** The billing period continues. */
	readonly isMidway?: boolean;
	/** Credits of the same bill that are rated already. */
	readonly credited?: readonly BillSection[];
	/** The windows of commitments are owed until then. Default: now. */
	readonly commitmentsUntil?: Instant | undefined;
}

/** Whether a subscription has charges or usage to settle. A trial has usage only, if it is billed. */
export const isSettled = (row: SubscriptionRow): boolean =>
	isBilledHere(row) && (row.status === "ACTIVE" || (row.status === "IN_TRIAL" && row.trialBillsUsage));

/**
 * Settles a running subscription: credits unused time, bills usage up to now, and takes the prorations that waited for the
 * next invoice. The subscription's own coupon and tax apply.
 */
export function settlementOf(
	work: Work,
	row: ChargedSubscription,
	{ creditsUnusedTime, isEnd = false, billsUsage = true, except = [], sale, ends = "all", ...terms }: SettlementTerms,
): Settlement {
	if (!isSettled(row)) return nothing;
	// A fixed discount of a trial waits for the first charged period.
	const isMidway = terms.isMidway ?? row.status === "IN_TRIAL";
	const { reversesKept = false } = terms;
	const credits = creditsUnusedTime ? unusedTimeCredited(work, row, { except, isEnd, reversesKept }) : [];
	const held = () => sale ?? saleOf(work, row, (work.now - 1) as Instant);
	const counted = billsUsage ? unbilledUsage(work, row, held(), work.now, { ends, isEnd }) : noUsage;
	const charged = chargedAfterCredits(row.charged, credits);
	const arrears =
		billsUsage && !isMidway ? stretchesUntil(work, row, work.now, { isEnd: isEnd && !terms.owesRest }) : [];
	const ending = billsUsage && !isMidway ? runningCommitments(work, row) : [];
	const billed = counted.windows.length + counted.late.length + arrears.length + ending.length;
	const payer = billed === 0 ? null : payerOf(work, row);
	const ofUsage = usageSection({ ...row, charged }, payer, counted.windows, isMidway, arrears, ending.length > 0);
	const ofLate = lateUsageSections(row, payer, counted);
	const commitments = settleCommitments(work, row, {
		...{ sections: [...credits, ...(terms.credited ?? []), ofUsage, ...ofLate], ending },
		...{ until: terms.commitmentsUntil, isEnd },
	});
	const usage = [withCommitments(ofUsage, commitments)];
	const late = [...ofLate, ...lateCommitmentSections(row, payer, commitments)];
	return {
		sections: [...credits, ...usage, ...late],
		credits,
		usage,
		late,
		arrears,
		// While usage is not billed, prorations wait for the next invoice of the subscription.
		pending: billsUsage && row.prorations ? [row.prorations] : [],
		counted:
			isMidway || !billsUsage
				? { ...counted, commitments }
				: { ...counted, commitments, unspent: unspentMinimum(work, row, withDrawdown(charged, usage)) },
	};
}

function unusedTimeCredited(
	work: Work,
	{ charged }: ChargedSubscription,
	credited: Required<Pick<SettlementTerms, "except" | "isEnd" | "reversesKept">>,
): BillSection[] {
	// A period that should never have begun is credited as a whole.
	const credit = creditSection(charged, work.now, { ...credited, isEnd: credited.isEnd && !credited.reversesKept });
	if (!credit) return [];
	const keptBack = credited.isEnd ? retainedSection(charged, work.now) : undefined;
	if (!keptBack) return [credit];
	const sections = [credit, keptBack];
	return exact(sumOf(rateBill({ sections }))).lt(0) ? sections : [];
}

const sumOf = (rated: readonly RatedInvoice[]): Decimal => toDecimal(sum(rated.map(({ total }) => exact(total))));

/** Whether the end of a period charges fees or units of a sale. */
export const hasArrears = ({ prices }: Sale): boolean => prices.some(isInArrears);

/**
 * Bills usage, and fees in arrears, without charges in advance. A fixed discount applies once a period: to the invoice that begins the period, or,
 * where nothing is charged in advance, to the one that ends it.
 */
export const usageSection = (
	{ charged, taxPercentage }: ChargedSubscription,
	payer: Pick<Payer, "coupon" | "coupons" | "taxation"> | null,
	counted: readonly CountedUsage[],
	isMidway: boolean,
	arrears: readonly BilledStretch[] = [],
	endsCommitments = false,
): BillSection => ({
	items: [...arrears.map(({ item }) => item), ...usageItems(counted)],
	...usageTerms(
		payer,
		taxPercentage,
		(counted.length + arrears.length === 0 && !endsCommitments) || charged !== null || isMidway,
	),
	minimumSpendPaid: minimumSpendPaidOf(charged),
});

/** Bills late usage with the discount and tax of the invoice that bills it, and the minimum spend of its own period. */
export const lateUsageSections = (
	{ taxPercentage }: SubscriptionRow,
	payer: Pick<Payer, "coupon" | "coupons" | "taxation"> | null,
	{ late }: UsageCount,
): BillSection[] =>
	late.map((one) => ({
		items: usageItems(one.windows),
		...usageTerms(payer, taxPercentage, true),
		minimumSpendPaid: minimumOfLate(one),
	}));

/** Bills what late usage changes of commitments, like the late usage itself. */
export const lateCommitmentSections = (
	{ taxPercentage }: SubscriptionRow,
	payer: Pick<Payer, "coupon" | "coupons" | "taxation"> | null,
	settled: SettledCommitments,
): BillSection[] => lateCommitments(usageTerms(payer, taxPercentage, true), settled);

function usageTerms(
	payer: Pick<Payer, "coupon" | "coupons" | "taxation"> | null,
	taxPercentage: Decimal | null,
	takesPercentageOnly: boolean,
): DiscountAndTax {
	const terms = discountAndTax(payer ?? { coupon: null, taxation: undefined }, taxPercentage);
	return takesPercentageOnly ? withPercentagesOnly(terms) : terms;
}

/** Returns the minimum spend that a charge which ends now has not used, after its usage was billed; undefined if none is left. */
export function unspentMinimum({ now }: Work, { id }: SubscriptionRow, charged: ChargedPeriod | null) {
	if (!charged?.minimum) return undefined;
	const { period, currency, minimum } = charged;
	const left = exact(minimum.paid).minus(exact(minimum.drawn));
	if (left.lte(0)) return undefined;
	const chargedUntil = now < period.end ? now : period.end;
	const taxes = minimumTaxesOf(charged) ?? null;
	return {
		subscriptionId: id,
		chargedFrom: chargedFrom(charged),
		chargedUntil,
		currency,
		amount: toDecimal(left),
		taxes,
	};
}
