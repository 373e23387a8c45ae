import type { Instant } from "../../kernel/clock";
import type { Period } from "../../kernel/period";

/** The usage of another customer (its row id) within times that do not overlap. */
export interface PooledUsage {
	readonly customerId: string;
	readonly times: readonly Period[];
}

interface Pooled {
	readonly customerId: string;
	readonly pooled?: readonly PooledUsage[];
}

/** Returns the usage of each customer of a pool within a period; null is all time. */
export function partsOf<Of extends Pooled>(
	{ pooled = [], ...own }: Of,
	period: Period | null,
): ReadonlyArray<Omit<Of, "pooled"> & { readonly period: Period | null }> {
	return [
		{ ...own, period },
		...pooled.flatMap(({ customerId, times }) =>
			times.flatMap((time) => {
				const part = period === null ? time : overlapOf(time, period);
				return part.start < part.end ? [{ ...own, customerId, period: part }] : [];
			}),
		),
	];
}

/** Returns the common time; one that ends before it starts if there is none. */
export const overlapOf = (one: Period, other: Period): Period => ({
	start: Math.max(one.start, other.start) as Instant,
	end: Math.min(one.end, other.end) as Instant,
});

/** Returns the parts of a time outside other times. */
export function without(time: Period, others: readonly Period[]): Period[] {
	let left = [time];
	for (const { start, end } of others)
		left = left
			.flatMap((part) => [
				{ start: part.start, end: Math.min(part.end, start) as Instant },
				{ start: Math.max(part.start, end) as Instant, end: part.end },
			])
			.filter((part) => part.start < part.end);
	return left;
}
