import type { Instant } from "../../../kernel/clock";
import type { Work } from "../../../kernel/work";
import type { RatedInvoice } from "../../pricing/rate";
import { billingPeriodAt } from "../rules";
import { changeSubscription } from "../store";
import type { ChargedPeriod, SubscriptionRow } from "../table";
import { pauseStretches } from "./arrears";
import { chargedColumns, recordCharged, withCharged } from "./charged";
import { recordBilled } from "./counted-usage";
import { issueBill, recordWaitingUses } from "./issue";
import { payerOf } from "./payer";
import { isKept, rateBill, withDrawdown } from "./rules.bill";
import { isSettled, type Settlement, settlementOf } from "./settlement";

export interface BilledPause {
	readonly subscription: SubscriptionRow;
	readonly rated: readonly RatedInvoice[];
}

/**
 * Settles a subscription that is paused now, as at an end: bills usage up to now, and credits unused time if `prorates`. Charges
 * that are not credited stay, so that a resumption in the same period does not charge them again.
 */
export function billPause(work: Work, row: SubscriptionRow, prorates: boolean): BilledPause {
	if (!isSettled(row)) return { subscription: row, rated: [] };
	const before = withCharged(work, row);
	const settlement = settlementOf(work, before, {
		...{ creditsUnusedTime: prorates, isEnd: true },
		// Without credits, the period is paid and owed whole.
		...(!prorates && { commitmentsUntil: billingPeriodAt(row, (work.now - 1) as Instant)?.end }),
	});
	const rated = rateBill(settlement);
	const kept = keptCharge(before.charged, settlement, work.now);
	const paused = changeSubscription(work, row, {
		usageBilledUntil: work.now,
		usageDueAt: null,
		prorations: null,
		...chargedColumns(kept),
	});
	recordWaitingUses(work, row, paused);
	const invoice = issueBill(work, paused, rated, {
		payer: payerOf(work, row),
		billingReason: "SUBSCRIPTION_UPDATE",
		period: null,
	});
	const { counted, arrears } = settlement;
	// A minimum spend that stays pays for usage after the resumption.
	recordBilled(work, row, kept?.minimum ? { ...counted, unspent: undefined } : counted, { rated, invoice });
	pauseStretches(work, row, arrears, { rated, invoice });
	recordCharged(work, paused, kept, { chargedBy: before.chargedBy, rated, invoice, from: work.now });
	return { subscription: paused, rated };
}

/** Returns the charges for the time after `now` that the pause leaves as they are; null if there are none. */
function keptCharge(
	charged: ChargedPeriod | null,
	{ credits, usage }: Settlement,
	now: SubscriptionRow["startAt"],
): ChargedPeriod | null {
	if (!charged || charged.period.end <= now) return null;
	if (credits.length === 0) return withDrawdown(charged, usage);
	const items = charged.items.filter((item) => isKept(item) || item.isGivenBack);
	return items.length === 0 ? null : { ...charged, items, minimum: null };
}
