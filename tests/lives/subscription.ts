import type { Pending } from "./bill";
import { addMonths, monthsAround, type Span } from "./calendar";
import type { Changing } from "./calls";
import type { Charged } from "./charged";
import type { Counted } from "./counting";
import type { ListedCoupon } from "./price-list";
import { cycleAround, isFree, isMonthly, pricesOf, type Terms } from "./terms";

export interface Scheduled {
	readonly at: number;
	readonly type: string;
	readonly changes: Changing;
}

export interface Subscription extends Counted {
	readonly id: string;
	status: "NOT_STARTED" | "IN_TRIAL" | "ACTIVE" | "ENDED";
	terms: Terms;
	readonly startAt: number;
	coupon: { readonly coupon: ListedCoupon; readonly start: number } | null;
	trialEnd: number | null;
	readonly endsWithTrial: boolean;
	cancelAt: number | null;
	/** Whether the end that is to come gives unused time back. */
	cancelProrates: boolean;
	supersedes: Subscription | null;
	anchor: number | null;
	billedUntil: number | null;
	usageFrom: number | null;
	usageUntil: number | null;
	usageDue: number | null;
	endedAt: number | null;
	charged: Charged | null;
	/** What is left of the minimum spend of times that were charged and settled. */
	readonly unspent: Array<{ readonly time: Span; left: bigint }>;
	pending: Pending | null;
	scheduled: readonly Scheduled[];
}

export type Step = "CANCEL" | "TRIAL_END" | "START" | "UPDATE" | "BILL_USAGE" | "RENEW";

export function nextOf(of: Subscription): { at: number; step: Step } | undefined {
	const steps: Array<[Step, number | null]> = [["CANCEL", of.cancelAt]];
	if (of.status === "ENDED") return of.usageDue === null ? undefined : { at: of.usageDue, step: "BILL_USAGE" };
	if (of.status === "NOT_STARTED") steps.push(["START", of.startAt]);
	if (of.status === "IN_TRIAL") steps.push(["TRIAL_END", of.trialEnd]);
	if (of.status === "ACTIVE") {
		const times = of.scheduled.map(({ at }) => at);
		steps.push(["UPDATE", times.length === 0 ? null : Math.min(...times)]);
		if (!isFree(of.terms)) steps.push(["BILL_USAGE", of.usageDue], ["RENEW", of.billedUntil]);
	}
	return steps
		.flatMap(([step, at]) => (at === null ? [] : [{ step, at }]))
		.reduce<{ at: number; step: Step } | undefined>(
			(first, one) => (first && first.at <= one.at ? first : one),
			undefined,
		);
}

export const periodOf = ({ status, anchor, terms }: Subscription, at: number): Span | undefined =>
	(status !== "ACTIVE" && status !== "NOT_STARTED" && status !== "IN_TRIAL") || anchor === null || terms.cycle === null
		? undefined
		: cycleAround(anchor, terms.cycle, at);

/** What has ended is looked at for late usage each month of the first year, then each year. */
export const lookAgainAfter = (settledAt: number, now: number): number =>
	monthsAround(settledAt, now < addMonths(settledAt, 12) ? 1 : 12, now).end;

/** When usage is billed by the month though the period is a year. */
export function usageDueAfter({ terms, anchor, billedUntil }: Subscription, now: number): number | null {
	if (terms.cycle !== "ANNUALLY" || anchor === null || billedUntil === null) return null;
	if (!pricesOf(terms).some((price) => isMonthly(terms, price))) return null;
	const { end } = monthsAround(anchor, 1, now);
	return end < billedUntil ? end : null;
}
