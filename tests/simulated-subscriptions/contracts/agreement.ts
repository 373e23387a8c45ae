/** Changes of a contract's terms, from docs/contracts.md. */
import type { Span } from "../calendar";
import { dayOf, paidUntil } from "./cycles";
import type { Billed, Item } from "./item";
import type { TermsRequest, Window } from "./requests";

/** Returns the end of a removed item in force; null if nothing of it is invoiced. */
export function endOfRemoved(now: number, item: Item, replacesCurrent: boolean): number | null {
	const { unit, until, start, end, inArrears, feature } = item;
	if (unit === "one_time" && until !== null) return end;
	// A one-time charge is charged in full or not at all; usage is paid.
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

/** Sets the same terms on all items. Dates keep their day. */
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
		// In a live contract, removed and ended items keep their dates, and items that end before the term keep an earlier
		// end.
		if (how.isAmended && !isLast && (item.isOut || item.end <= how.now)) return common;
		const to = how.isAmended && !isLast && end !== undefined ? Math.min(end, item.end) : end;
		const isReversed = item.feature !== null || (how.replacesCurrent && item.until !== null && item.until > how.now);
		return {
			...common,
			...(start !== undefined && { start, anchor: start }),
			...(to !== undefined && { end: to }),
			...(to !== undefined && to > item.end && !isReversed && { until: paidUntil(item) }),
		};
	});
}

export const dayFrom = (date: string | undefined): number | undefined =>
	date === undefined ? undefined : dayOf(Date.parse(date));

/** Returns the invoiced running cycle; none for usage and one-time charges. */
export function runningOf({ unit, feature, billed }: Item, now: number): Billed | undefined {
	if (unit === "one_time" || feature !== null) return undefined;
	return billed.find(({ span, invoice }) => invoice !== null && span.start <= now && now < span.end);
}

export const spanOf = ({ activationStartDate, activationEndDate }: Window, usual: Span): Span => ({
	start: activationStartDate === undefined ? usual.start : Date.parse(activationStartDate),
	end: activationEndDate === undefined ? usual.end : Date.parse(activationEndDate),
});
