import type { Instant } from "../../../kernel/clock";
import { exact } from "../../../kernel/decimal";
import { attemptStep } from "../../../kernel/due";
import type { Work } from "../../../kernel/work";
import { getOwnEnvironment } from "../../access/operations";
import { onDemandOf } from "../../pricing/rate";
import { reachesThreshold } from "../../pricing/rules.spend-thresholds";
import { noTaxes } from "../../taxes/rules.levels";
import { withCharged } from "../billing/charged";
import { allWindows, type CountedUsage, usageItems } from "../billing/counted-usage";
import { planOf } from "../billing/cycle";
import { billUsage } from "../billing/renewal";
import { rateBill } from "../billing/rules.bill";
import { unbilledUsage } from "../billing/usage";
import { isBilledHere } from "../rules.due";
import { selectByIds } from "../store";
import type { SubscriptionRow } from "../table";
import { type EffectivePrice, isInvoicedAtEvent } from "../terms/prices";
import { saleOf } from "../terms/subscription-sale";
import { pauseMs, retryMs, thresholdsOf } from "./rules";
import { deleteCheck } from "./store";
import { insertCheck } from "./store.marks";
import type { SpendCheckRow } from "./table";

/** A subscription whose usage is to be invoiced at once: all of it at a threshold, or the part that each event charges. */
interface Reached {
	readonly row: SubscriptionRow;
	readonly by: "threshold" | "events";
}

/**
 * Returns the subscription of a check if its on-demand cost that is not invoiced has reached a threshold, or if events have cost
 * something; undefined otherwise. A subscription whose renewal or end is due gets its usage invoiced by that step.
 */
export function reachedBy(
	work: Work,
	{ subscriptionId }: Pick<SpendCheckRow, "subscriptionId">,
	isCompared: (usage: CountedUsage) => boolean = () => true,
): Reached | undefined {
	const [row] = selectByIds(work, [subscriptionId]);
	if (row?.status !== "ACTIVE" || !isBilledHere(row)) return undefined;
	if (row.billedUntil !== null && row.billedUntil <= work.now) return undefined;
	// A migration moves thresholds at once, and prices with the next period.
	const thresholds = thresholdsOf(row, planOf(work, row));
	const sale = saleOf(work, row, (work.now - 1) as Instant);
	const ratedOf = (isDue?: (price: EffectivePrice) => boolean) => {
		const counted = unbilledUsage(work, withCharged(work, row), sale, work.now, { isDue });
		const items = usageItems(allWindows(counted).filter(isCompared));
		return rateBill({ sections: [{ items, taxation: noTaxes }] });
	};
	if (thresholds.length > 0) {
		const isReached = ratedOf().some((one) => reachesThreshold(thresholds, one.currency, onDemandOf(one)));
		if (isReached) return { row, by: "threshold" };
	}
	if (!sale.prices.some(isInvoicedAtEvent)) return undefined;
	const costs = ratedOf(isInvoicedAtEvent).some(({ lines }) => lines.some(({ amount }) => !exact(amount).eq(0)));
	return costs ? { row, by: "events" } : undefined;
}

/**
 * Carries out a check: invoices all usage of a subscription that has reached its threshold, or what events have charged. Returns the reason of a failure; then the
 * check is due again later.
 */
export function carryOutCheck(work: Work, check: SpendCheckRow) {
	deleteCheck(work, check);
	const failed = attemptStep(work, () => invoiceIfReached(work, check));
	if (failed) insertCheck(work, check.environmentId, check.subscriptionId, (work.now + retryMs) as Instant);
	return failed;
}

function invoiceIfReached(work: Work, check: SpendCheckRow): void {
	const reached = reachedBy(work, check);
	if (!reached) return;
	const { row, by } = reached;
	const pausesUntil = ((row.usageBilledUntil ?? 0) + pauseMs) as Instant;
	// A frozen clock stands still between two invoices.
	if (work.now < pausesUntil && getOwnEnvironment(work).clockAt === null)
		insertCheck(work, check.environmentId, check.subscriptionId, pausesUntil);
	else if (by === "threshold") billUsage(work, row, work.now, "MINIMUM_INVOICE_AMOUNT_EXCEEDED");
	else billUsage(work, row, work.now, "OTHER", isInvoicedAtEvent);
}
