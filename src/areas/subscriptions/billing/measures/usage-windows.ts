import type { Instant } from "../../../../kernel/clock";
import type { Period } from "../../../../kernel/period";
import { usagePeriodAt } from "../../../entitlement-sources/rules.reset-period";
import type { Source } from "../../../entitlement-sources/rules.sources";
import { windowPeriodOf } from "../../../pricing/rules.billing-period";
import { billingPeriodContaining } from "../../rules";
import type { SubscriptionRow } from "../../table";
import type { UsedPrice } from "./used-prices";

/** Two years of hours, enough for an hourly limit that is billed by the year. */
const windowsMax = 20_000;

/** A time span in which usage is counted, up to its counted part. */
export interface Window extends Period {
	/** The window ends later. */
	readonly isOpen: boolean;
	/** The whole window, of which this may be a part. */
	readonly whole: Period;
}

/** An average without a reset period is taken over the period of the price. */
export const isLimitOfPeriod = ({ feature, source }: UsedPrice): boolean =>
	feature.billedUsage !== null && source?.resetPeriod === null;

/** The measure of a price takes the place of the feature's. */
export const averagedOver = ({ feature, level }: UsedPrice, { whole }: Window): number | null =>
	feature.billedUsage === "TIME_WEIGHTED_AVERAGE" && !level ? whole.end - whole.start : null;

/** Returns the windows of a price that overlap a time. Windows of pay as you go start at `first` or later. */
export function windowsOf(subscription: SubscriptionRow, used: UsedPrice, time: Period, first: Instant) {
	const { kind, source } = used;
	return kind === "overage" && !isLimitOfPeriod(used)
		? resetWindows(source, time)
		: pricedWindows(subscription, used, time).map((window) => ({ ...window, start: laterOf(window.start, first) }));
}

/** Returns the windows of a price, counted from the billing anchor, also within a longer billing period. */
function pricedWindows(
	{ billingAnchorAt, timeZone, cycleStartsAt }: SubscriptionRow,
	{ kind, price: { charge } }: UsedPrice,
	{ start, end }: Period,
): Window[] {
	// A trial has no billing periods yet. It is one window, which is billed at its end.
	if (billingAnchorAt === null) return start < end ? [{ start, end, isOpen: false, whole: { start, end } }] : [];
	const length = kind === "usage" ? windowPeriodOf(charge) : charge.billingPeriod;
	const windows: Window[] = [];
	for (let at = start; at < end && windows.length < windowsMax; ) {
		const whole = billingPeriodContaining({ anchorAt: billingAnchorAt, timeZone }, length, at);
		// Usage before was billed by other periods.
		const start = cycleStartsAt === null ? whole.start : laterOf(whole.start, cycleStartsAt);
		windows.push({ start, end: whole.end < end ? whole.end : end, isOpen: whole.end > end, whole });
		at = whole.end;
	}
	return windows;
}

/**
 * Returns the windows of a limit that overlap a time, each from its own start, since earlier usage counts against the
 * limit.
 */
export function resetWindows(source: Source | undefined, { start, end: until }: Period): Window[] {
	if (!source) return [];
	const windows: Window[] = [];
	for (let at = start; at < until && windows.length < windowsMax; ) {
		const window = usagePeriodAt(source, at);
		const end = window && window.end < until ? window.end : until;
		const from = window?.start ?? source.usageAnchorAt;
		const whole = { start: from, end: window?.end ?? end };
		if (from < end) windows.push({ start: from, end, isOpen: window === null || window.end > until, whole });
		at = end > at ? end : until;
	}
	return windows;
}

/** Returns the window of a limit that is open at an instant, although an earlier bill of that instant has left nothing to count. */
export const windowOpenAt = (used: UsedPrice, at: Instant): Window | undefined =>
	used.kind === "overage" && !isLimitOfPeriod(used)
		? resetWindows(used.source, { start: at, end: (at + 1) as Instant }).find(({ start }) => start < at)
		: undefined;

export const laterOf = (one: Instant, other: Instant): Instant => (one > other ? one : other);
