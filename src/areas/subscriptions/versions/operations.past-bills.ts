import type { Instant } from "../../../kernel/clock";
import type { Period } from "../../../kernel/period";
import { type Work, workAt } from "../../../kernel/work";
import type { VersionRow } from "../../packages/table";
import { currencyOfCharge } from "../../pricing/models/charge";
import type { RatedInvoice } from "../../pricing/rate";
import { usageItems } from "../billing/counted-usage";
import { discountAndTax, payerOf } from "../billing/payer";
import { chargedPeriodOf, isOneOff, minimumSpendPaidOf, prorateItems, rateBill } from "../billing/rules.bill";
import { usageWithin } from "../billing/usage";
import type { SubscriptionRow } from "../table";
import { billInAdvance } from "../terms/charge-items";
import type { Sale } from "../terms/sale";
import { selectVersionChanges } from "../terms/store.version-changes";
import { saleOf, subscribedItems } from "../terms/subscription-sale";
import { countBilledOn, selectBilledOn } from "./store.catalogue";
import { saleOn } from "./version-change";

/** How many paid subscriptions run on the plan (its row id), on whatever version, and are invoiced here. */
export const countBilledOnPlan = (work: Work, planId: string): number => countBilledOn(work, planId);

/** Those subscriptions, in the order of their row ids, beyond `afterId`. */
export const billedOnPlan = (work: Work, planId: string, afterId: string, rowsMax: number): SubscriptionRow[] =>
	selectBilledOn(work, planId, afterId, rowsMax);

/** A billing period that has passed, and from when it was charged: later than its start where a subscription began within. */
export interface PastPeriod {
	readonly period: Period;
	readonly from: Instant;
}

export interface PastBills {
	/** On the version that was charged. */
	readonly before: readonly RatedInvoice[];
	/** On the other one. */
	readonly after: readonly RatedInvoice[];
	/** Of the prices, also where they come to nothing; undefined without any. */
	readonly currency: string | undefined;
}

/** The bills of past periods of a subscription, as they were and as they would have been on another version of its plan. */
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
	/** On the other one. */
	readonly after: Sale;
}

/** The sales that hold at the beginning of a period: others only where a change of version lies between. */
function salesOf(row: SubscriptionRow, target: VersionRow): (work: Work, past: PastPeriod) => Sales {
	const known = new Map<number, Sales>();
	return (work, { from }) => {
		const changes = selectVersionChanges(work, row.id);
		const changesBefore = changes.filter(({ pricesFrom }) => pricesFrom <= from).length;
		const sales = known.get(changesBefore);
		if (sales) return sales;
		const before = saleOf(work, row, from);
		const versions = [target, ...before.addons.map(({ version }) => version)];
		const made = { before, after: saleOn(work, row, { ...subscribedItems(work, row), versions }) };
		known.set(changesBefore, made);
		return made;
	};
}

/**
 * What a past period comes to, as one bill: what recurs in advance, and the usage of the period itself. It is calculated with the
 * units, addons, prices of its own and minimum spend of now, and the coupon that acted when the period began; tax is left out.
 */
function rate(work: Work, row: SubscriptionRow, sale: Sale, { period, from }: PastPeriod): RatedInvoice[] {
	const { coupon } = payerOf(workAt(work, from), row);
	const terms = discountAndTax(coupon, null);
	const whole = billInAdvance({ ...sale, minimumSpend: row.minimumSpend }, period).filter((item) => !isOneOff(item));
	const items = prorateItems(whole, period, from);
	const charged = chargedPeriodOf(items, { period }, terms, [{ items, ...terms }], null);
	const used = usageItems(usageWithin(work, row, sale, { start: from, end: period.end }));
	return rateBill({
		sections: [{ ...terms, items: [...items, ...used], minimumSpendPaid: minimumSpendPaidOf(charged) }],
	});
}

const currencyOf = ({ before, after }: Sales): string | undefined =>
	[...before.prices, ...after.prices].map(({ charge }) => currencyOfCharge(charge)).find((one) => one !== undefined);
