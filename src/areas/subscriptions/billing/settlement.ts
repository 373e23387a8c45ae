import type { Instant } from "../../../kernel/clock";
import { type Decimal, exact, sum, toDecimal } from "../../../kernel/decimal";
import type { Work } from "../../../kernel/work";
import { percentageOnly } from "../../pricing/discount";
import type { ChargeItem, RatedInvoice } from "../../pricing/rate";
import { isBilledHere } from "../rules.due";
import type { ChargedPeriod, PendingProrations, SubscriptionRow } from "../table";
import type { Sale } from "../terms/prepare-sale";
import { saleOf } from "../terms/subscription-sale";
import { type CountedUsage, minimumOfLate, noUsage, type UsageCount, usageItems } from "./counted-usage";
import { payerOf } from "./payer";
import {
	type BillSection,
	chargedAfterCredits,
	chargedFrom,
	creditSection,
	keptBackSection,
	minimumSpendPaidOf,
	rateBill,
	withDrawdown,
} from "./rules.bill";
import { unbilledUsage } from "./usage";

/** What is still to be settled of a subscription that ends, or that changes its prices, now. */
export interface Settlement {
	/** Unused time that is credited, and usage up to now. */
	readonly sections: readonly BillSection[];
	readonly credits: readonly BillSection[];
	readonly usage: readonly BillSection[];
	/** Usage of closed periods that was reported since they were billed. */
	readonly late: readonly BillSection[];
	readonly pending: readonly PendingProrations[];
	/** To be recorded by whoever issues the bill. */
	readonly counted: UsageCount;
}

const nothing: Settlement = { sections: [], credits: [], usage: [], late: [], pending: [], counted: noUsage };

interface SettlementTerms {
	/** Whether unused time is credited. */
	readonly creditsUnusedTime: boolean;
	/** Nothing more is charged that it is set against: what another system had charged is kept back. */
	readonly isEnd?: boolean;
	/** Whether usage is billed up to now; left out: it is. */
	readonly billsUsage?: boolean;
	/** Items that are not credited. */
	readonly except?: readonly ChargeItem[];
	/** What was held until now, at its prices, where that has been written over already. */
	readonly sale?: Sale;
	/** The billing period goes on. */
	readonly isMidway?: boolean;
}

/**
 * What a running subscription's bill closes with: the unused time that is credited, the usage up to now, and the prorations
 * that waited for the next invoice. Its own coupon and tax hold for it.
 */
export function settlementOf(
	work: Work,
	row: SubscriptionRow,
	{ creditsUnusedTime, isEnd = false, billsUsage = true, except = [], sale, isMidway = false }: SettlementTerms,
): Settlement {
	if (row.status !== "ACTIVE" || !isBilledHere(row)) return nothing;
	const credits = creditsUnusedTime ? unusedTimeCredited(work, row, except, isEnd) : [];
	const held = () => sale ?? saleOf(work, row, (work.now - 1) as Instant);
	const counted = billsUsage ? unbilledUsage(work, row, held(), work.now) : noUsage;
	const charged = chargedAfterCredits(row.charged, credits);
	const usage = [usageSection(work, { ...row, charged }, counted.windows, isMidway)];
	const late = lateUsageSections(work, row, counted);
	return {
		sections: [...credits, ...usage, ...late],
		credits,
		usage,
		late,
		// As long as it goes on, they wait for its own next invoice.
		pending: billsUsage && row.prorations ? [row.prorations] : [],
		counted:
			isMidway || !billsUsage
				? counted
				: { ...counted, unspent: unspentMinimum(work, row, withDrawdown(charged, usage)) },
	};
}

function unusedTimeCredited(
	work: Work,
	{ charged }: SubscriptionRow,
	except: readonly ChargeItem[],
	isEnd: boolean,
): BillSection[] {
	const credit = creditSection(charged, work.now, except);
	if (!credit) return [];
	const keptBack = isEnd ? keptBackSection(charged, work.now) : undefined;
	if (!keptBack) return [credit];
	const sections = [credit, keptBack];
	return exact(sumOf(rateBill({ sections }))).lt(0) ? sections : [];
}

const sumOf = (rated: readonly RatedInvoice[]): Decimal => toDecimal(sum(rated.map(({ total }) => exact(total))));

/**
 * Usage that is billed by itself. A fixed discount belongs to a period's regular invoice, and is not given twice (our
 * choice): to the one that began the period, or, where nothing is charged in advance, to the one that ends it.
 */
export function usageSection(
	work: Work,
	row: SubscriptionRow,
	counted: readonly CountedUsage[],
	isMidway: boolean,
): BillSection {
	const coupon = counted.length === 0 ? null : payerOf(work, row).coupon;
	return {
		items: usageItems(counted),
		coupon: row.charged || isMidway ? percentageOnly(coupon) : coupon,
		taxPercentage: row.taxPercentage,
		minimumSpendPaid: minimumSpendPaidOf(row.charged),
	};
}

/** What came late is discounted and taxed as the invoice that bills it, and draws on the minimum of its own period. */
export function lateUsageSections(work: Work, row: SubscriptionRow, { late }: UsageCount): BillSection[] {
	if (late.length === 0) return [];
	const coupon = percentageOnly(payerOf(work, row).coupon);
	return late.map((one) => ({
		items: usageItems(one.windows),
		coupon,
		taxPercentage: row.taxPercentage,
		minimumSpendPaid: minimumOfLate(one),
	}));
}

/** What a charge that ends now leaves of its minimum spend once its usage has been billed; undefined when it leaves nothing. */
export function unspentMinimum({ now }: Work, { id }: SubscriptionRow, charged: ChargedPeriod | null) {
	if (!charged?.minimum) return undefined;
	const { period, currency, minimum } = charged;
	const left = exact(minimum.paid).minus(exact(minimum.drawn));
	if (left.lte(0)) return undefined;
	const chargedUntil = now < period.end ? now : period.end;
	return { subscriptionId: id, chargedFrom: chargedFrom(charged), chargedUntil, currency, amount: toDecimal(left) };
}
