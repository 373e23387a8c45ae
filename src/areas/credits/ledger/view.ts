import { toIso } from "../../../kernel/clock";
import { toWire } from "../../../kernel/decimal";
import { assert } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { currenciesByIds } from "../../currencies/operations";
import type { CustomerRow } from "../../customers/table";
import { featuresByIds } from "../../features/operations";
import { selectWallets } from "../balances/store";
import type { CreditEntryRow } from "../table";
import type { LedgerEntry } from "./schema";

/** Returns entries of one customer for responses, in their order. */
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
		assert(wallet && currency, "entries have a wallet, and wallets have a currency");
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
