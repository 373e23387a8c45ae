import type { Instant } from "../../../kernel/clock";
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
import { saleOf } from "../terms/subscription-sale";
import { pauseMs, retryMs, thresholdsOf } from "./rules";
import { deleteCheck } from "./store";
import { insertCheck } from "./store.marks";
import type { SpendCheckRow } from "./table";

/**
 * Returns the subscription of a check if its on-demand cost that is not invoiced has reached a threshold; undefined otherwise. A
 * subscription whose renewal or end is due gets its usage invoiced by that step.
 */
export function reachedBy(
	work: Work,
	{ subscriptionId }: Pick<SpendCheckRow, "subscriptionId">,
	isCompared: (usage: CountedUsage) => boolean = () => true,
): SubscriptionRow | undefined {
	const [row] = selectByIds(work, [subscriptionId]);
	if (row?.status !== "ACTIVE" || !isBilledHere(row)) return undefined;
	if (row.billedUntil !== null && row.billedUntil <= work.now) return undefined;
	// A migration moves thresholds at once, and prices with the next period.
	const thresholds = thresholdsOf(row, planOf(work, row));
	if (thresholds.length === 0) return undefined;
	const sale = saleOf(work, row, (work.now - 1) as Instant);
	const counted = unbilledUsage(work, withCharged(work, row), sale, work.now);
	const items = usageItems(allWindows(counted).filter(isCompared));
	const rated = rateBill({ sections: [{ items, taxation: noTaxes }] });
	return rated.some((one) => reachesThreshold(thresholds, one.currency, onDemandOf(one))) ? row : undefined;
}

/**
 * Carries out a check: invoices all usage of a subscription that has reached its threshold. Returns the reason of a failure; then the
 * check is due again later.
 */
export function carryOutCheck(work: Work, check: SpendCheckRow) {
	deleteCheck(work, check);
	const failed = attemptStep(work, () => invoiceIfReached(work, check));
	if (failed) insertCheck(work, check.environmentId, check.subscriptionId, (work.now + retryMs) as Instant);
	return failed;
}

function invoiceIfReached(work: Work, check: SpendCheckRow): void {
	const row = reachedBy(work, check);
	if (!row) return;
	const pausesUntil = ((row.usageBilledUntil ?? 0) + pauseMs) as Instant;
	// A frozen clock stands still between two invoices.
	if (work.now < pausesUntil && getOwnEnvironment(work).clockAt === null)
		insertCheck(work, check.environmentId, check.subscriptionId, pausesUntil);
	else billUsage(work, row, work.now, "MINIMUM_INVOICE_AMOUNT_EXCEEDED");
}
