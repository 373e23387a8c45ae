import type { Instant } from "../../../kernel/clock";
import type { Money } from "../../../kernel/money";

/** The interval between two comparisons of a subscription while its usage changes: two in a second. */
const slotMs = 500;

/** Usage that is dated further ahead than clocks differ is compared by the hour, so that the number of comparisons is bounded. */
const aheadMsMax = 60_000;
const hourMs = 3_600_000;

/** Tollgate invoices a subscription by its threshold at most once in this time. */
export const pauseMs = 1_000;

/**
 * The same for usage that each event charges: an event of a subscription with many waits for less than a second, its rating and its commit
 * included.
 */
export const eventsPauseMs = 500;

/** The pause after a comparison that failed. */
export const retryMs = 60_000;

export interface EnvironmentTime {
	readonly now: Instant;
	readonly isFrozen: boolean;
}

/** Returns when usage of an instant is compared. The usage of an instant counts after it. */
export function checkTimeOf(at: Instant, { now, isFrozen }: EnvironmentTime): Instant {
	const after = at + 1;
	if (isFrozen && after <= now) return now;
	const slot = after - now > aheadMsMax ? hourMs : slotMs;
	return (Math.ceil(Math.max(after, now) / slot) * slot) as Instant;
}

/** Returns the thresholds that apply: those of the subscription, else those of its plan version. */
export const thresholdsOf = (
	own: { readonly spendThresholds: readonly Money[] | null },
	version: { readonly spendThresholds: readonly Money[] | null },
): readonly Money[] => own.spendThresholds ?? version.spendThresholds ?? [];
