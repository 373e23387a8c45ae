import { type Instant, instantOf } from "../../kernel/clock";
import { toDecimal } from "../../kernel/decimal";
import { fail } from "../../kernel/errors";
import { boundary, type Interval, oneMonth, oneWeek, oneYear } from "../../kernel/period";
import { assertTermsFit, type EntitledFeature } from "../packages/entitlements/rules";
import { resetOf } from "../packages/rules";
import type { PromotionalGrant, PromotionalPeriod } from "./schema";

/** Throws if a call grants a feature twice, because two grants would be ambiguous. */
export function assertNamedOnce(grants: readonly PromotionalGrant[]): void {
	const ids = grants.map(({ featureId }) => featureId);
	const twice = ids.find((id, at) => ids.indexOf(id) !== at);
	if (twice !== undefined)
		throw fail("BadUserInput", `'promotionalEntitlements' names the feature '${twice}' twice; grant it once.`);
}

/**
 * Completes a grant from its input, starting at `now`. Throws BadUserInput for limits, values and dates that do not fit. Otherwise
 * throws the errors by which plans reject the same terms: UnsupportedFeatureType, MeteringNotAvailableForFeatureType,
 * InvalidEntitlementResetPeriod.
 */
export function grantOf(where: string, feature: EntitledFeature, grant: PromotionalGrant, now: Instant) {
	const { usageLimit, hasUnlimitedUsage, hasSoftLimit, enumValues, isVisible, period } = grant;
	const reset = {
		...resetConfigurationsOf(grant),
		...(grant.resetPeriod !== null && { resetPeriod: grant.resetPeriod }),
	};
	assertTermsFit(where, feature, {
		usageLimit,
		hasUnlimitedUsage: hasUnlimitedUsage ?? false,
		hasSoftLimit: hasSoftLimit ?? false,
		enumValues: enumValues ?? [],
		...reset,
	});
	if (feature.featureType === "NUMBER") assertOneLimit(where, grant);
	return {
		featureId: feature.id,
		usageLimit: usageLimit === null ? null : toDecimal(usageLimit),
		hasUnlimitedUsage,
		hasSoftLimit,
		enumValues,
		// Default: visible, since the wire returns a plain boolean.
		isVisible: isVisible ?? true,
		period,
		...resetOf(reset),
		startAt: now,
		endAt: endOf(where, grant, now),
	};
}

const resetConfigurationsOf = (grant: PromotionalGrant) => ({
	yearlyResetPeriodConfiguration: grant.yearlyResetPeriodConfiguration,
	monthlyResetPeriodConfiguration: grant.monthlyResetPeriodConfiguration,
	weeklyResetPeriodConfiguration: grant.weeklyResetPeriodConfiguration,
});

/** Throws unless the grant of a NUMBER feature states its limit: two null keys must not grant unlimited usage. */
function assertOneLimit(where: string, { usageLimit, hasUnlimitedUsage }: PromotionalGrant): void {
	const isUnlimited = hasUnlimitedUsage ?? false;
	if ((usageLimit !== null) === isUnlimited)
		throw fail(
			"BadUserInput",
			`${where}: ${isUnlimited ? "a number has a limit or none" : "a number needs its limit"}; send either 'usageLimit' or 'hasUnlimitedUsage' true.`,
		);
}

const lengths: Readonly<Partial<Record<PromotionalPeriod, Interval>>> = {
	"1 week": oneWeek,
	"1 month": oneMonth,
	"6 month": { unit: "MONTH", count: 6 },
	"1 year": oneYear,
};

/** Returns the start plus the period on the UTC calendar, the caller's own date, or null for no end (docs/interface/customers.md). */
export function endOf(
	where: string,
	{ period, customEndDate }: Pick<PromotionalGrant, "period" | "customEndDate">,
	start: Instant,
): Instant | null {
	if (period === "custom") return customEndOf(where, customEndDate, start);
	if (customEndDate !== null)
		throw fail("BadUserInput", `${where}: 'customEndDate' goes with period 'custom', not with '${period}'; send null.`);
	const interval = lengths[period];
	return interval ? boundary({ anchorAt: start, interval }, 1) : null;
}

function customEndOf(where: string, customEndDate: string | null, start: Instant): Instant {
	if (customEndDate === null)
		throw fail("BadUserInput", `${where}: period 'custom' needs 'customEndDate', when the grant ends.`);
	const end = instantOf(customEndDate);
	if (end <= start)
		throw fail("BadUserInput", `${where}: 'customEndDate' ${customEndDate} is not in the future; name a later one.`);
	return end;
}
