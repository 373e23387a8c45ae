import type { Instant } from "../../../kernel/clock";
import type { Period } from "../../../kernel/period";
import { type Work, workAt } from "../../../kernel/work";
import type { VersionRow } from "../../packages/table";
import { currencyOfCharge } from "../../pricing/models/charge";
import type { RatedInvoice } from "../../pricing/rate";
import { noTaxes } from "../../taxes/rules.levels";
import { withEstimate } from "../billing/commitments/estimate";
import { usageItems } from "../billing/counted-usage";
import { discountAndTax, payerOf } from "../billing/payer";
import { chargedPeriodOf, isOneOff, minimumSpendPaidOf, prorateItems, rateBill } from "../billing/rules.bill";
import { usageWithin } from "../billing/usage-of-period";
import type { SubscriptionRow } from "../table";
import { itemsInAdvance, itemsInArrears } from "../terms/items-of-period";
import { placeFromStart, runningPhase } from "../terms/phases";
import { inPhase, type Sale, withUplifts } from "../terms/sale";
import { selectVersionChanges } from "../terms/store.version-changes";
import { saleOf, subscribedItems } from "../terms/subscription-sale";
import { countBilledOn, selectBilledOn } from "./store.catalogue";
import { saleOn } from "./version-change";

/** Counts the paid subscriptions to the plan (its row id) that Tollgate invoices, on any version. */
export const countBilledOnPlan = (work: Work, planId: string): number => countBilledOn(work, planId);

/** Returns those subscriptions in the order of their row ids, after `afterId`. */
export const billedOnPlan = (work: Work, planId: string, afterId: string, rowsMax: number): SubscriptionRow[] =>
	selectBilledOn(work, planId, afterId, rowsMax);

/**
 * A past billing period and the start of its charge, which is later than the period's start if the subscription began
 * within it.
 */
export interface PastPeriod {
	readonly period: Period;
	readonly from: Instant;
	/** A trial whose usage was billed. Nothing is charged in advance. */
	readonly isTrial?: true;
}

export interface PastBills {
	/** On the version that was charged. */
	readonly before: readonly RatedInvoice[];
	/** On the other version. */
	readonly after: readonly RatedInvoice[];
	/** The currency of the prices, even if they amount to zero; undefined without prices. */
	readonly currency: string | undefined;
}

/**
 * Returns the bills of past periods of a subscription: as they were, and as they would have been on another version of
 * its plan.
 */
export function pastBills(row: SubscriptionRow, target: VersionRow): (work: Work, past: PastPeriod) => PastBills {
	const saleAt = salesOf(row, target);
	return (work, past) => {
		const sales = saleAt(work, past);
		return {
			before: rate(work, row, sales.before, past),
			after: rate(work, row, sales.after, past),
			currency: currencyOf(sales),
		};
	};
}

interface Sales {
	/** On the version that was charged. */
	readonly before: Sale;
	/** On the other version. */
	readonly after: Sale;
}

/**
 * Returns the sales at the start of a period, each in the phase that its version has then and at the prices of its term. They are calculated again only after a
 * change of version.
 */
function salesOf(row: SubscriptionRow, target: VersionRow): (work: Work, past: PastPeriod) => Sales {
	const known = new Map<number, Sales>();
	const phased = (sale: Sale, at: Instant): Sale => {
		const phase = placeFromStart(row, sale.plan, at);
		return withUplifts(inPhase(sale, runningPhase({ ...row, phase }, sale.plan)), row.uplifts, at);
	};
	return (work, { from }) => {
		const changes = selectVersionChanges(work, row.id);
		const changesBefore = changes.filter(({ pricesFrom }) => pricesFrom <= from).length;
		const sales = known.get(changesBefore) ?? salesAt(work, row, target, from);
		known.set(changesBefore, sales);
		return { before: phased(sales.before, from), after: phased(sales.after, from) };
	};
}

function salesAt(work: Work, row: SubscriptionRow, target: VersionRow, at: Instant): Sales {
	const before = saleOf(work, { ...row, phase: null, uplifts: null }, at);
	const versions = [target, ...before.addons.map(({ version }) => version)];
	return { before, after: saleOn(work, row, { ...subscribedItems(work, row), versions }) };
}

/**
 * Rates a past period as one bill: recurring charges in advance, and the usage of the period itself. Units, addons,
 * price overrides, minimum spend and commitments of its own are the current ones; the coupon is the one at the start of the period; tax is left
 * out.
 */
function rate(work: Work, row: SubscriptionRow, sale: Sale, { period, from, isTrial }: PastPeriod): RatedInvoice[] {
	const terms = discountAndTax({ ...payerOf(workAt(work, from), row), taxation: noTaxes }, null);
	const inAdvance = itemsInAdvance(work, row, sale, period).filter((item) => !isOneOff(item));
	const whole = [...inAdvance, ...itemsInArrears(work, row, sale, period)];
	const items = isTrial ? [] : prorateItems(whole, period, from);
	const charged = chargedPeriodOf(items, { period }, terms, [{ items, ...terms }], null);
	const used = usageItems(
		usageWithin(work, isTrial ? { ...row, billingAnchorAt: null } : row, sale, { start: from, end: period.end }),
	);
	const section = { ...terms, items: [...items, ...used], minimumSpendPaid: minimumSpendPaidOf(charged) };
	return rateBill({ sections: [isTrial ? section : withEstimate(work, row, sale, section, { period, from })] });
}

const currencyOf = ({ before, after }: Sales): string | undefined =>
	[...before.prices, ...after.prices].map(({ charge }) => currencyOfCharge(charge)).find((one) => one !== undefined);
