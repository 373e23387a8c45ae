/** How what is agreed changes, from the sentences of docs/contracts.md. */
import type { Span } from "../calendar";
import { dayOf, paidUntil } from "./cycles";
import type { Billed, Item } from "./item";
import type { TermsRequest, Window } from "./requests";

/** Where what was in force ends when it is taken out; null: nothing of it is invoiced. */
export function endOfRemoved(now: number, item: Item, replacesCurrent: boolean): number | null {
	const { unit, until, start, end, inArrears, feature } = item;
	if (unit === "one_time" && until !== null) return end;
	// What is charged once is charged or not; but what was used is paid for.
	if (unit === "one_time" && feature === null) return null;
	const running = replacesCurrent ? runningOf(item, now) : undefined;
	const last = running ? running.span.start : inArrears ? Math.max(now, until ?? now) : until;
	return last === null || last <= start ? null : last;
}

interface Amended {
	readonly now: number;
	readonly isAmended: boolean;
	readonly replacesCurrent: boolean;
}

/** The same for all items, whatever one had for itself; of a date the day counts. */
export function withTerms(
	items: readonly Item[],
	{ activationStartDate, activationEndDate, netTerms }: TermsRequest,
	how: Amended,
): Item[] {
	const [start, end] = [dayFrom(activationStartDate), dayFrom(activationEndDate)];
	const termEnd = Math.max(...items.filter(({ isOut }) => !isOut).map((item) => item.end));
	return items.map((item) => {
		const common = netTerms === undefined ? item : { ...item, netTerms };
		const isLast = !item.isOut && item.end === termEnd;
		// Of a live contract, what was taken out or is over keeps its dates, and what ends before the term an earlier end.
		if (how.isAmended && !isLast && (item.isOut || item.end <= how.now)) return common;
		const to = how.isAmended && !isLast && end !== undefined ? Math.min(end, item.end) : end;
		const isTakenBack = item.feature !== null || (how.replacesCurrent && item.until !== null && item.until > how.now);
		return {
			...common,
			...(start !== undefined && { start, anchor: start }),
			...(to !== undefined && { end: to }),
			...(to !== undefined && to > item.end && !isTakenBack && { until: paidUntil(item) }),
		};
	});
}

export const dayFrom = (date: string | undefined): number | undefined =>
	date === undefined ? undefined : dayOf(Date.parse(date));

/** What was invoiced of the cycle that runs; of usage, and of what is charged once, nothing does. */
export function runningOf({ unit, feature, billed }: Item, now: number): Billed | undefined {
	if (unit === "one_time" || feature !== null) return undefined;
	return billed.find(({ span, invoice }) => invoice !== null && span.start <= now && now < span.end);
}

export const spanOf = ({ activationStartDate, activationEndDate }: Window, usual: Span): Span => ({
	start: activationStartDate === undefined ? usual.start : Date.parse(activationStartDate),
	end: activationEndDate === undefined ? usual.end : Date.parse(activationEndDate),
});
