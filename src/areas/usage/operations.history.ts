import { type Instant, instantOf, toIso } from "../../kernel/clock";
import { toWire } from "../../kernel/decimal";
import { fail } from "../../kernel/errors";
import type { Work } from "../../kernel/work";
import { getCustomer } from "../customers/operations";
import { getFeature } from "../features/operations";
import { usageHistory } from "./operations";
import type { UsageHistory, UsageHistoryQuery } from "./schema";

/** Returns the resets of a feature's usage. Entitlements are a later area, so the compositions pass it in. */
export type UsageResets = (
	work: Work,
	of: {
		/** The id that callers use. */
		readonly customerRef: string;
		readonly featureRef: string;
		readonly resourceRef: string | null;
		readonly from: Instant;
		readonly until: Instant;
	},
) => ReadonlyArray<{ readonly at: Instant; readonly type: "PERIODIC_RESET" | "SUBSCRIPTION_CHANGE_RESET" }>;

/** Returns the history as REST shows it. Throws CustomerNotFound, FeatureNotFound, BadUserInput. */
export function readUsageHistory(
	work: Work,
	params: { readonly customerId: string; readonly featureId: string },
	query: UsageHistoryQuery,
	usageResets: UsageResets,
): UsageHistory {
	const start = instantOf(query.startDate);
	const end = query.endDate === undefined ? work.now : instantOf(query.endDate);
	if (start >= end)
		throw fail("BadUserInput", "query/startDate: must lie before endDate, which is now when it is left out.");
	const customerId = getCustomer(work, params.customerId).id;
	const featureId = getFeature(work, params.featureId).id;
	const resourceId = query.resourceId || null;
	const of = { customerId, featureId, resourceId };
	const refs = { customerRef: params.customerId, featureRef: params.featureId, resourceRef: resourceId };
	const resets = usageResets(work, { ...refs, from: start, until: end });
	const groupBy = query.groupBy?.split(",") ?? [];
	const series = usageHistory(work, { ...of, period: { start, end }, groupBy, resets });
	return {
		markers: resets.filter(({ at }) => at >= start).map(({ at, type }) => ({ timestamp: toIso(at), type })),
		series: series.map(({ tags, points }) => ({
			tags: [...tags],
			points: points.map(({ at, value, isResetPoint }) => ({
				isResetPoint,
				timestamp: toIso(at),
				value: toWire(value),
			})),
		})),
	};
}
