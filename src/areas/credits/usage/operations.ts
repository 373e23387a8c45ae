import { createHash } from "node:crypto";
import { type Instant, instantOf } from "../../../kernel/clock";
import { cutPage, type Page, pageRequestOf, unknownCursor } from "../../../kernel/page";
import type { Work } from "../../../kernel/work";
import { currenciesByIds, getShownCurrency } from "../../currencies/operations";
import type { CurrencyRow } from "../../currencies/table";
import { featuresByIds } from "../../features/operations";
import { tooManyRows, walletFilterOf, walletIdsOf } from "../balances/operations";
import { selectWallets } from "../balances/store";
import { byDimensions, byFeature, type Series, spansOf } from "./rules";
import type { CreditUsage, CreditUsageQuery } from "./schema";
import { type ConsumedInSpan, selectConsumed, selectTagged } from "./store";
import { viewUsage } from "./view";

/** The rows of one answer: reading them takes some tens of milliseconds at most. */
const rowsMaxDefault = 20_000;

/**
 * Returns a customer's consumption over time, as series by feature or by the values of up to three dimensions. A page contains
 * series. Throws CustomerNotFound, CustomCurrencyNotFound, BadUserInput, also for ranges with too many rows.
 */
export function getCreditUsage(work: Work, query: CreditUsageQuery, rowsMax = rowsMaxDefault): CreditUsage {
	const { of } = walletFilterOf(work, query);
	const spans = spansOf(
		{
			startDate: instantOrNone(query.startDate),
			endDate: instantOrNone(query.endDate),
			timeRange: query.timeRange,
		},
		work.now,
	);
	const walletIds = walletIdsOf(work, of);
	const used = selectConsumed(work, walletIds, spans, rowsMax + 1);
	if (used.length > rowsMax) throw tooManyRows(rowsMax, `${spans.span}s with consumption`);
	const series = query.groupBy === undefined ? byFeature(used) : grouped(work, query.groupBy);
	const features = featuresByIds(
		work,
		series.map(({ featureId }) => featureId).filter((id) => id !== ""),
	);
	const page = pageOf(query, series, (one) => features.get(one.featureId)?.refId ?? one.name);
	return viewUsage(page, features, currencyOf(work, query.currencyId, used));

	function grouped(within: Work, groupBy: string): Series[] {
		const entries = selectTagged(within, walletIds, spans, rowsMax + 1);
		if (entries.length > rowsMax) throw tooManyRows(rowsMax, "entries with dimensions");
		return byDimensions([...new Set(groupBy.split(","))], used, entries);
	}
}

const instantOrNone = (text: string | undefined): Instant | undefined =>
	text === undefined ? undefined : instantOf(text);

/** Sorts series by title; a series without a feature or without tags comes last. */
function pageOf(
	query: CreditUsageQuery,
	series: readonly Series[],
	titleOf: (one: Series) => string,
): Page<Series & { readonly id: string }> {
	const { cursor, isBackward, rowsMax: limit } = pageRequestOf(query);
	const all = series
		.map((one) => ({ ...one, id: idOf(one), isLast: one.featureId === "" && !one.tags?.length, title: titleOf(one) }))
		.sort((one, other) => Number(one.isLast) - Number(other.isLast) || (one.title < other.title ? -1 : 1));
	const at = cursor === undefined ? -1 : all.findIndex(({ id }) => id === cursor);
	if (cursor !== undefined && at < 0) throw unknownCursor(cursor);
	const found = isBackward ? all.slice(Math.max(0, at - limit), at).reverse() : all.slice(at + 1, at + 1 + limit);
	return cutPage(query, found);
}

/** Cursors are opaque. A digest is short even for long values of dimensions. */
function idOf({ name, tags }: Series): string {
	const digest = createHash("sha256")
		.update(`${tags ? "tags" : "feature"} ${name}`)
		.digest("hex");
	return [
		digest.slice(0, 8),
		digest.slice(8, 12),
		digest.slice(12, 16),
		digest.slice(16, 20),
		digest.slice(20, 32),
	].join("-");
}

/** Returns the requested currency, or the only one that was consumed. */
function currencyOf(
	work: Work,
	currencyRef: string | undefined,
	used: readonly ConsumedInSpan[],
): CurrencyRow | undefined {
	if (currencyRef !== undefined) return getShownCurrency(work, currencyRef);
	const wallets = selectWallets(work, [...new Set(used.map(({ walletId }) => walletId))]);
	const ids = [...new Set([...wallets.values()].map(({ currencyId }) => currencyId))];
	return ids.length === 1 ? currenciesByIds(work, ids).get(ids[0] ?? "") : undefined;
}
