import { toIso, toIsoOrNull } from "../../../kernel/clock";
import { toWire } from "../../../kernel/decimal";
import { assert } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { currenciesByIds } from "../../currencies/operations";
import type { CustomerRow } from "../../customers/table";
import { remainingOf, totalsOf } from "../operations.wallets";
import { nextDueOfWallet, periodEndOfWallet } from "../store.wallets";
import type { CreditWalletRow } from "../table";
import type { CreditBalance } from "./schema";

export function viewBalance(work: Work, { refId: customerId }: CustomerRow, wallet: CreditWalletRow): CreditBalance {
	const currency = currenciesByIds(work, [wallet.currencyId]).get(wallet.currencyId);
	assert(currency, "wallets have a currency");
	const shown = totalsOf(wallet);
	return {
		customerId,
		currencyId: currency.refId,
		resourceId: wallet.resourceRef || null,
		usageLimit: toWire(shown.limit),
		currentUsage: toWire(shown.usage),
		currentBalance: toWire(remainingOf(shown)),
		overdraft: toWire(wallet.overdraft),
		usagePeriodEnd: toIsoOrNull(periodEndOfWallet(work, wallet.id)),
		validUntil: toIsoOrNull(nextDueOfWallet(work, wallet.id)),
		timestamp: toIso(wallet.updatedAt),
	};
}

/** The balance where nothing was ever granted or consumed. */
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
