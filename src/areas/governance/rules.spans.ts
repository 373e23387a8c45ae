import type { Instant } from "../../kernel/clock";
import type { Period } from "../../kernel/period";
import { windowAt } from "./rules.cadence";

interface Counting {
	readonly cadence: string;
	readonly anchorAt: Instant;
}

/** A span of time in which the same windows count. Half-open. */
export interface CountingSpan<Budget> extends Period {
	readonly windows: ReadonlyArray<{ readonly budget: Budget; readonly window: Period }>;
}

/** All instants of the clock. */
const ever: Period = { start: -8_640_000_000_000_000 as Instant, end: 8_640_000_000_000_000 as Instant };

/** Returns the longest span around an instant in which the windows of budgets do not change. A budget counts nothing from before it began. */
export function spanAt<Budget extends Counting>(budgets: readonly Budget[], at: Instant): CountingSpan<Budget> {
	const begun = budgets.filter(({ anchorAt }) => anchorAt <= at);
	const windows = begun.map((budget) => ({ budget, window: windowAt(budget, at) }));
	const later = budgets.filter(({ anchorAt }) => at < anchorAt);
	return {
		start: Math.max(ever.start, ...windows.map(({ window }) => window.start)) as Instant,
		end: Math.min(
			...[ever.end, ...windows.map(({ window }) => window.end), ...later.map(({ anchorAt }) => anchorAt)],
		) as Instant,
		windows,
	};
}
