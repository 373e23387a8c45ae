import type { Instant } from "../../../../kernel/clock";
import { fail } from "../../../../kernel/errors";
import type { Period } from "../../../../kernel/period";
import { type Work, workAt } from "../../../../kernel/work";
import type { PendingProrations, SubscriptionRow } from "../../table";
import { itemsInArrears } from "../../terms/items-of-period";
import type { Sale } from "../../terms/sale";
import {
	changedCharges,
	inArrears,
	type RunningCharge,
	recordStretches,
	runningCharges,
	unbilledFrom,
} from "../arrears";
import { type ChargedSubscription, keyed } from "../charged";
import { type IssuedBill, recordBilled } from "../counted-usage";
import { type BillSection, chargedAfterCredits, isKept, subjectOf } from "../rules.bill";
import { type Settlement, type SettlementTerms, settlementOf } from "../settlement";
import { type ArrearsSince, arrearsSince, arrearsUntil } from "./arrears-since";
import {
	creditsOf,
	type ReversedStretches,
	type ReversedUsage,
	reverseArrearsSince,
	reverseUsageSince,
} from "./reversal";
import { usageSince } from "./usage-since";

/** The usage and the charges in arrears that a change with an earlier date rates again. */
export interface Rerated {
	/** The lines that reverse the former bills. */
	readonly reversed: readonly PendingProrations[];
	/** The charges on the new terms, up to now or to the running period. */
	readonly sections: readonly BillSection[];
	/** Records the charges with the bill, after the bill has recorded the time before the date. */
	readonly record: (bill: IssuedBill) => void;
}

interface DatedTerms {
	readonly before: ChargedSubscription;
	/** The subscription after the change, with its billing cycle. */
	readonly after: SubscriptionRow;
	readonly sale: Sale;
	/** The date of the change. */
	readonly from: Instant;
	/** The start of the running period, or the date if that is later. */
	readonly until: Instant;
	/** The period of the former terms that contains the date. */
	readonly whole: Period;
	/** Whether usage has other prices, other windows or another subscription. */
	readonly repricesUsage: boolean;
}

/**
 * Reverses the bills of usage and of charges in arrears since an earlier date, and rates that time on the new terms. The caller settles
 * the time before the date afterwards, like a change made then.
 */
export function rerateSince(work: Work, terms: DatedTerms): Rerated {
	const { before, after, sale, from } = terms;
	const usage = terms.repricesUsage ? reverseUsageSince(work, before, { from, place: "effectiveDate" }) : undefined;
	const since = usage && usageSince(work, { row: after, sale, from, reversed: usage });
	const arrears = rerateArrears(work, terms);
	return {
		reversed: creditsOf(work, [...(usage?.bills ?? []), ...arrears.reversed.bills]),
		sections: [...arrears.sections, ...(since?.sections ?? [])],
		record: (bill) => {
			recordStretches(work, arrears.stretches, bill);
			if (since) recordBilled(work, after, since.counted, bill);
		},
	};
}

function rerateArrears(
	work: Work,
	{ before, after, sale, from, until, whole }: DatedTerms,
): ArrearsSince & { readonly reversed: ReversedStretches } {
	const place = "effectiveDate";
	const isMoved = before.id !== after.id;
	const running = runningCharges(work, before);
	const changed = isMoved ? running : changedCharges(work, after, sale, whole);
	const wanted = keyed(inArrears, itemsInArrears(work, after, sale, whole));
	const isNew = [...wanted.keys()].some((key) => isMoved || !running.some(({ charge }) => charge.key === key));
	const billed = changed.filter((one) => unbilledFrom(one) > from);
	if (from >= until || (billed.length === 0 && !isNew))
		return { stretches: [], sections: [], reversed: { bills: [], charges: [] } };
	assertNotKept(before, [...wanted.values()].map(subjectOf));
	const reversed = reverseArrearsSince(work, before, billed, { from, place });
	const { bills } = reversed;
	const former = isMoved
		? { stretches: [], sections: [] }
		: arrearsUntil(work, before, reversed.charges, { from, reversed: bills });
	const next = arrearsSince(work, { row: after, sale, from, until, whole, reversed: bills });
	return {
		stretches: [...former.stretches, ...next.stretches],
		sections: [...former.sections, ...next.sections],
		reversed,
	};
}

/** A charge in advance that is never credited has paid for its period, also if the end of the period charges it now. */
function assertNotKept({ charged }: ChargedSubscription, subjects: readonly string[]): void {
	if (charged?.items.some((item) => isKept(item) && subjects.includes(subjectOf(item))))
		throw fail(
			"UnsupportedParameter",
			"'effectiveDate': a charge in advance that is never credited moves to the end of the period; choose a date in the running period.",
		);
}

/** The bills that a cancellation with an earlier date reverses. */
export interface Reversed {
	readonly usage: ReversedUsage;
	readonly arrears: ReversedStretches;
	readonly lines: readonly PendingProrations[];
}

/** Reverses all bills of usage and of charges in arrears since the date of an end. */
export function reverseSince(work: Work, row: SubscriptionRow, from: Instant): Reversed {
	const place = "endDate";
	const billed = runningCharges(work, row).filter((one: RunningCharge) => unbilledFrom(one) > from);
	const usage = reverseUsageSince(work, row, { from, place });
	const arrears = reverseArrearsSince(work, row, billed, { from, place });
	return { usage, arrears, lines: creditsOf(work, [...usage.bills, ...arrears.bills]) };
}

/**
 * Settles a subscription as of an earlier date: credits charges in advance from the running period on, and bills usage and charges in
 * arrears up to the date.
 */
export function settlementAt(
	work: Work,
	row: ChargedSubscription,
	{ from, until }: Pick<DatedTerms, "from" | "until">,
	terms: SettlementTerms,
): Settlement {
	if (from >= until) return settlementOf(workAt(work, from), row, terms);
	const ofCredits = settlementOf(workAt(work, until), row, { ...terms, billsUsage: false });
	const left = { ...row, charged: chargedAfterCredits(row.charged, ofCredits.credits) };
	const ofUsage = settlementOf(workAt(work, from), left, {
		...{ ...terms, creditsUnusedTime: false, credited: ofCredits.credits },
	});
	return { ...ofUsage, sections: [...ofCredits.credits, ...ofUsage.sections], credits: ofCredits.credits };
}
