import type { Instant } from "../../kernel/clock";
import { zero } from "../../kernel/decimal";
import type { Work } from "../../kernel/work";
import { type Reset, type UsagePeriod, usagePeriodAt } from "../entitlement-sources/rules.reset-period";
import type { FeatureRow } from "../features/table";
import { type Resolved, type ResolvedFeature, resolveEntitlements } from "./operations.resolve";
import { decide } from "./rules";

export interface UsageReset {
	readonly at: Instant;
	readonly type: "PERIODIC_RESET" | "SUBSCRIPTION_CHANGE_RESET";
}

export interface ResetsOf {
	/** The caller's ids. */
	readonly customerRef: string;
	readonly featureRef: string;
	readonly resourceRef: string | null;
	readonly from: Instant;
	readonly until: Instant;
}

/** One more than a usage history shows, which refuses longer periods. */
const resetsMax = 1001;

/**
 * Returns the resets of the usage of a feature within [from, until), and the last one before, the newest first. They follow the
 * entitlement that a check shows now (docs/interface/usage.md). Empty where nothing entitles the customer or usage never resets.
 */
export function usageResets(work: Work, { customerRef, featureRef, resourceRef, from, until }: ResetsOf): UsageReset[] {
	const resolved = resolveEntitlements(work, customerRef, resourceRef).features.get(featureRef);
	if (!resolved) return [];
	const shown = shownAt(resolved, work.now);
	return shown ? resetsWithin(shown.source, from, until) : [];
}

/** Returns the usage period that a check shows at an instant; null where usage never resets. */
export const periodShown = (resolved: ResolvedFeature, at: Instant): UsagePeriod | null =>
	shownAt(resolved, at)?.period ?? null;

/** Returns the start of the usage period that a check shows at an instant; 0 where usage never resets. */
export function periodStartShown({ features }: Resolved, { refId }: FeatureRow, at: Instant): Instant {
	const found = features.get(refId);
	return (found && periodShown(found, at)?.start) ?? (0 as Instant);
}

function shownAt({ feature, isMetered, sources }: ResolvedFeature, at: Instant) {
	const candidates = sources.map((source) => ({ source, period: usagePeriodAt(source, at), usage: zero }));
	return decide({ featureType: feature.featureType, isMetered }, candidates, {}).shown;
}

/** Steps back from the end through the usage periods, until the first that began before `from`. */
function resetsWithin(entitlement: Reset, from: Instant, until: Instant): UsageReset[] {
	const resets: UsageReset[] = [];
	for (let at = startBefore(entitlement, until); at !== null; at = startBefore(entitlement, at)) {
		const isFirst = at === entitlement.usageAnchorAt;
		resets.push({ at, type: isFirst ? "SUBSCRIPTION_CHANGE_RESET" : "PERIODIC_RESET" });
		// There is no reset before the subscription.
		if (at < from || at <= entitlement.usageAnchorAt || resets.length > resetsMax) break;
	}
	return resets;
}

const startBefore = (entitlement: Reset, at: Instant): Instant | null =>
	usagePeriodAt(entitlement, (at - 1) as Instant)?.start ?? null;
