import { toIso } from "../../../kernel/clock";
import { exact, sum, toDecimal, toWire } from "../../../kernel/decimal";
import type { Page } from "../../../kernel/page";
import type { CurrencyRow } from "../../currencies/table";
import type { FeatureRow } from "../../features/table";
import type { Series } from "./rules";
import type { CreditUsage, CreditUsageSeries } from "./schema";

export const viewUsage = (
	{ rows, next, prev }: Page<Series>,
	features: ReadonlyMap<string, FeatureRow>,
	currency: CurrencyRow | undefined,
): CreditUsage => ({
	currency: currency
		? {
				currencyId: currency.refId,
				displayName: currency.displayName,
				singular: currency.unitSingular,
				plural: currency.unitPlural,
				symbol: currency.symbol,
			}
		: null,
	pagination: { next, prev },
	series: rows.map((series) => viewSeries(series, features.get(series.featureId))),
});

function viewSeries({ tags, points }: Series, feature: FeatureRow | undefined): CreditUsageSeries {
	const inTime = [...points].sort(([one], [other]) => one - other);
	return {
		featureId: feature?.refId ?? null,
		featureName: feature?.displayName ?? null,
		totalCredits: toWire(toDecimal(sum(inTime.map(([, { value }]) => exact(value))))),
		eventCount: inTime.reduce((count, [, { events }]) => count + events, 0),
		points: inTime.map(([at, { value, events }]) => ({
			timestamp: toIso(at),
			value: toWire(toDecimal(value)),
			eventCount: events,
		})),
		...(tags && { tags: [...tags] }),
	};
}
