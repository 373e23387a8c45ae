import type { Instant } from "../../../kernel/clock";
import type { SubscriptionRow } from "../table";

type Row = Pick<SubscriptionRow, "childUsage">;

/** Whether the usage of the customer's children counts now, or will count once the subscription runs. */
export const includesChildUsage = ({ childUsage }: Row): boolean => childUsage?.at(-1)?.end === null;

/**
 * Returns the column after a request to count the usage of children or not, from `at` on; nothing if the request changes nothing. A null
 * `at` is before all usage.
 */
export function childUsageAfter(row: Row, requested: boolean | undefined, at: Instant | null): Partial<Row> {
	if (requested === undefined || requested === includesChildUsage(row)) return {};
	const times = row.childUsage ?? [];
	if (requested) return { childUsage: [...times, { start: at, end: null }] };
	return { childUsage: times.map((time) => (time.end === null ? { ...time, end: at } : time)) };
}
