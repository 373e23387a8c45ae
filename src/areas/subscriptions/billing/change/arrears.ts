import type { Instant } from "../../../../kernel/clock";
import type { Period } from "../../../../kernel/period";
import type { Work } from "../../../../kernel/work";
import { endCharge } from "../../../billing/operations";
import type { ChargeItem } from "../../../pricing/rate";
import type { SubscriptionRow } from "../../table";
import type { Sale } from "../../terms/sale";
import {
	changedCharges,
	recordStretches,
	runningCharges,
	startCharges,
	stretchesUntil,
	unbilledFrom,
} from "../arrears";
import type { ChargedSubscription } from "../charged";
import { startCommitments } from "../commitments/running";
import { type Issue, keepForNextInvoice } from "../issue";
import { chargedFrom, isKept, rateBill, subjectOf } from "../rules.bill";
import { usageSection } from "../settlement";

interface Changed {
	readonly before: ChargedSubscription;
	readonly sale: Sale;
}

interface Changing {
	readonly period: Period;
	/** When the terms change. */
	readonly at: Instant;
	readonly resetsBillingCycle: boolean;
	readonly isFree: boolean;
	/** The charges in advance whose unused time the change credits. */
	readonly credited: readonly ChargeItem[];
	readonly issue: Issue;
}

/**
 * Bills the stretches of charges in arrears whose terms change, with the next invoice, and starts the new terms. A new cycle has
 * billed them already.
 */
export function changeCharges(
	work: Work,
	{ before, sale }: Changed,
	subscription: SubscriptionRow,
	{ period, at, resetsBillingCycle: isNewPeriod, isFree, credited, issue }: Changing,
): SubscriptionRow {
	const changed = isNewPeriod ? [] : changedCharges(work, subscription, sale, period);
	const stretches = stretchesUntil(work, before, at, { of: changed });
	const rated = rateBill({ sections: [usageSection(before, issue.payer, [], true, stretches)] });
	const waiting = keepForNextInvoice(work, subscription, rated, issue);
	recordStretches(work, stretches, { rated, invoice: undefined });
	const paid = new Set((isNewPeriod ? [] : keptOf(before, at)).map(subjectOf));
	const creditedSubjects = new Set(credited.map(subjectOf));
	// A charge in advance of the former plan paid for the rest of the period. Now nothing does.
	for (const one of runningCharges(work, waiting))
		if (unbilledFrom(one) > at && creditedSubjects.has(subjectOf(one.terms.stretch))) endCharge(work, one);
	startCharges(work, waiting, sale, {
		...{ start: isFree ? period.end : at, whole: period, isNewPeriod },
		isPaid: (item) => paid.has(subjectOf(item)),
	});
	startCommitments(work, waiting, sale, {
		...{ start: isFree ? period.end : work.now, period },
		...(!isNewPeriod && { from: before.charged ? chargedFrom(before.charged) : billedFrom(before, period) }),
	});
	return waiting;
}

/** Returns the start of the time that a period charges. */
const billedFrom = ({ trialEndAt, startAt }: SubscriptionRow, period: Period): Instant =>
	Math.max(trialEndAt ?? startAt, period.start) as Instant;

/** Returns the charges in advance of the running period that are never credited: if such a charge moves to in arrears, the period is paid, whatever the new terms cost. */
const keptOf = ({ charged }: ChargedSubscription, now: Instant): readonly ChargeItem[] =>
	charged && now < charged.period.end ? charged.items.filter((item) => isKept(item) && !item.isGivenBack) : [];
