import type { Instant } from "../../../kernel/clock";
import { exact } from "../../../kernel/decimal";
import { attemptStep } from "../../../kernel/due";
import type { Work } from "../../../kernel/work";
import { getOwnEnvironment } from "../../access/operations";
import { onDemandOf } from "../../pricing/rate";
import { reachesThreshold } from "../../pricing/rules.spend-thresholds";
import { noTaxes } from "../../taxes/rules.levels";
import { withCharged } from "../billing/charged";
import { allWindows, type CountedUsage, type UsageCount, usageItems } from "../billing/counted-usage";
import { planOf } from "../billing/cycle";
import { billUsage } from "../billing/renewal";
import { rateBill } from "../billing/rules.bill";
import { unbilledUsage } from "../billing/usage";
import { isBilledHere } from "../rules.due";
import { selectByIds } from "../store";
import type { SubscriptionRow } from "../table";
import { type EffectivePrice, isInvoicedAtEvent } from "../terms/prices";
import { saleOf } from "../terms/subscription-sale";
import { eventsPauseMs, pauseMs, retryMs, thresholdsOf } from "./rules";
import { deleteCheck } from "./store";
import { insertCheck } from "./store.marks";
import type { SpendCheckRow } from "./table";

/** A subscription whose usage is to be invoiced at once: all of it at a threshold, or the part that each event charges. */
export interface Reached {
	readonly row: SubscriptionRow;
	readonly by: "threshold" | "events";
	/** The usage to invoice, up to now. */
	readonly counted: UsageCount;
}

/**
 * Returns the subscription of a check if its on-demand cost that is not invoiced has reached a threshold, or if events have cost
 * something; undefined otherwise. A subscription whose renewal or end is due gets its usage invoiced by that step.
 */
export function reachedBy(
	work: Work,
	found: SubscriptionRow | undefined,
	isCompared: (usage: CountedUsage) => boolean = () => true,
): Reached | undefined {
	if (found?.status !== "ACTIVE" || !isBilledHere(found)) return undefined;
	if (found.billedUntil !== null && found.billedUntil <= work.now) return undefined;
	const row = withCharged(work, found);
	// A migration moves thresholds at once, and prices with the next period.
	const thresholds = thresholdsOf(row, planOf(work, row));
	const sale = saleOf(work, row, (work.now - 1) as Instant);
	const count = (isDue?: (price: EffectivePrice) => boolean) => unbilledUsage(work, row, sale, work.now, { isDue });
	const rate = (counted: UsageCount) => {
		const items = usageItems(allWindows(counted).filter(isCompared));
		return rateBill({ sections: [{ items, taxation: noTaxes }] });
	};
	if (thresholds.length > 0) {
		const counted = count();
		const isReached = rate(counted).some((one) => reachesThreshold(thresholds, one.currency, onDemandOf(one)));
		if (isReached) return { row, by: "threshold", counted };
	}
	if (!sale.prices.some(isInvoicedAtEvent)) return undefined;
	const counted = count(isInvoicedAtEvent);
	const costs = rate(counted).some(({ lines }) => lines.some(({ amount }) => !exact(amount).eq(0)));
	return costs ? { row, by: "events", counted } : undefined;
}

/** The outcome of an examined check. Without both, nothing is to be invoiced now. */
interface Examined {
	readonly reached?: Reached | undefined;
	readonly failed?: ReturnType<typeof attemptStep>;
}

/**
 * Examines a check. It stays if its subscription is to be invoiced (`invoiceReached`). Otherwise it is done, or due again: after the pause
 * since the last invoice, or later if it has failed.
 */
export function examine(work: Work, check: SpendCheckRow): Examined {
	let reached: Reached | undefined;
	const failed = attempt(work, check, () => {
		const [row] = selectByIds(work, [check.subscriptionId]);
		let dueAt = row && pausesUntil(work, row, eventsPauseMs);
		if (dueAt === undefined) reached = reachedBy(work, row);
		if (reached?.by === "threshold") dueAt = pausesUntil(work, reached.row, pauseMs);
		if (reached && dueAt === undefined) return;
		reached = undefined;
		deleteCheck(work, check);
		if (dueAt !== undefined) insertCheck(work, check.environmentId, check.subscriptionId, dueAt);
	});
	return failed ? { failed } : { reached };
}

/** Returns the end of the pause since the last invoice; undefined if it is over. A frozen clock stands still between two invoices. */
function pausesUntil(work: Work, { usageBilledUntil }: SubscriptionRow, forMs: number): Instant | undefined {
	const until = ((usageBilledUntil ?? 0) + forMs) as Instant;
	return work.now < until && getOwnEnvironment(work).clockAt === null ? until : undefined;
}

/**
 * Invoices what `examine` has found, at the same instant, and in the same transaction or one of the same group, which sees the same usage.
 * Returns the reason of a failure; then the check is due again later.
 */
export function invoiceReached(work: Work, check: SpendCheckRow, { row, by, counted }: Reached) {
	deleteCheck(work, check);
	return attempt(work, check, () => {
		if (by === "threshold") billUsage(work, row, work.now, "MINIMUM_INVOICE_AMOUNT_EXCEEDED", { counted });
		else billUsage(work, row, work.now, "OTHER", { only: isInvoicedAtEvent, counted });
	});
}

/** Carries out a check in one transaction. Returns the reason of a failure; then the check is due again later. */
export function carryOutCheck(work: Work, check: SpendCheckRow) {
	const { reached, failed } = examine(work, check);
	return reached ? invoiceReached(work, check, reached) : failed;
}

/** A failed step is rolled back alone. */
function attempt(work: Work, check: SpendCheckRow, step: () => void) {
	const failed = attemptStep(work, step);
	if (!failed) return undefined;
	deleteCheck(work, check);
	insertCheck(work, check.environmentId, check.subscriptionId, (work.now + retryMs) as Instant);
	return failed;
}
