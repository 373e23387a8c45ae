import { toIso, toIsoOrNull } from "../../../kernel/clock";
import { exact, sum, toDecimal, toWire } from "../../../kernel/decimal";
import { assert } from "../../../kernel/errors";
import type { Page } from "../../../kernel/page";
import type { Work } from "../../../kernel/work";
import { currenciesByIds } from "../../currencies/operations";
import type { CurrencyRow } from "../../currencies/table";
import type { CustomerRow } from "../../customers/table";
import { featuresByIds } from "../../features/operations";
import type { FeatureRow } from "../../features/table";
import { leftOf, shownOf } from "../operations.wallets";
import { nextDueOfWallet, periodEndOfWallet } from "../store.wallets";
import type { CreditEntryRow, CreditWalletRow } from "../table";
import type { Series } from "./rules.usage";
import type { CreditBalance, CreditUsage, CreditUsageSeries, LedgerEntry } from "./schema";
import { selectWallets } from "./store";

/** Entries of one customer, in their order. */
export function viewEntries(
	work: Work,
	{ refId: customerId }: CustomerRow,
	entries: readonly CreditEntryRow[],
): LedgerEntry[] {
	const wallets = selectWallets(work, [...new Set(entries.map(({ walletId }) => walletId))]);
	const currencies = currenciesByIds(work, [...new Set([...wallets.values()].map(({ currencyId }) => currencyId))]);
	const features = featuresByIds(work, [...new Set(entries.flatMap(({ featureId }) => featureId ?? []))]);
	return entries.map((entry) => {
		const wallet = wallets.get(entry.walletId);
		const currency = wallet && currencies.get(wallet.currencyId);
		assert(wallet && currency, "an entry has a wallet, and that a currency");
		return {
			customerId,
			creditCurrencyId: currency.refId,
			resourceId: wallet.resourceRef || null,
			creditGrantId: entry.grantId,
			eventType: entry.eventType,
			amount: toWire(entry.amount),
			featureId: entry.featureId === null ? null : (features.get(entry.featureId)?.refId ?? null),
			eventId: entry.eventId,
			timestamp: toIso(entry.at),
		};
	});
}

export function viewBalance(work: Work, { refId: customerId }: CustomerRow, wallet: CreditWalletRow): CreditBalance {
	const currency = currenciesByIds(work, [wallet.currencyId]).get(wallet.currencyId);
	assert(currency, "a wallet has a currency");
	const shown = shownOf(wallet);
	return {
		customerId,
		currencyId: currency.refId,
		resourceId: wallet.resourceRef || null,
		usageLimit: toWire(shown.limit),
		currentUsage: toWire(shown.usage),
		currentBalance: toWire(leftOf(shown)),
		overdraft: toWire(wallet.overdraft),
		usagePeriodEnd: toIsoOrNull(periodEndOfWallet(work, wallet.id)),
		validUntil: toIsoOrNull(nextDueOfWallet(work, wallet.id)),
		timestamp: toIso(wallet.updatedAt),
	};
}

/** Where nothing was ever granted or consumed. */
export const viewNoBalance = (
	work: Work,
	of: Pick<CreditBalance, "customerId" | "currencyId" | "resourceId">,
): CreditBalance => ({
	...of,
	usageLimit: 0,
	currentUsage: 0,
	currentBalance: 0,
	overdraft: 0,
	usagePeriodEnd: null,
	validUntil: null,
	timestamp: toIso(work.now),
});

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
