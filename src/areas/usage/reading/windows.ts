import type { Instant } from "../../../kernel/clock";
import { type Decimal, zero } from "../../../kernel/decimal";
import type { Period } from "../../../kernel/period";
import { noMembers } from "../aggregation/no-members";
import { hourMs, hourOf, type Range } from "../hours";
import { spans } from "../table.usage";
import type { UsageReader } from "./reader";
import type { Series } from "./series";
import { totalsOf } from "./store";

/** Totals of hours in memory at once. */
const hoursPerPage = 1_000;

/** Whether a window is a whole hour of UTC. */
export const isWholeHour = ({ start, end }: Period): boolean => end - start === hourMs && start % hourMs === 0;

/** Returns a function that reads the page of hourly totals with an hour, for the ascending hours of windows. */
export function pagesOf<Row>(
	windows: readonly Period[],
	read: (hours: Range) => ReadonlyMap<number, Row>,
): (hour: number) => Row | undefined {
	const end = hourOf((windows.at(-1)?.end ?? 0) as Instant);
	let page: Range & { readonly rows: ReadonlyMap<number, Row> } = { from: 0, to: 0, rows: new Map() };
	return (hour) => {
		if (hour < page.from || hour >= page.to) {
			const range = { from: hour, to: Math.min(hour + hoursPerPage, end) };
			page = { ...range, rows: read(range) };
		}
		return page.rows.get(hour);
	};
}

/**
 * Yields the meter's value of each window, which are in order of time. Whole hours come from pages of the stored totals, so that
 * thousands of them take a few reads.
 */
export function* valuesOfWindows(reader: UsageReader, series: Series, windows: readonly Period[]): Generator<Decimal> {
	const { statements } = reader;
	const [first, last] = [windows[0], windows.at(-1)];
	if (!first || !last) return;
	const range = { from: hourOf(first.start), to: hourOf(last.end) + 1 };
	const published = new Set(Array.from(statements.recent.hoursIn(series.subjectId, range), ({ hour }) => hour));
	const stateOf = pagesOf(
		windows,
		(hours) => new Map(totalsOf(statements, series, spans.hour, hours).map(({ bucket, state }) => [bucket, state])),
	);
	for (const window of windows) {
		const hour = hourOf(window.start);
		const isRead = !isWholeHour(window) || published.has(hour);
		const state = isRead ? undefined : stateOf(hour);
		if (isRead || (state !== undefined && series.membership !== "none")) yield reader.within(series, window).value;
		else yield state === undefined ? zero : valueOfState(series, state);
	}
}

function valueOfState(series: Series, state: string): Decimal {
	const aggregate = series.start();
	aggregate.merge({ state, members: noMembers });
	return aggregate.value;
}
