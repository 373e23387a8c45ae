import type { Instant } from "../../../kernel/clock";
import { fail } from "../../../kernel/errors";
import { earliest, type Period } from "../../../kernel/period";
import { type Work, workAt } from "../../../kernel/work";
import { shareOf } from "../../pricing/proration";
import type { ChargeItem } from "../../pricing/rate";
import { wordedAround } from "../../pricing/wording";
import { billingPeriodContaining, cycleOf } from "../rules";
import { isBilledHere } from "../rules.due";
import type { SubscriptionRow } from "../table";
import { itemsInAdvance, itemsInArrears } from "../terms/items-of-period";
import { placeAfter } from "../terms/phases";
import type { Sale } from "../terms/sale";
import { saleOf } from "../terms/subscription-sale";
import { renewedTerm } from "../terms/term";
import { planOf } from "./cycle";
import { discountAndTax, payerOf } from "./payer";
import { type BillSection, isOneOff, withChargeIds } from "./rules.bill";

/** Twelve years of months, and a term of ten years by the week: an invoice has a bounded number of lines. */
const partsMax = 600;

/** A part of the rest of a term, within one billing period, one phase and one term. */
export interface RestPart extends Period {
	readonly whole: Period;
	/** Charges in advance were paid until the end of the running period; only the rest of fees in arrears is owed. */
	readonly isPaidAhead: boolean;
	/** No part of the period comes before it. */
	readonly isFirst: boolean;
	/** The subscription as it would be then. */
	readonly row: SubscriptionRow;
}

/**
 * Returns the parts of the time from an end to the end of its term, which is paid for. Throws InvalidCancellationDate if there are too
 * many.
 */
export function partsOfRest(work: Work, row: SubscriptionRow, from: Instant, until: Instant): RestPart[] {
	const cycle = cycleOf(row);
	const { billingPeriod, billedUntil } = row;
	if (!isBilledHere(row) || cycle === null || billingPeriod === null || billedUntil === null) return [];
	// A pause has credited the period that runs, or left its charge.
	const isPaid = row.status === "ACTIVE" || row.chargedFrom !== null;
	const plan = planOf(work, row);
	const parts: RestPart[] = [];
	let then = row;
	let start = from;
	while (start < until) {
		then = { ...then, phase: placeAfter(then, plan, start) };
		while (then.runningTerm && then.runningTerm.endAt <= start && then.runningTerm.agreed.renewal)
			then = { ...then, ...renewedTerm(then, plan, start) };
		const isPaidAhead = isPaid && start < billedUntil;
		const whole = billingPeriodContaining(isPaidAhead ? cycle : (row.nextCycle ?? cycle), billingPeriod, start);
		const ends = [whole.end, until, isPaidAhead ? billedUntil : null, then.phase?.endAt ?? null];
		const renewedAt = then.runningTerm?.agreed.renewal ? then.runningTerm.endAt : null;
		const end: Instant = earliest([...ends, renewedAt]) ?? until;
		const isFirst = parts.at(-1)?.whole.end !== whole.end || parts.at(-1)?.isPaidAhead === true;
		parts.push({ start, end, whole, isPaidAhead, isFirst, row: then });
		if (parts.length > partsMax)
			throw fail(
				"InvalidCancellationDate",
				`The rest of the term of '${row.refId}' has more than ${partsMax} billing periods, too many for one invoice; cancel for a later date.`,
			);
		start = end;
	}
	return parts;
}

/**
 * Bills the time from now to the end of the term that an early end owes: fees, units and minimum spends of each period, at the prices, phases
 * and discounts of its time. There is no usage in it.
 */
export const restOfTerm = (work: Work, row: SubscriptionRow, until: Instant): BillSection[] =>
	partsOfRest(work, row, work.now, until).flatMap((part) => {
		const items = withChargeIds(work.newId, itemsOfPart(work, part));
		const payer = payerOf(workAt(work, part.start), row);
		const terms = discountAndTax(payer, row.taxPercentage);
		return items.length === 0 ? [] : [{ ...terms, items, beginsPeriod: true }];
	});

/** Returns the parts that cost something: a plan of usage alone owes nothing. */
export const chargedPartsOfRest = (work: Work, row: SubscriptionRow, from: Instant, until: Instant): RestPart[] =>
	partsOfRest(work, row, from, until).filter((part) => itemsOfPart(work, part).length > 0);

function itemsOfPart(work: Work, part: RestPart): ChargeItem[] {
	const { row, whole, start, end, isPaidAhead, isFirst } = part;
	const sale: Sale = saleOf(work, row, start);
	const items = [
		...(isPaidAhead ? [] : itemsInAdvance(work, row, sale, whole)),
		...itemsInArrears(work, row, sale, whole),
	].filter((item) => !isOneOff(item));
	return items.flatMap((item) => {
		const { proration } = item;
		// Without proration, a period costs its whole price once.
		if (proration?.mode === "NONE" && !isFirst) return [];
		const isWhole = proration?.mode === "NONE" || (start === whole.start && end === whole.end);
		return {
			...item,
			...wordedAround("restOfTerm", item),
			...(!isWhole && { share: shareOf(whole, { start, end }, proration) }),
			period: { start, end },
		};
	});
}
