import type { Place } from "./agreements/phases";
import { endOfTerm, type RunningTerm } from "./agreements/term";
import type { Running } from "./arrears";
import type { Issued, Pending } from "./bill";
import { addMonths, monthsAround, type Span } from "./calendar";
import type { Changing } from "./calls";
import type { Charged, Planned } from "./charged";
import type { Counted } from "./counting";
import type { ListedCoupon, ListedPackage } from "./price-list";
import { billedEach, cycleAround, isFree, pricesOf, type Terms } from "./terms";

export interface Scheduled {
	readonly at: number;
	readonly type: string;
	readonly changes: Changing;
}

/** A change that waits for its payment, and the charges of its invoice. */
export interface ChangeToPay {
	readonly invoice: Issued;
	readonly until: number;
	readonly changes: Changing;
	readonly planned: Planned;
}

/** A pause that is scheduled, or in effect. */
export interface Pause {
	readonly at: number;
	readonly resumeAt: number | null;
	readonly prorates: boolean;
	readonly anchor: "UNCHANGED" | "NOW";
}

export interface Subscription extends Counted {
	readonly id: string;
	/** Null if a customer has one subscription. */
	resource: string | null;
	/** The subscription that it replaced. */
	replaced: Subscription | null;
	status: "NOT_STARTED" | "AWAITING" | "IN_TRIAL" | "ACTIVE" | "PAUSED" | "ENDED";
	pause: Pause | null;
	/** The invoice that it waits for, and the time of waiting. */
	awaited: { readonly invoice: Issued; readonly since: number; readonly until: number } | null;
	/** Its change that waits for a payment. */
	toPay: ChangeToPay | null;
	terms: Terms;
	/** Prices of a publication to all customers, which apply from the next period on. */
	moved: { readonly plan: ListedPackage; readonly from: number } | null;
	startAt: number;
	/** The running phase and those that follow. */
	places: readonly Place[];
	term: RunningTerm | null;
	coupon: { readonly coupon: ListedCoupon; readonly start: number } | null;
	trialEnd: number | null;
	readonly endsWithTrial: boolean;
	cancelAt: number | null;
	/** Whether the scheduled end credits unused time. */
	cancelProrates: boolean;
	supersedes: Subscription | null;
	anchor: number | null;
	billedUntil: number | null;
	usageFrom: number | null;
	usageUntil: number | null;
	usageDue: number | null;
	endedAt: number | null;
	charged: Charged | null;
	/** Its running charges in arrears. */
	arrears: readonly Running[];
	/** The unused minimum spend of charged and settled time. */
	unspent: Array<{ readonly time: Span; readonly currency: string; left: bigint }>;
	pending: Pending | null;
	scheduled: readonly Scheduled[];
}

/** Due steps, in their order at one time. */
export type Event =
	| "ends"
	| "ends with its term"
	| "pauses"
	| "term is renewed"
	| "resumes"
	| "payment fails"
	| "trial is over"
	| "begins"
	| "changes"
	| "usage is billed"
	| "next period";

export function nextOf(of: Subscription): { at: number; event: Event } | undefined {
	const events: Array<[Event, number | null]> = [["ends", of.cancelAt]];
	const term = of.term && (of.status === "ACTIVE" || of.status === "PAUSED") ? of.term : null;
	if (term && !term.agreed.renewal) events.push(["ends with its term", endOfTerm(term)]);
	if (of.status === "ENDED") return of.usageDue === null ? undefined : { at: of.usageDue, event: "usage is billed" };
	if (of.status === "AWAITING") events.push(["payment fails", of.awaited?.until ?? null]);
	if (of.status === "NOT_STARTED" && of.supersedes?.status !== "PAUSED") events.push(["begins", of.startAt]);
	if (of.status === "IN_TRIAL") events.push(["trial is over", of.trialEnd]);
	if (of.status === "ACTIVE") events.push(["pauses", of.pause?.at ?? null]);
	if (term?.agreed.renewal) events.push(["term is renewed", endOfTerm(term)]);
	if (of.status === "PAUSED") events.push(["resumes", of.pause?.resumeAt ?? null]);
	if (of.status === "ACTIVE") {
		events.push(["payment fails", of.toPay?.until ?? null]);
		const times = [...of.scheduled.map(({ at }) => at), ...of.places.slice(0, 1).map(({ endAt }) => endAt)];
		events.push(["changes", times.length === 0 ? null : Math.min(...times)]);
		if (!isFree(of.terms)) events.push(["usage is billed", of.usageDue], ["next period", of.billedUntil]);
	}
	return events
		.flatMap(([event, at]) => (at === null ? [] : [{ event, at }]))
		.reduce<{ at: number; event: Event } | undefined>(
			(first, one) => (first && first.at <= one.at ? first : one),
			undefined,
		);
}

export const periodOf = ({ status, anchor, terms }: Subscription, at: number): Span | undefined =>
	(status !== "ACTIVE" && status !== "NOT_STARTED" && status !== "IN_TRIAL") || anchor === null || terms.cycle === null
		? undefined
		: cycleAround(anchor, terms.cycle, at);

/** An ended subscription is checked for late usage each month of the first year, then each year. */
export const nextLateUsageCheck = (settledAt: number, now: number): number =>
	monthsAround(settledAt, now < addMonths(settledAt, 12) ? 1 : 12, now).end;

/** Returns when usage within a longer period is billed. */
export function usageDueAfter({ terms, anchor, billedUntil }: Subscription, now: number): number | null {
	if (terms.cycle === null || anchor === null || billedUntil === null) return null;
	const ends = pricesOf(terms)
		.filter(({ listed }) => listed.model === "USAGE_BASED")
		.map((held) => cycleAround(anchor, billedEach(terms, held), now).end)
		.filter((end) => end < billedUntil);
	return ends.length === 0 ? null : Math.min(...ends);
}
