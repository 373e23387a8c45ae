import type { Instant } from "../../../kernel/clock";
import { assert } from "../../../kernel/errors";
import { dayNumber, type Period, startOfDayNumber, utc } from "../../../kernel/period";
import type { Work } from "../../../kernel/work";
import { type Proration, remainingShare } from "../../pricing/proration";
import type { ChargeItem } from "../../pricing/rate";
import { intervalOf } from "../../pricing/rules.billing-period";
import { billingPeriodContaining, type Cycle, cycleOf, keptZoneOf } from "../rules";
import { isBilledHere, type Pause } from "../rules.due";
import { changeSubscription } from "../store";
import type { SubscriptionRow } from "../table";
import { itemsInAdvance } from "../terms/items-of-period";
import type { Sale } from "../terms/sale";
import { saleOf } from "../terms/subscription-sale";
import { postponeCharges, startCharges } from "./arrears";
import { isFreePeriod } from "./change";
import { chargedColumns, recordCharged, withCharged } from "./charged";
import { firstUnsettled, startCommitments } from "./commitments/running";
import { cycleFrom } from "./cycle";
import { issueBill } from "./issue";
import type { BilledPause } from "./pause";
import { discountAndTax, payerOf } from "./payer";
import {
	chargedElsewhere,
	chargedFrom,
	chargedPeriodOf,
	isOneOff,
	prorateItems,
	rateBill,
	subjectOf,
	withChargeIds,
} from "./rules.bill";
import { usageDueAfter } from "./rules.usage-intervals";
import { hasArrears } from "./settlement";
import { excludeEarlierOverage } from "./usage";

/**
 * Charges a paused subscription that resumes now: the rest of the period that runs, or a whole period of a new cycle. Charges that
 * the pause has left for the same period are not charged again. Usage before now is not billed.
 */
export function billResumption(work: Work, row: SubscriptionRow, pause: Pause): BilledPause {
	if (!isBilledHere(row)) return { subscription: row, rated: [] };
	const paused = withCharged(work, row);
	const sale = saleOf(work, row);
	const { billingPeriod } = sale;
	assert(billingPeriod !== null, "a charged sale has a billing period");
	const { cycle, isNew, ...columns } = cycleAtResumption(work, row, sale, pause);
	const kept = !isNew && paused.charged && work.now < paused.charged.period.end ? paused.charged : null;
	const period = kept?.period ?? billingPeriodContaining(cycle, billingPeriod, work.now);
	const payer = payerOf(work, row);
	const terms = discountAndTax(payer, row.taxPercentage);
	const recurring = itemsInAdvance(work, { ...row, timeZone: cycle.timeZone }, sale, period).filter(
		(item) => !isOneOff(item),
	);
	const left = new Map((kept?.items ?? []).map((item) => [subjectOf(item), item]));
	const isFree = !isNew && isFreePeriod(work, paused, sale, period);
	const charges = withChargeIds(work.newId, isFree ? [] : recurring.filter((item) => !left.has(subjectOf(item))));
	// A pause at the end of a period has charged nothing of the next one.
	const isSamePeriod = !isNew && pause.at > period.start;
	const due = prorateItems(charges, period, work.now).map((item) =>
		isSamePeriod && pause.prorates ? withoutPaidDates(item, period, pause) : item,
	);
	const section = { items: due, ...terms, beginsPeriod: kept === null };
	const rated = rateBill({ sections: [section] });
	const from = kept ? chargedFrom(kept) : work.now;
	const charged =
		charges.length === 0
			? kept
			: chargedPeriodOf(
					[...left.values(), ...charges],
					{ period, from },
					terms,
					[section],
					kept,
					// An end then credits nothing of what another system has charged.
					chargedElsewhere(kept),
				);
	const resumed = changeSubscription(work, row, {
		...columns,
		billingAnchorAt: cycle.anchorAt,
		timeZone: cycle.timeZone,
		billedUntil: period.end,
		usageBilledFrom: work.now,
		usageBilledUntil: work.now,
		usageDueAt: usageDueAfter(sale, cycle, period.end, work.now),
		...chargedColumns(charged),
	});
	const invoice = issueBill(work, resumed, rated, { payer, billingReason: "SUBSCRIPTION_UPDATE", period });
	recordCharged(work, resumed, charged, { chargedBy: paused.chargedBy, rated, invoice, from: work.now });
	if (hasArrears(sale)) {
		const start = isFree ? period.end : work.now;
		// Some were to begin during the pause, where another system has charged the time before.
		postponeCharges(work, resumed);
		startCharges(work, resumed, sale, {
			...{ start, whole: period, isNewPeriod: isNew },
			// Without proration, the pause has billed the whole period.
			isPaid: ({ proration }) => isSamePeriod && proration?.mode === "NONE",
			unpaidFrom: ({ proration }) => (isSamePeriod ? unpaidFrom(start, period, pause, proration) : start),
		});
	}
	startCommitments(work, resumed, sale, {
		start: isFree ? period.end : isNew ? work.now : firstUnsettled(work, resumed),
		period,
	});
	excludeEarlierOverage(work, resumed, sale, work.now);
	return { subscription: resumed, rated };
}

/** A moved anchor or zone counts once the period that was paid before the pause has run out. */
function cycleAtResumption(work: Work, row: SubscriptionRow, { billingPeriod, plan }: Sale, { anchor }: Pause) {
	assert(billingPeriod !== null, "a charged sale has a billing period");
	const { nextCycle, cycleStartsAt, billedUntil } = row;
	const start = { from: work.now, interval: intervalOf(billingPeriod) };
	const begun = (from?: "NOW"): Cycle => cycleFrom(work, { ...row, timeZone: keptZoneOf(row) }, plan, start, from);
	if (anchor === "NOW") return { cycle: begun("NOW"), isNew: true, nextCycle: null, cycleStartsAt: null };
	if (nextCycle && billedUntil !== null && billedUntil <= work.now)
		return { cycle: nextCycle, isNew: false, nextCycle: null, cycleStartsAt: billedUntil };
	return { cycle: cycleOf(row) ?? begun(), isNew: false, nextCycle, cycleStartsAt };
}

/** The pause has charged the whole date on which it began. A resumption charges at most the part that the pause credited. */
function withoutPaidDates(item: ChargeItem, period: Period, { at }: Pause): ChargeItem {
	const { proration, share } = item;
	if (!share?.isByDate) return item;
	const credited = remainingShare(period, at, proration, true);
	return credited.partMs < share.partMs ? { ...item, share: credited } : item;
}

/** Returns the first date from `start` on that the pause has not charged: a charge in arrears begins there. */
function unpaidFrom(start: Instant, period: Period, { at }: Pause, proration: Proration | undefined): Instant {
	const paid = remainingShare(period, at, proration, true);
	let from = start;
	while (paid.isByDate && from < period.end && remainingShare(period, from, proration).partMs > paid.partMs)
		from = startOfDayNumber(dayNumber(from, proration?.timeZone ?? utc) + 1, proration?.timeZone ?? utc);
	return Math.min(from, period.end) as Instant;
}
